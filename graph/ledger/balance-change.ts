import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, formatMoney, type Money } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import { Balance } from './balance';
import type { BalancePayload } from '../../steps/ledger/balance-effects';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { type GraphContext } from '../context';
import { findDecided, type Proposal, propose } from '../../steps/changes/propose';
import { IDEMPOTENCY_KEY, idempotent, type RecordKey } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';

@ObjectType({ simpleResolvers: true, description: "A proposed change of a merchant's balance." })
export class BalanceChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => Balance, { nullable: true, description: 'Null until the change is applied.' })
  balance!: Balance | null;
}

/** A proposed posting to a merchant's balance. */
interface Posting {
  readonly kind: 'TOP_UP_BALANCE' | 'ADJUST_BALANCE';
  readonly merchantId: string;
  readonly currencyCode: string;
  readonly amount: Money;
  readonly reason: string;
  readonly evidence: EvidenceInput;
}

const VERB = { TOP_UP_BALANCE: 'Top up', ADJUST_BALANCE: 'Adjust' } as const;

/** The answer to a proposed posting: the balance, once it is posted. */
async function answered(
  { loaders }: GraphContext,
  change: ChangeRow,
  { merchantId, currencyCode }: Posting,
): Promise<BalanceChange> {
  if (change.status !== 'APPLIED') return { change, balance: null };
  const now = await loaders.balances.clear(merchantId).load(merchantId);
  return { change, balance: now.find((one) => one.currencyCode === currencyCode) ?? null };
}

/** Proposes a posting, once for each idempotency key. */
const proposeOnce = async (
  context: GraphContext,
  mutation: string,
  posting: Posting,
  key: string | null | undefined,
): Promise<BalanceChange> =>
  await idempotent(
    context,
    { mutation, key, args: { ...posting, amount: posting.amount.toFixed() } },
    async (recordKey) => await proposePosting(context, posting, recordKey),
    async (id) => await answered(context, await findDecided(context, id), posting),
  );

async function proposePosting(context: GraphContext, posting: Posting, recordKey: RecordKey): Promise<BalanceChange> {
  const { kind, merchantId, currencyCode, amount, reason, evidence } = posting;
  const { loaders } = context;
  const merchant = await loaders.merchants.load(merchantId);
  if (!merchant) throw notFound('merchant');
  const decimals = currencyDecimals(currencyCode);
  if (decimals === undefined)
    throw invalidField('currencyCode', `${currencyCode} is not an ISO 4217 currency`, 'UNKNOWN_VALUE');
  if (amount.isZero()) throw invalidField('amount', 'must not be zero', 'OUT_OF_RANGE');
  if (amount.decimalPlaces() > decimals)
    throw invalidField('amount', `must have at most ${decimals} decimal places`, 'OUT_OF_RANGE');
  if (amount.trunc().abs().toFixed().length > LIMITS.amountIntegerDigits)
    throw invalidField('amount', `must have at most ${LIMITS.amountIntegerDigits} integer digits`, 'OUT_OF_RANGE');
  if (!evidence.text?.trim() && !evidence.links?.length)
    throw invalidField('evidence', 'is required for money without a bank record', 'REQUIRED');
  const balance = (await loaders.balances.load(merchantId)).find((one) => one.currencyCode === currencyCode);
  if (!balance) throw businessError('UNKNOWN_VALUE', `the merchant has no balance in ${currencyCode}`);
  const payload: BalancePayload = { merchantId, currencyCode, amount: amount.toFixed() };
  const proposal: Proposal = {
    kind,
    subject: { kind: 'merchant', id: merchantId, name: merchant.merchantCode },
    merchantId,
    summary: `${VERB[kind]} ${merchant.merchantCode} by ${formatMoney(amount)} ${currencyCode}`,
    before: { [`available.${currencyCode}`]: formatMoney(balance.available) },
    after: { [`available.${currencyCode}`]: formatMoney(balance.available.plus(amount)) },
    money: { amount, currencyCode },
    payload,
    reason,
    evidence,
  };
  return await answered(context, await propose(context, proposal, recordKey), posting);
}

@Resolver()
export class BalanceChangeResolver {
  @Authorized('TREASURER')
  @Mutation(() => BalanceChange, {
    description:
      'Proposes to add what a merchant paid in beforehand, elsewhere than on a managed account. Needs evidence.',
  })
  async topUpBalance(
    @Arg('merchantId', () => ID, { description: 'The id of the merchant, a UUID.' })
    merchantId: string,
    @Arg('currencyCode', { description: 'ISO 4217.' }) currencyCode: string,
    @Arg('amount', () => DecimalScalar, { description: 'Greater than zero.' }) amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    idempotencyKey?: string | null,
  ): Promise<BalanceChange> {
    if (!amount.gt(0)) throw invalidField('amount', 'must be greater than 0', 'OUT_OF_RANGE');
    const posting: Posting = {
      kind: 'TOP_UP_BALANCE',
      merchantId,
      currencyCode,
      amount,
      reason,
      evidence,
    };
    return await proposeOnce(context, 'topUpBalance', posting, idempotencyKey);
  }

  @Authorized('TREASURER')
  @Mutation(() => BalanceChange, {
    description:
      'Proposes to correct a balance, up or down; never below zero, now or when it is approved. Needs evidence.',
  })
  async adjustBalance(
    @Arg('merchantId', () => ID, { description: 'The id of the merchant, a UUID.' })
    merchantId: string,
    @Arg('currencyCode', { description: 'ISO 4217.' }) currencyCode: string,
    @Arg('amount', () => DecimalScalar, { description: 'Negative takes away.' }) amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    idempotencyKey?: string | null,
  ): Promise<BalanceChange> {
    const posting: Posting = {
      kind: 'ADJUST_BALANCE',
      merchantId,
      currencyCode,
      amount,
      reason,
      evidence,
    };
    return await proposeOnce(context, 'adjustBalance', posting, idempotencyKey);
  }
}
