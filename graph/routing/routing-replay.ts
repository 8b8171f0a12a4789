import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { invalidField } from '../../domain/errors';
import { currencyDecimals, type Money } from '../../domain/money';
import { type ReplayResult } from '../../domain/replay-result';
import type { RoutedKind, RuleSet } from '../../domain/routing-rules';
import { dayAfter, dayOf, isDay, startOfDay } from '../../domain/zone';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';
import type { DepositView } from '../../db/deposits/deposits';
import type { WithdrawalView } from '../../db/withdrawals/withdrawals';
import { BankAccount } from '../accounts/bank-account';
import { Channel } from '../channels/channel';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { DecimalScalar } from '../scalars';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { checkedZone } from '../../steps/zone';
import { RoutingRuleInput, rulesOfInput } from './rule-input';
import {
  type DayReplay,
  type ReplayDeps,
  type ReplayedDay,
  replayDeposits,
} from '../../steps/routing/replay';
import { replayPayouts } from '../../steps/routing/replay-payouts';
import { RoutedKindEnum } from './routing-rules';

/** The deadline of a root field is 16 s; the rest is for the reads before and after. */
const REPLAY_WITHIN_MS = 10_000;

@InputType({ description: 'A day of deposits or payouts to be replayed.' })
export class RoutingReplayInput {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => RoutedKindEnum, {
    nullable: true,
    description:
      'Deposits unless given. Of payouts, the withdrawals that were created on the day and for which a way was looked for.',
  })
  orderKind?: RoutedKind | null;

  @Field(() => String, {
    nullable: true,
    description: 'The day, YYYY-MM-DD, of the time zone; yesterday unless given.',
  })
  day?: string | null;

  @Field(() => String, { nullable: true, description: 'Such as Asia/Bangkok; UTC unless given.' })
  timeZone?: string | null;

  @Field(() => [RoutingRuleInput], {
    nullable: true,
    description:
      'Replayed by these; unless given, by the rules that were in force when each was routed, which shows what has changed since.',
  })
  draft?: RoutingRuleInput[] | null;
}

@ObjectType({ simpleResolvers: true, description: 'What took orders, and would take them.' })
export class ReplayedShare {
  @Field(() => BankAccount, { nullable: true, description: 'The account; null: a channel.' })
  account!: BankAccountRow | null;

  @Field(() => Channel, { nullable: true, description: 'The channel; null: an account.' })
  channel!: ChannelRow | null;

  @Field(() => Int, { description: 'Orders that went there.' })
  before!: number;

  @Field(() => Int, { description: 'Orders that would have gone there.' })
  after!: number;
}

@ObjectType({ simpleResolvers: true, description: 'An order that would have gone elsewhere.' })
export class MovedDeposit {
  @Field(() => ID, { description: 'Of the order, a UUID.' })
  orderId!: string;

  @Field({ description: 'From where to where, in words.' })
  words!: string;
}

@Resolver(() => MovedDeposit)
export class MovedDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => DepositOrder, {
    nullable: true,
    description: 'The deposit as it is now; null: it is a withdrawal.',
  })
  async deposit(
    @Root() { orderId }: MovedDeposit,
    @Ctx() { loaders }: GraphContext,
  ): Promise<DepositView | undefined> {
    return await loaders.deposits.load(orderId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => WithdrawalOrder, {
    nullable: true,
    description: 'The withdrawal as it is now; null: it is a deposit.',
  })
  async withdrawal(
    @Root() { orderId }: MovedDeposit,
    @Ctx() { loaders }: GraphContext,
  ): Promise<WithdrawalView | undefined> {
    return await loaders.withdrawals.load(orderId);
  }
}

@ObjectType({
  simpleResolvers: true,
  description: 'Where the orders of a past day would have gone by other rules.',
})
export class RoutingReplay {
  @Field({ description: 'When the day began.' })
  from!: Date;

  @Field({ description: 'When it ended; not included.' })
  to!: Date;

  @Field(() => Int, { description: 'Orders that were replayed.' })
  orders!: number;

  @Field(() => Int, {
    description: 'Orders of the day; where time was up, the last of them were not replayed.',
  })
  ofOrders!: number;

  @Field(() => Int, { description: 'Of these, those that would have gone elsewhere.' })
  moved!: number;

  @Field(() => Int, {
    description:
      'Of these, those that nothing would have taken; of payouts, no channel, so that people transfer them.',
  })
  refused!: number;

  @Field(() => DecimalScalar, { description: 'What they cost, by the costs that are set now.' })
  costBefore!: Money;

  @Field(() => DecimalScalar, { description: 'What they would have cost.' })
  costAfter!: Money;

  @Field(() => DecimalScalar, { description: 'What would have been saved; below zero: lost.' })
  saved!: Money;

  @Field(() => [ReplayedShare], { description: 'By account and channel, what took most first.' })
  shares!: ReplayedShare[];

  @Field(() => [MovedDeposit], {
    description: 'The first that would have gone elsewhere, at most 20.',
  })
  examples!: MovedDeposit[];

  @Field({ description: 'All of it in one line.' })
  words!: string;
}

/** A replay in one line. */
export function wordsOfReplay(
  { result, ofOrders }: DayReplay,
  orderKind: RoutedKind,
  currencyCode: string,
): string {
  const { orders, moved, refused, saved, costBefore, costAfter } = result;
  const decimals = currencyDecimals(currencyCode) ?? 0;
  const money = (amount: Money): string => `${amount.toFixed(decimals)} ${currencyCode}`;
  const part = orders < ofOrders ? ` of ${ofOrders}` : '';
  return [
    orderKind === 'DEPOSIT'
      ? `${orders}${part} deposits: ${moved} moved, ${refused} refused`
      : `${orders}${part} payouts: ${moved} moved, ${refused} to people`,
    `cost ${money(costAfter)} instead of ${money(costBefore)}, saved ${money(saved)}`,
  ].join('; ');
}

/** The span of a past day. @throws INVALID_FIELD */
export async function dayOfReplay(
  context: GraphContext,
  { day, timeZone }: Pick<RoutingReplayInput, 'day' | 'timeZone'>,
): Promise<{ from: Date; to: Date }> {
  const zone = await checkedZone(context, timeZone ?? 'UTC');
  const today = dayOf(zone, context.now);
  const yesterday = dayOf(zone, new Date(startOfDay(zone, today).getTime() - 1));
  const chosen = day ?? yesterday;
  if (!isDay(chosen) || chosen > today)
    throw invalidField('day', 'must be a day, YYYY-MM-DD, that is not to come', 'OUT_OF_RANGE');
  return { from: startOfDay(zone, chosen), to: startOfDay(zone, dayAfter(chosen)) };
}

/** The name of an account or channel. */
async function naming({ loaders }: GraphContext, ids: readonly string[], nowhere: string) {
  const found = await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const account = (await loaders.bankAccounts.load(id)) ?? null;
      const channel = account ? null : ((await loaders.channels.load(id)) ?? null);
      return [id, { account, channel }] as const;
    }),
  );
  const known = new Map(found);
  const parts = (id: string) => known.get(id) ?? { account: null, channel: null };
  const name = (id: string | null): string => {
    if (id === null) return nowhere;
    const { account, channel } = parts(id);
    return account?.name ?? channel?.channelCode ?? id;
  };
  return { parts, name };
}

async function shownResult(context: GraphContext, orderKind: RoutedKind, result: ReplayResult) {
  const { shares, examples } = result;
  const ids = [
    ...shares.map(({ id }) => id),
    ...examples.flatMap(({ from, to }) => [from, to].filter((id) => id !== null)),
  ];
  const { parts, name } = await naming(
    context,
    ids,
    orderKind === 'DEPOSIT' ? 'nothing' : 'people',
  );
  return {
    shares: shares.map(({ id, before, after }) => ({ ...parts(id), before, after })),
    examples: examples.map(({ orderId, from, to, rule }) => ({
      orderId,
      words: `from ${name(from)} to ${name(to)}${rule === null ? '' : ` by ${rule}`}`,
    })),
  };
}

/** Replays a day of orders of a kind, within the time of a request. */
export const replayOrders = async (
  deps: ReplayDeps,
  orderKind: RoutedKind,
  day: ReplayedDay,
): Promise<DayReplay> =>
  orderKind === 'DEPOSIT'
    ? await replayDeposits(deps, day, REPLAY_WITHIN_MS)
    : await replayPayouts(deps, day, REPLAY_WITHIN_MS);

@Resolver()
export class RoutingReplayResolver {
  @Authorized('VIEW')
  @Query(() => RoutingReplay, {
    description:
      'Where the deposits or payouts of a past day would have gone by a draft of rules. Limits, what payers completed and the health that orders met are carried through the day.',
  })
  async routingReplay(
    @Arg('input', { description: 'The day, and the draft.' }) input: RoutingReplayInput,
    @Ctx() context: GraphContext,
  ): Promise<RoutingReplay> {
    const { currencyCode } = input;
    const orderKind = input.orderKind ?? 'DEPOSIT';
    const draft: RuleSet | null = input.draft
      ? {
          ...{ id: null, version: null },
          rules: await rulesOfInput(context, { currencyCode, orderKind, rules: input.draft }),
        }
      : null;
    const time = await dayOfReplay(context, input);
    const replay = await replayOrders(context, orderKind, { currencyCode, draft, ...time });
    const { orders, moved, refused, costBefore, costAfter, saved } = replay.result;
    return {
      ...time,
      ...{ orders, moved, refused, costBefore, costAfter, saved, ofOrders: replay.ofOrders },
      ...(await shownResult(context, orderKind, replay.result)),
      words: wordsOfReplay(replay, orderKind, currencyCode),
    };
  }
}
