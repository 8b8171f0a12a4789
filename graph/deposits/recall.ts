import { Arg, Authorized, Ctx, Field, FieldResolver, ID, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { formatMoney, type Money } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import { type DepositView, findDeposit } from '../../db/deposits/deposits';
import { findRecallCase, type RecallRow } from '../../db/deposits/recalls';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { findDecided, propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { IDEMPOTENCY_KEY, idempotent, type RecordKey } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import { DepositOrder } from './deposit';
import { type RecallPayload, requireThere } from '../../steps/deposits/recall-effects';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { checkedAmount } from '../../steps/postings/checked-amount';
import { requireReach } from '../../steps/access/caller';

@ObjectType({
  simpleResolvers: true,
  description: 'What was debited to the merchant because the payer’s bank took the money back.',
})
export class DepositRecall {
  @Field(() => DecimalScalar, {
    description: 'The part of the received amount that was taken back; the fee stays earned.',
  })
  amount!: Money;

  @Field(() => DecimalScalar, { description: 'The part taken from its own held credit.' })
  fromHeld!: Money;

  @Field(() => DecimalScalar, { description: "Taken from the merchant's available balance." })
  fromAvailable!: Money;

  @Field(() => DecimalScalar, {
    description: 'The part that the merchant’s balance did not cover: it owes this, and new money covers it first.',
  })
  owed!: Money;

  @Field(() => ID, { description: 'The managed account that the money went back from.' })
  accountId!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The bank debit that took it; null while nobody has named it.',
  })
  bankDebitId!: string | null;

  @Field(() => ID, { description: 'The approved change request.' })
  changeId!: string;

  @Field({ description: 'The reason that the proposer gave.' })
  reason!: string;

  @Field({ description: 'When the money was taken back.' })
  at!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed recall of a deposit.' })
export class RecallChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => DepositOrder, { nullable: true, description: 'Null until the change is applied.' })
  deposit!: DepositView | null;
}

/** A recall that an operator proposes. */
interface RecallRequest {
  readonly orderNo: string;
  readonly reason: string;
  readonly evidence: EvidenceInput;
  /** A part; null: all that was received. */
  readonly part: Money | null;
  readonly debitId: string | null;
}

async function answered({ database }: GraphContext, change: ChangeRow): Promise<RecallChange> {
  const id = change.subjectId;
  const applied = change.status === 'APPLIED';
  return { change, deposit: applied ? ((await findDeposit(database, { id })) ?? null) : null };
}

async function proposeRecall(
  context: GraphContext,
  { orderNo, reason, evidence, part, debitId }: RecallRequest,
  recordKey: RecordKey,
): Promise<RecallChange> {
  const deposit = await findRecallCase(context.database, { orderNo }, debitId);
  if (!deposit) throw notFound('deposit');
  const { id, merchantId, status, currencyCode, recalled } = deposit;
  requireReach(context.actor, merchantId, 'deposit');
  if (!evidence.text?.trim() && !evidence.links?.length)
    throw invalidField('evidence', 'is required: state how you know that the money goes back', 'REQUIRED');
  if (status !== 'COMPLETED') throw businessError('WRONG_STATE', 'only a completed deposit can be recalled');
  if (deposit.accountId === null)
    throw businessError('NOT_ENABLED', 'a channel received this deposit: settle it with the channel');
  if (recalled) throw businessError('WRONG_STATE', 'the deposit was already recalled');
  const amount = checkedAmount(part ?? deposit.amount, currencyCode);
  if (amount.gt(deposit.amount)) throw businessError('AMOUNT', 'more than the deposit received');
  requireThere(deposit, amount);
  const payload: RecallPayload = {
    depositId: id,
    ...(part && { amount: amount.toFixed() }),
    ...(debitId !== null && { debitId }),
  };
  const change = await propose(
    context,
    {
      kind: 'RECALL_DEPOSIT',
      subject: { kind: 'deposit', id, name: orderNo },
      merchantId,
      summary: `Recall ${orderNo} over ${formatMoney(amount)} ${currencyCode}`,
      before: { status, recalled: false },
      after: { status, recalled: true, ...(part && { recalledAmount: formatMoney(amount) }) },
      money: { amount: amount.negated(), currencyCode },
      payload,
      reason,
      evidence,
    },
    recordKey,
  );
  return await answered(context, change);
}

@Resolver(() => DepositOrder)
export class RecallResolver {
  @Authorized('TREASURER')
  @Mutation(() => RecallChange, {
    description:
      'Proposes to debit the merchant of a completed deposit, because the payer’s bank took the money back. Needs evidence; a second person approves. Once a deposit, which stays COMPLETED.',
  })
  async recallDeposit(
    @Arg('orderNo', { description: 'The gateway number of the deposit; it begins with D.' })
    orderNo: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
    @Arg('amount', () => DecimalScalar, {
      nullable: true,
      description: 'The part of the received amount; null: all of it.',
    })
    part?: Money | null,
    @Arg('debitId', () => ID, {
      nullable: true,
      description: 'The bank debit that took it, where the bank has reported it.',
    })
    debitId?: string | null,
  ): Promise<RecallChange> {
    const of = { part: part ?? null, debitId: debitId ?? null };
    const request: RecallRequest = { orderNo, reason, evidence, ...of };
    // The defaults are the behaviour from before these arguments existed.
    const args = { orderNo, reason, evidence, ...(part && { part: part.toFixed() }) };
    return await idempotent(
      context,
      { mutation: 'recallDeposit', key, args: { ...args, ...(debitId && { debitId }) } },
      async (recordKey) => await proposeRecall(context, request, recordKey),
      async (id) => await answered(context, await findDecided(context, id)),
    );
  }

  @Authorized('VIEW')
  @FieldResolver(() => DepositRecall, {
    nullable: true,
    description: 'Null unless the payer got the money back after it was completed.',
  })
  async recall(@Root() { id }: DepositOrder, @Ctx() { loaders }: GraphContext): Promise<RecallRow | undefined> {
    return await loaders.recallOfDeposit.load(id);
  }
}
