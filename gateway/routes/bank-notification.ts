import type { SignedParameters } from '../../domain/signing';
import { invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, formatMoney, parseAmount } from '../../domain/money';
import { failpoint } from '../../runtime/failpoints';
import { type Admitted, admittedOf } from '../admission';
import { admitAgent } from '../agent-admission';
import type { App } from '../app';
import type { RouteDeps } from '../deps';
import { success } from '../envelope';
import { RecordBankDebitDocument, RecordBankNotificationDocument } from '../generated/operations';
import { Answer, refusals } from '../schemas/answers';
import { BankNotification, RecordedNotification } from '../schemas/bank-notification';
import { utcOf } from '../schemas/moment';
import { AgentHeaders } from '../schemas/signed';

/** A balance may be overdrawn; otherwise it is written like an amount. */
const BALANCE = /^-?(0|[1-9]\d{0,13})(\.\d{1,4})?$/;

/** The amount as it was written, not as a parsed number. */
function amountOf(text: string, currencyCode: string): string {
  const amount = parseAmount(text, currencyDecimals(currencyCode) ?? LIMITS.moneyDecimals);
  if ('problem' in amount) throw invalidField('amount', amount.problem);
  return formatMoney(amount);
}

/** The movement of either direction that a notification reports. */
function movementOf(body: BankNotification, texts: SignedParameters) {
  const balanceAfter = texts.get('balance_after');
  if (balanceAfter !== undefined && !BALANCE.test(balanceAfter))
    throw invalidField('balance_after', 'must be a plain decimal with at most four decimal places');
  return {
    accountId: body.account_id,
    amount: amountOf(texts.get('amount') ?? '', body.currency_code),
    currencyCode: body.currency_code,
    bankTime: utcOf('bank_time', body.bank_time),
    memo: body.memo,
    bankReference: body.bank_reference,
    balanceAfter,
  };
}

/** The recorded movement, and the order that it pays or explains, for the log. */
interface Recorded {
  readonly answer: RecordedNotification;
  readonly orderNo: string | null;
}

async function recordCredit(
  execute: Admitted['execute'],
  body: BankNotification,
  texts: SignedParameters,
): Promise<Recorded> {
  const { payer_name: payerName, payer_account: payerAccount } = body;
  const input = { ...movementOf(body, texts), payerName, payerAccount };
  const { recordBankNotification: recorded } = await execute(RecordBankNotificationDocument, {
    input,
  });
  const { id, depositId, orderNo, unmatchedReason } = recorded.transfer;
  const answer = {
    transfer_id: id,
    duplicate: recorded.duplicate,
    matched: depositId !== null,
    unmatched_reason: unmatchedReason?.toLowerCase() ?? null,
  };
  return { answer, orderNo };
}

async function recordDebit(
  execute: Admitted['execute'],
  body: BankNotification,
  texts: SignedParameters,
): Promise<Recorded> {
  const { payee_name: payeeName, payee_account: payeeAccount } = body;
  const input = { ...movementOf(body, texts), payeeName, payeeAccount };
  const { recordBankDebit: recorded } = await execute(RecordBankDebitDocument, { input });
  const { id, orderNo, explainedAt } = recorded.debit;
  const matched = explainedAt !== null;
  const answer = {
    transfer_id: id,
    duplicate: recorded.duplicate,
    matched,
    unmatched_reason: matched ? null : 'no_task',
  };
  return { answer, orderNo };
}

/** Reports of agents that watch bank accounts (docs/bank-notifications.md). */
export function bankNotificationRoutes(app: App, deps: RouteDeps): void {
  app.post(
    '/bank-notifications',
    {
      schema: {
        operationId: 'recordBankNotification',
        summary: 'Report a credit or a debit on a managed bank account',
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
      const record = request.body.direction === 'debit' ? recordDebit : recordCredit;
      const { answer, orderNo } = await record(execute, request.body, texts);
      request.logFields.transferId = answer.transfer_id;
      if (orderNo !== null) request.logFields.orderNo = orderNo;
      await failpoint('notification.answering', request.body.bank_reference);
      reply.code(answer.duplicate ? 200 : 201);
      return success(answer);
    },
  );
}
