import type { SignedParameters } from '../../domain/signing';
import { invalidField } from '../../domain/errors';
import { failpoint } from '../../failpoints';
import { admittedOf } from '../admission';
import { admitAgent } from '../agent-admission';
import type { App } from '../app';
import type { GatewayDeps } from '../deps';
import { success } from '../envelope';
import {
  type BankNotificationInput,
  RecordBankNotificationDocument,
  type RecordBankNotificationMutation,
} from '../generated/operations';
import { Answer, refusals } from '../schemas/answers';
import { BankNotification, RecordedNotification } from '../schemas/bank-notification';
import { AgentHeaders } from '../schemas/signed';

/** A balance may be overdrawn; otherwise it is written like an amount. */
const BALANCE = /^-?(0|[1-9]\d{0,13})(\.\d{1,4})?$/;

/** The schema knows the form of a time, not the lengths of months. */
function bankTimeOf(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalidField('bank_time', 'must be a time that there is');
  return time.toISOString();
}

function inputOf(body: BankNotification, texts: SignedParameters): BankNotificationInput {
  const balanceAfter = texts.get('balance_after');
  if (balanceAfter !== undefined && !BALANCE.test(balanceAfter))
    throw invalidField('balance_after', 'must be a plain decimal with at most four decimal places');
  return {
    accountId: body.account_id,
    // As it was written, not as a parsed number.
    amount: texts.get('amount') ?? '',
    currencyCode: body.currency_code,
    bankTime: bankTimeOf(body.bank_time),
    memo: body.memo,
    bankReference: body.bank_reference,
    payerName: body.payer_name,
    payerAccount: body.payer_account,
    balanceAfter,
  };
}

const answerOf = ({
  duplicate,
  transfer,
}: RecordBankNotificationMutation['recordBankNotification']): RecordedNotification => ({
  transfer_id: transfer.id,
  duplicate,
  matched: transfer.depositId !== null,
  unmatched_reason: transfer.unmatchedReason?.toLowerCase() ?? null,
});

/** What agents that watch bank accounts report (docs/bank-notifications.md). */
export function bankNotificationRoutes(app: App, deps: GatewayDeps): void {
  app.post(
    '/bank-notifications',
    {
      schema: {
        operationId: 'recordBankNotification',
        summary: 'Report a credit on a managed bank account',
        description: 'Safe to repeat with a new nonce and timestamp: a transfer is recorded once.',
        tags: ['Bank notifications'],
        headers: AgentHeaders,
        body: BankNotification,
        response: {
          200: Answer(RecordedNotification, 'Recorded before.'),
          201: Answer(RecordedNotification, 'Recorded now.'),
          ...refusals([
            'PAYLOAD_TOO_LARGE',
            'INVALID_SIGNATURE',
            'INVALID_TIMESTAMP',
            'UNSUPPORTED_MEDIA_TYPE',
            'MALFORMED_REQUEST',
            'AUTHORIZATION_ERROR',
            'INVALID_FIELD',
            'OPTIMISTIC_LOCK_ERROR',
          ]),
        },
      },
      preValidation: admitAgent(deps),
      onResponse: async () => {
        await failpoint('notification.answered');
      },
    },
    async (request, reply) => {
      const { execute, texts } = admittedOf(request);
      const input = inputOf(request.body, texts);
      const { recordBankNotification } = await execute(RecordBankNotificationDocument, { input });
      const { id, orderNo } = recordBankNotification.transfer;
      request.told.transferId = id;
      if (orderNo !== null) request.told.orderNo = orderNo;
      await failpoint('notification.answering', request.body.bank_reference);
      reply.code(recordBankNotification.duplicate ? 200 : 201);
      return success(answerOf(recordBankNotification));
    },
  );
}
