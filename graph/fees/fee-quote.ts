import { Arg, Authorized, Ctx, Field, ID, InputType, ObjectType, Query, Resolver } from 'type-graphql';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { type FeeTerms, type PricedOrder, termsAt, termsOf, workOutFee } from '../../domain/fees';
import { wordsOfOutcome, wordsOfTerms, wordsOfVolume, wordsOfWorking } from '../../domain/fee-words';
import { currencyDecimals, type Money, ZERO } from '../../domain/money';
import type { ChannelRow } from '../../db/channels/channels';
import { type FeeScheduleRow, findMonthVolume } from '../../db/fees/fee-schedules';
import { findCurrencies, type MerchantCurrency } from '../../db/merchants/merchants';
import type { GraphContext } from '../context';
import { OrderKindEnum } from '../events/order-change';
import { checkedAmount } from '../../steps/postings/checked-amount';
import { DecimalScalar } from '../scalars';
import { FeeSchedule } from './fee-schedule';
import { costOn, type Pricing, pricingOf } from '../../steps/fees/price';
import { FeeTermsInput, termsOfInput } from './put-fee-schedule';
import { requireReach } from '../../steps/access/caller';
import { commissionOf } from '../../steps/fees/fee-quote';

@InputType({ description: 'A hypothetical order, to be priced.' })
export class FeeQuoteInput {
  @Field(() => ID, { description: 'The merchant of the order.' })
  merchantId!: string;

  @Field({ description: 'ISO 4217; a currency of the merchant.' })
  currencyCode!: string;

  @Field(() => OrderKindEnum, { description: 'What it would be.' })
  orderKind!: PricedOrder;

  @Field(() => DecimalScalar, { description: 'What it would be asked for.' })
  amount!: Money;

  @Field(() => ID, {
    nullable: true,
    description: 'The channel that it would go through; null: an account, or one that is not known yet.',
  })
  channelId?: string | null;

  @Field(() => Date, { nullable: true, description: 'When it would be created; null: now.' })
  at?: Date | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The volume before it in the month, if the fee depends on it; null: what is known now of that month.',
  })
  monthVolume?: Money | null;

  @Field(() => FeeTermsInput, {
    nullable: true,
    description: 'Priced by these instead of what is in force.',
  })
  draft?: FeeTermsInput | null;
}

@ObjectType({ simpleResolvers: true, description: 'What an order would cost, and why.' })
export class FeeQuote {
  @Field(() => DecimalScalar, { description: 'What the merchant would pay for it.' })
  fee!: Money;

  @Field(() => DecimalScalar, {
    description: 'How the balance would change: by what is credited of a deposit, by what a withdrawal takes.',
  })
  balanceChange!: Money;

  @Field(() => FeeSchedule, {
    nullable: true,
    description: "The version that prices it; null: a draft, or the currency's fee.",
  })
  schedule!: FeeScheduleRow | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The volume that was completed before it in the month; null where the fee does not depend on that.',
  })
  monthVolume!: Money | null;

  @Field(() => [String], { description: 'Calculation of the fee, a step each.' })
  words!: string[];

  @Field({ description: 'Whether the fee would refuse the order.' })
  refused!: boolean;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What the channel is expected to charge; null without one.',
  })
  estimatedChannelCost!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What a reseller would earn of the fee; null: nobody would.',
  })
  commission!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The fee less what the channel is expected to charge and what a reseller would earn; null without a channel.',
  })
  estimatedProfit!: Money | null;
}

/** The channel that the order would use. @throws INVALID_FIELD for a channel that takes no such order */
async function channelOf(
  { loaders }: GraphContext,
  { channelId, currencyCode, orderKind }: FeeQuoteInput,
): Promise<ChannelRow | null> {
  if (!channelId) return null;
  const channel = await loaders.channels.load(channelId);
  const taken = orderKind === 'DEPOSIT' ? channel?.depositCurrencies : channel?.currencies;
  if (!channel || !taken?.includes(currencyCode))
    throw invalidField('channelId', 'takes no such orders', 'UNKNOWN_VALUE');
  return channel;
}

async function currencyOf(
  { actor, database, now }: GraphContext,
  { merchantId, currencyCode, at }: FeeQuoteInput,
): Promise<MerchantCurrency> {
  requireReach(actor, merchantId, 'merchant');
  const found = await findCurrencies(database, [merchantId], at ?? now);
  const currencies = found.get(merchantId) ?? [];
  if (currencies.length === 0) throw notFound('merchant');
  const currency = currencies.find((one) => one.currencyCode === currencyCode);
  if (!currency) throw businessError('NOT_ENABLED', `the merchant does not use ${currencyCode}`);
  return currency;
}

/** The schedule that prices it: the one in force, or a draft; and the month's volume, if the fee depends on it. */
async function termsOfQuote(
  { database, now }: GraphContext,
  input: FeeQuoteInput,
  currency: MerchantCurrency,
  way: ChannelRow | null,
): Promise<{ rates: FeeTerms; schedule: Pricing['schedule']; monthVolume: Money | null }> {
  const decimals = currencyDecimals(input.currencyCode) ?? 0;
  const { schedule, terms } = pricingOf(currency, input.orderKind, way);
  const inForce = schedule ?? termsOf(terms);
  const rates = input.draft ? termsOfInput(input.draft, decimals) : inForce;
  const known = { rates, schedule: input.draft ? null : schedule };
  if (rates.tierBy === 'AMOUNT') return { ...known, monthVolume: null };
  const given = input.monthVolume;
  if (given?.isNegative()) throw invalidField('monthVolume', 'must be 0 or more', 'OUT_OF_RANGE');
  return {
    ...known,
    monthVolume: given ?? (await findMonthVolume(database, input, input.at ?? now)),
  };
}

@Resolver()
export class FeeQuoteResolver {
  @Authorized('VIEW')
  @Query(() => FeeQuote, {
    description: 'What an order would cost, by the schedules in force or by a draft, in words too.',
  })
  async feeQuote(
    @Arg('input', { description: 'The hypothetical order.' }) input: FeeQuoteInput,
    @Ctx() context: GraphContext,
  ): Promise<FeeQuote> {
    const { currencyCode, orderKind } = input;
    const amount = checkedAmount(input.amount, currencyCode);
    const decimals = currencyDecimals(currencyCode) ?? 0;
    const currency = await currencyOf(context, input);
    const channel = await channelOf(context, input);
    // A withdrawal is priced before it has a channel.
    const way = orderKind === 'DEPOSIT' ? channel : null;
    const { rates, schedule, monthVolume } = await termsOfQuote(context, input, currency, way);
    const working = workOutFee(amount, termsAt(monthVolume ?? ZERO, rates), decimals);
    const { fee } = working;
    const cost = channel && costOn(amount, orderKind, channel, decimals);
    const commission = await commissionOf(context, currency.commissionRates[orderKind], fee);
    const by = input.draft
      ? 'the draft'
      : schedule
        ? `version ${schedule.version} of the schedule`
        : "the currency's fee";
    const row = schedule && (await context.loaders.feeSchedules.load(schedule.id));
    return {
      fee,
      balanceChange: orderKind === 'DEPOSIT' ? amount.minus(fee) : amount.plus(fee).negated(),
      schedule: row ?? null,
      monthVolume,
      words: [
        `priced by ${by}: ${wordsOfTerms(rates, decimals)}`,
        ...(monthVolume ? [wordsOfVolume(monthVolume, decimals)] : []),
        ...wordsOfWorking(working, decimals),
        wordsOfOutcome(orderKind, amount, fee, decimals),
      ],
      refused: orderKind === 'DEPOSIT' && fee.gte(amount),
      estimatedChannelCost: cost,
      commission,
      estimatedProfit: cost && fee.minus(cost).minus(commission ?? ZERO),
    };
  }
}
