import { Arg, Authorized, Ctx, Field, Mutation, ObjectType, registerEnumType, Resolver } from 'type-graphql';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { formatMoney, type Money } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import { findWithdrawal, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { findDecided, propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { IDEMPOTENCY_KEY, idempotent, type RecordKey } from '../../steps/idempotent';
import { checkedAmount } from '../../steps/postings/checked-amount';
import { DecimalScalar, enumOf } from '../scalars';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import type { ResolvePayoutPayload } from '../../steps/payouts/payout-effects';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { requireReach } from '../../steps/access/caller';

const PAYOUT_FINDINGS = ['PAID', 'NOT_PAID'] as const;
type PayoutFinding = (typeof PAYOUT_FINDINGS)[number];
const PayoutFindingEnum = enumOf(PAYOUT_FINDINGS);
registerEnumType(PayoutFindingEnum, {
  name: 'PayoutFinding',
  description: 'An operator’s finding about a payout.',
  valuesConfig: {
    PAID: { description: 'The beneficiary has the money: the withdrawal is completed.' },
    NOT_PAID: {
      description: 'It has not, and never will: the withdrawal fails, its money is released.',
    },
  },
});

@ObjectType({ simpleResolvers: true, description: 'A proposed end of an unknown payout.' })
export class PayoutResolution {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => WithdrawalOrder, {
    nullable: true,
    description: 'Null until the change is applied.',
  })
  withdrawal!: WithdrawalView | null;
}

/** A person's finding about a payout. */
interface Finding {
  readonly orderNo: string;
  readonly outcome: PayoutFinding;
  readonly bankReference: string | null;
  readonly reason: string;
  readonly evidence: EvidenceInput;
  readonly cost: Money | null;
}

async function answered({ database }: GraphContext, change: ChangeRow): Promise<PayoutResolution> {
  const id = change.subjectId;
  const applied = change.status === 'APPLIED';
  return {
    change,
    withdrawal: applied ? ((await findWithdrawal(database, { id })) ?? null) : null,
  };
}

async function proposeFinding(
  context: GraphContext,
  { orderNo, outcome, bankReference, reason, evidence, cost }: Finding,
  recordKey: RecordKey,
): Promise<PayoutResolution> {
  const order = await findWithdrawal(context.database, { orderNo });
  if (!order) throw notFound('withdrawal');
  requireReach(context.actor, order.merchantId, 'withdrawal');
  const paid = outcome === 'PAID';
  const given = bankReference?.trim() ?? '';
  if (paid !== (given !== ''))
    throw invalidField(
      'bankReference',
      paid ? 'is required' : 'is allowed only for a payout that was paid',
      paid ? 'REQUIRED' : 'NOT_ALLOWED',
    );
  if (given.length > LIMITS.bankReference)
    throw invalidField('bankReference', `must be at most ${LIMITS.bankReference} characters`, 'OUT_OF_RANGE');
  if (!evidence.text?.trim() && !evidence.links?.length)
    throw invalidField('evidence', 'is required: state how you know', 'REQUIRED');
  const attempts = await context.loaders.payoutAttempts.load(order.id);
  const attempt = attempts.find(
    ({ method, sentAt, finishedAt }) => method === 'CHANNEL' && sentAt !== null && finishedAt === null,
  );
  if (!attempt || !order.needsManualIntervention)
    throw businessError('WRONG_STATE', 'the payout does not need a resolution');
  const { id, merchantId, amount, currencyCode } = order;
  if (cost && !paid) throw invalidField('cost', 'is of a payout that was paid', 'NOT_ALLOWED');
  if (cost && !cost.isZero()) checkedAmount(cost, currencyCode);
  const payload: ResolvePayoutPayload = {
    withdrawalId: id,
    attemptId: attempt.id,
    paid,
    bankReference: paid ? given : null,
    ...(cost && { cost: cost.toFixed() }),
  };
  const change = await propose(
    context,
    {
      kind: 'RESOLVE_PAYOUT',
      subject: { kind: 'withdrawal', id, name: orderNo },
      merchantId,
      summary: `${orderNo} over ${formatMoney(amount)} ${currencyCode} was ${paid ? 'paid' : 'not paid'}`,
      before: { status: order.status, attempt: attempt.status },
      after: {
        status: paid ? 'COMPLETED' : 'FAILED',
        attempt: paid ? 'SUCCEEDED' : 'FAILED',
        ...(paid && { bankReference: given }),
        ...(cost && { channelCost: formatMoney(cost) }),
      },
      money: { amount, currencyCode },
      payload,
      reason,
      evidence,
    },
    recordKey,
  );
  return await answered(context, change);
}

@Resolver()
export class ResolvePayoutResolver {
  @Authorized('TREASURER')
  @Mutation(() => PayoutResolution, {
    description:
      'Proposes to end a payout that needs manual intervention by an operator’s finding. Needs evidence; a second person approves.',
  })
  async resolvePayout(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Arg('outcome', () => PayoutFindingEnum, { description: 'What was found out.' })
    outcome: PayoutFinding,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('bankReference', () => String, {
      nullable: true,
      description: "The bank's number of the transfer, where it was paid.",
    })
    bankReference?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
    @Arg('cost', () => DecimalScalar, {
      nullable: true,
      description: 'What the channel charged, if it was paid; null: the estimate.',
    })
    cost?: Money | null,
  ): Promise<PayoutResolution> {
    const said = { orderNo, outcome, bankReference: bankReference ?? null, reason, evidence };
    const finding: Finding = { ...said, cost: cost ?? null };
    return await idempotent(
      context,
      { mutation: 'resolvePayout', key, args: { ...said, ...(cost && { cost: cost.toFixed() }) } },
      async (recordKey) => await proposeFinding(context, finding, recordKey),
      async (id) => await answered(context, await findDecided(context, id)),
    );
  }
}
