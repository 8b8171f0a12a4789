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
import type { Money } from '../../domain/money';
import type { RoutedKind, RuleSet } from '../../domain/routing-rules';
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
import { RoutingRuleInput, rulesOfInput } from './rule-input';
import { RoutedKindEnum } from './routing-rules';
import { dayOfReplay, replayOrders, shownResult, wordsOfReplay } from '../../steps/routing/routing-replay';

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
  async deposit(@Root() { orderId }: MovedDeposit, @Ctx() { loaders }: GraphContext): Promise<DepositView | undefined> {
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
    description: 'Of these, those that nothing would have taken; of payouts, no channel, so that people transfer them.',
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
          id: null,
          version: null,
          rules: await rulesOfInput(context, { currencyCode, orderKind, rules: input.draft }),
        }
      : null;
    const time = await dayOfReplay(context, input);
    const replay = await replayOrders(context, orderKind, { currencyCode, draft, ...time });
    const { orders, moved, refused, costBefore, costAfter, saved } = replay.result;
    return {
      ...time,
      orders,
      moved,
      refused,
      costBefore,
      costAfter,
      saved,
      ofOrders: replay.ofOrders,
      ...(await shownResult(context, orderKind, replay.result)),
      words: wordsOfReplay(replay, orderKind, currencyCode),
    };
  }
}
