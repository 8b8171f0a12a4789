import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { WALLET_CURRENCY, type WalletKind } from '../../domain/channel-deposit';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { checkFeeTerms, type FeeTerms, type PricedOrder, type TierBasis, type TierMode } from '../../domain/fees';
import { currencyDecimals, type Money, ZERO } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/fees/fee-schedules';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import { WalletKindEnum } from '../channels/channel-enums';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { OrderKindEnum } from '../events/order-change';
import { DecimalScalar } from '../scalars';
import { fieldsOfRow, plainTerms, scheduleFields, type SchedulePayload } from '../../steps/fees/fee-effects';
import { FeeSchedule, TierBasisEnum, TierModeEnum } from './fee-schedule';
import { actorName, requireReach } from '../../steps/access/caller';

@InputType({ description: "Other rates from an amount, or from a month's volume, on." })
export class FeeTierInput {
  @Field(() => DecimalScalar, {
    description: 'The least amount, or the least volume of the month, that it is for; above zero.',
  })
  from!: Money;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Percent of the amount, 0 up to 100; zero if null.',
  })
  percent?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'In the currency itself; zero if null, and in slices.',
  })
  fixed?: Money | null;
}

@InputType({ description: 'What orders cost.' })
export class FeeTermsInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Percent of the amount, 0 up to 100, at most four decimal places; zero if null.',
  })
  percent?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Zero or more, in the currency itself; zero if null.',
  })
  fixed?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The least that an order costs; null: no least.',
  })
  minimum?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The most that an order costs; null: no most.',
  })
  maximum?: Money | null;

  @Field(() => [FeeTierInput], {
    nullable: true,
    description: 'Up to 20, rising; none if null.',
  })
  tiers?: FeeTierInput[] | null;

  @Field(() => TierModeEnum, {
    nullable: true,
    description: 'How the tiers apply; WHOLE if null.',
  })
  tierMode?: TierMode | null;

  @Field(() => TierBasisEnum, {
    nullable: true,
    description: 'What selects the tier; AMOUNT if null.',
  })
  tierBy?: TierBasis | null;
}

@InputType({ description: 'A version of a fee schedule, as it is to be.' })
export class FeeScheduleInput extends FeeTermsInput {
  @Field(() => ID, { description: 'Whose orders it prices.' })
  merchantId!: string;

  @Field({ description: 'ISO 4217; a currency of the merchant.' })
  currencyCode!: string;

  @Field(() => OrderKindEnum, { description: 'The orders that it prices.' })
  orderKind!: PricedOrder;

  @Field(() => ID, {
    nullable: true,
    description: 'The deposits of this channel alone; null: all. A withdrawal is priced before it has a channel.',
  })
  channelId?: string | null;

  @Field(() => WalletKindEnum, {
    nullable: true,
    description: 'The deposits of wallets of this kind alone; null: all.',
  })
  walletKind?: WalletKind | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'From when on it prices new orders; null, or a time that has passed by then: as soon as it is approved.',
  })
  effectiveFrom?: Date | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True: there is no schedule from then on, and the currency's fee is charged. False if null.",
  })
  ends?: boolean | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed fee schedule.' })
export class FeeScheduleChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => FeeSchedule, { nullable: true, description: 'Null until the change is applied.' })
  schedule!: db.FeeScheduleRow | null;
}

/** The terms of an input; a part that is not given is zero. @throws INVALID_FIELD for invalid terms */
export function termsOfInput(input: FeeTermsInput, decimals: number): FeeTerms {
  const terms: FeeTerms = {
    percent: input.percent ?? ZERO,
    fixed: input.fixed ?? ZERO,
    minimum: input.minimum ?? null,
    maximum: input.maximum ?? null,
    tierMode: input.tierMode ?? 'WHOLE',
    tierBy: input.tierBy ?? 'AMOUNT',
    tiers: (input.tiers ?? []).map(({ from, percent, fixed }) => ({
      from,
      percent: percent ?? ZERO,
      fixed: fixed ?? ZERO,
    })),
  };
  checkFeeTerms(terms, decimals);
  return terms;
}

/**
 * A text of the orders that a schedule is narrowed to.
 * @throws INVALID_FIELD for orders to which no schedule can be narrowed
 */
async function checkedScope({ loaders }: GraphContext, input: FeeScheduleInput): Promise<string> {
  const { currencyCode, orderKind, channelId, walletKind } = input;
  if (orderKind === 'WITHDRAWAL' && (channelId || walletKind))
    throw invalidField('channelId', 'a withdrawal is priced before it has one', 'NOT_ALLOWED');
  if (channelId && walletKind)
    throw invalidField('walletKind', 'give either a channel or a kind of wallet', 'NOT_ALLOWED');
  if (walletKind && currencyCode !== WALLET_CURRENCY)
    throw invalidField('walletKind', `is of ${WALLET_CURRENCY} alone`, 'NOT_ALLOWED');
  if (!channelId) return walletKind ? ` by ${walletKind}` : '';
  const channel = await loaders.channels.load(channelId);
  if (!channel?.depositCurrencies.includes(currencyCode))
    throw invalidField('channelId', `takes no deposits in ${currencyCode}`, 'UNKNOWN_VALUE');
  return ` through ${channel.channelCode}`;
}

@Resolver()
export class PutFeeScheduleResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => FeeScheduleChange, {
    description:
      'Proposes what orders of a merchant cost: the next version of the schedule for these orders, or its end. Orders that are there keep their fees.',
  })
  async putFeeSchedule(
    @Arg('input', { description: 'The version as it is to be.' }) input: FeeScheduleInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<FeeScheduleChange> {
    const { actor, database, loaders, now } = context;
    const { merchantId, currencyCode, orderKind } = input;
    const merchant = await loaders.merchants.load(merchantId);
    if (!merchant) throw notFound('merchant');
    requireReach(actor, merchantId, 'merchant');
    const currencies = await loaders.currencies.load(merchantId);
    const decimals = currencyDecimals(currencyCode);
    if (decimals === undefined || !currencies.some((one) => one.currencyCode === currencyCode))
      throw businessError('NOT_ENABLED', `the merchant does not use ${currencyCode}`);
    const narrowed = await checkedScope(context, input);
    const effectiveFrom = input.effectiveFrom ?? null;
    if (effectiveFrom !== null && effectiveFrom <= now)
      throw invalidField('effectiveFrom', 'must be still to come, or null', 'OUT_OF_RANGE');
    const payload: SchedulePayload = {
      id: uuidv7(),
      merchantId,
      currencyCode,
      orderKind,
      channelId: input.channelId ?? null,
      walletKind: input.walletKind ?? null,
      effectiveFrom: effectiveFrom?.toISOString() ?? null,
      ends: input.ends ?? false,
      ...plainTerms(termsOfInput(input, decimals)),
      createdBy: actorName(actor),
    };
    const newest = (await db.findFeeSchedules(database, [merchantId])).find(
      (row) =>
        row.currencyCode === currencyCode &&
        row.orderKind === orderKind &&
        row.channelId === payload.channelId &&
        row.walletKind === payload.walletKind,
    );
    if (payload.ends && (newest?.ends ?? true))
      throw businessError('NO_CHANGE', 'there is no schedule for these orders');
    const orders = `${currencyCode} ${orderKind.toLowerCase()}s${narrowed} of ${merchant.merchantCode}`;
    const change = await propose(context, {
      kind: 'PUT_FEE_SCHEDULE',
      subject: { kind: 'merchant', id: merchantId, name: merchant.merchantCode },
      merchantId,
      summary: payload.ends ? `End the fee schedule for ${orders}` : `Price ${orders} by a schedule`,
      before: newest ? fieldsOfRow(newest) : {},
      after: scheduleFields(payload),
      payload,
      reason,
      evidence,
    });
    const schedule = await loaders.feeSchedules.clear(payload.id).load(payload.id);
    return { change, schedule: schedule ?? null };
  }
}
