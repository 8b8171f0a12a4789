import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { openPayerAccount, openPayerName } from '../../crypto/personal';
import { businessError, notFound } from '../../domain/errors';
import { formatMoney, type Money } from '../../domain/money';
import { maskedText } from '../../domain/personal';
import type { ChangeRow } from '../../db/changes/change-requests';
import { findDeposit } from '../../db/deposits/deposits';
import { refusePaid } from '../../db/ledger/operator-postings';
import * as db from '../../db/ledger/payer-returns';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { findDecided, propose, type Proposal } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY, idempotent, type RecordKey } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import type { ReturnPayload } from '../../steps/postings/payer-return-effects';
import { checkedAmount } from '../../steps/postings/checked-amount';
import { checkedPayee, PayeeInput } from './payee';
import { requireEvidence } from '../../steps/postings/post';
import { PayerReturn } from './payer-return';
import { requireReach } from '../../steps/access/caller';
import { creditShown, waitingMoney } from '../../steps/postings/waiting-money';

@ObjectType({ simpleResolvers: true, description: 'A return to a payer that was asked for.' })
export class ReturnResult {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => PayerReturn, { nullable: true, description: 'Null until the change is applied.' })
  payerReturn!: db.PayerReturnRow | null;
}

async function answered({ database }: GraphContext, change: ChangeRow): Promise<ReturnResult> {
  const [payerReturn] = await db.findReturnsOf(database, 'change_id', [change.id]);
  return { change, payerReturn: payerReturn ?? null };
}

/** Proposes a return, once for each idempotency key. */
const proposeReturn = async (
  context: GraphContext,
  mutation: string,
  key: string | null | undefined,
  args: Readonly<Record<string, unknown>>,
  ask: () => Promise<Proposal>,
): Promise<ReturnResult> =>
  await idempotent(
    context,
    { mutation, key, args },
    async (recordKey: RecordKey) => {
      const proposal = await ask();
      requireEvidence(proposal.evidence);
      return await answered(context, await propose(context, proposal, recordKey));
    },
    async (id) => await answered(context, await findDecided(context, id)),
  );

@Resolver(() => PayerReturn)
export class ReturnMoneyResolver {
  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => ReturnResult, {
    description:
      'Proposes to send money that waits back to who paid it. Needs evidence; a second person approves, then a person sends it. Until then the money stays in suspense, and nothing else may use it.',
  })
  async returnMoney(
    @Arg('transferId', () => ID, { description: 'The id of the bank transfer, a UUID.' })
    transferId: string,
    @Arg('payee', () => PayeeInput, { description: 'Where it goes back to.' }) payee: PayeeInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, {
      nullable: true,
      description: 'How much of it; null: all that still waits.',
    })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<ReturnResult> {
    const args = { transferId, ...checkedPayee(payee), part: part?.toFixed(), reason };
    return await proposeReturn(context, 'returnMoney', key, args, async () => {
      const money = await waitingMoney(context, transferId, part ?? null);
      const { transfer, amount, name, enteredBy } = money;
      const use = { bankTransferId: transferId, depositIds: [], late: false };
      await refusePaid(context.database, use);
      const to = checkedPayee(payee);
      const payload: ReturnPayload = {
        ...{ id: uuidv7(), bankTransferId: transferId, depositId: null, merchantId: null },
        ...{ ...to, currencyCode: transfer.currencyCode, amount: amount.toFixed(), enteredBy },
      };
      return {
        kind: 'RETURN_MONEY',
        subject: { kind: 'bank_transfer', id: transferId, name },
        summary: `Send ${name} back to ${to.payeeName}`,
        before: {},
        after: { ...creditShown(money), ...to, amount: formatMoney(amount) },
        money: { amount, currencyCode: transfer.currencyCode },
        ...{ payload, reason, evidence },
      };
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => ReturnResult, {
    description:
      'Proposes to refund a completed deposit to its payer, whole or in part, several times up to what was received. Needs evidence; a second person approves: then it is frozen in the balance of the merchant, and a person sends it. The fee stays earned, the order stays COMPLETED.',
  })
  async refundDeposit(
    @Arg('orderNo', { description: 'The gateway number of the deposit; it begins with D.' })
    orderNo: string,
    @Arg('payee', () => PayeeInput, { description: 'Where it goes back to.' }) payee: PayeeInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, {
      nullable: true,
      description: 'How much of what was received; null: all of it.',
    })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<ReturnResult> {
    const args = { orderNo, ...checkedPayee(payee), part: part?.toFixed(), reason };
    return await proposeReturn(context, 'refundDeposit', key, args, async () => {
      const deposit = await findDeposit(context.database, { orderNo });
      if (!deposit) throw notFound('deposit');
      const { id: depositId, merchantId, currencyCode, status, actualAmount } = deposit;
      requireReach(context.actor, merchantId, 'deposit');
      // A change stays: it has the end of a number that is sealed in its order.
      const account = openPayerAccount(context.sealer, deposit);
      if (status !== 'COMPLETED')
        throw businessError('WRONG_STATE', 'only a completed deposit can be refunded');
      const amount = checkedAmount(part ?? actualAmount, currencyCode);
      const to = checkedPayee(payee);
      const payload: ReturnPayload = {
        ...{ id: uuidv7(), bankTransferId: null, depositId, merchantId, enteredBy: [] },
        ...{ ...to, currencyCode, amount: amount.toFixed() },
      };
      return {
        kind: 'REFUND_DEPOSIT',
        subject: { kind: 'deposit', id: depositId, name: orderNo },
        merchantId,
        summary: `Refund ${formatMoney(amount)} ${currencyCode} of ${orderNo} to ${to.payeeName}`,
        before: {},
        after: {
          ...{ ...to, orderNo, amount: formatMoney(amount), received: formatMoney(actualAmount) },
          payerName: openPayerName(context.sealer, deposit),
          payerAccount: account === null ? null : maskedText(account, 'NUMBER'),
        },
        money: { amount: amount.negated(), currencyCode },
        ...{ payload, reason, evidence },
      };
    });
  }
}
