import { Arg, Authorized, Ctx, Field, ID, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import { DEPOSIT_CHANNEL_REFUSALS, type DepositChannelRefusal } from '../../domain/channel-deposit';
import type { Money } from '../../domain/money';
import { ROUTING_REFUSALS, type RoutingRefusal } from '../../domain/routing';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';
import type { DepositChannelRow } from '../../db/deposits/channel-deposits';
import { BankAccount } from '../accounts/bank-account';
import { Channel } from '../channels/channel';
import { type GraphContext } from '../context';
import { dryRun, plainDeposit, reasonsOf } from '../../steps/routing/dry-run';
import { DecimalScalar, enumOf } from '../scalars';
import { askedAmount, refusalOf } from '../../steps/deposits/deposit-route';

export const RoutingRefusalEnum = enumOf(ROUTING_REFUSALS);
registerEnumType(RoutingRefusalEnum, {
  name: 'RoutingRefusal',
  description: 'Why an account does not take a deposit.',
  valuesConfig: {
    NOT_IN_POOL: { description: 'The merchant does not use it: it is in another pool.' },
    NOT_ACTIVE: { description: 'It is paused or disabled.' },
    OUTAGE: { description: 'An outage of its bank is entered.' },
    AGENT_SILENT: { description: 'Its agent has sent no heartbeat.' },
    BELOW_MINIMUM: { description: 'The amount is below what it takes.' },
    ABOVE_MAXIMUM: { description: 'The amount is above what it takes.' },
    DAILY_LIMIT: { description: 'It would receive more than it may on one day.' },
    DAILY_COUNT: { description: 'It would receive more bank credits than it may on one day.' },
    MONTHLY_LIMIT: { description: 'It would receive more than it may in one month.' },
    MONTHLY_COUNT: { description: 'It would receive more bank credits than it may in one month.' },
    BALANCE_LIMIT: { description: 'It would exceed the balance that it may hold.' },
    TOO_MANY_OPEN: { description: 'It has its maximum of open deposits.' },
    NO_FLOAT_SPACE: { description: 'Every amount near the requested one is assigned.' },
    NOT_IN_RULE: { description: 'The routing rule for the deposit does not name it.' },
    ACCOUNT_CHANGED: { description: 'It changed while the deposit was being accepted.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'Whether an account would take a deposit.' })
export class RouteOption {
  @Field(() => BankAccount, { description: 'A managed account in the currency.' })
  account!: BankAccount;

  @Field(() => RoutingRefusalEnum, {
    nullable: true,
    description: 'Null: it may be chosen. Float space is only known once it is asked.',
  })
  refusal!: RoutingRefusal | null;
}

export const ChannelRoutingRefusalEnum = enumOf(DEPOSIT_CHANNEL_REFUSALS);
registerEnumType(ChannelRoutingRefusalEnum, {
  name: 'ChannelRoutingRefusal',
  description: 'Why a channel does not take a deposit.',
  valuesConfig: {
    DISABLED: { description: 'It is disabled.' },
    OTHER_CURRENCY: { description: 'It takes no deposits in the currency.' },
    OTHER_WALLET: {
      description: 'It is a wallet that the merchant does not use, or the merchant uses only a wallet.',
    },
    NOT_IN_POOL: { description: 'The merchant does not use it: it is in another pool.' },
    OF_AN_ACCOUNT: { description: 'It only reports on a managed account.' },
    BELOW_MINIMUM: { description: 'The amount is below what it takes.' },
    ABOVE_MAXIMUM: { description: 'The amount is above what it takes.' },
    DAILY_LIMIT: { description: 'It would receive more in the currency than it may on one day.' },
    DAILY_COUNT: { description: 'It would receive more payments than it may on one day.' },
    MONTHLY_LIMIT: {
      description: 'It would receive more in the currency than it may in one month.',
    },
    MONTHLY_COUNT: { description: 'It would receive more payments than it may in one month.' },
    NOT_ITS_AMOUNT: { description: 'A mock channel that accepts only other amounts.' },
    DOWN: { description: 'It did not answer its last health check, or says that it is down.' },
    OUTAGE: { description: 'An outage of it is entered.' },
    UNHEALTHY: {
      description: 'Its breaker is open: no order is tried yet, or another one is on trial.',
    },
    NOT_IN_RULE: { description: 'The routing rule for the deposit does not name it.' },
    TRIED_BEFORE: { description: 'It was tried for the same deposit before.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'Whether a channel would take a deposit.' })
export class ChannelRouteOption {
  @Field(() => Channel, { description: 'A channel that takes deposits in the currency.' })
  channel!: ChannelRow;

  @Field(() => ChannelRoutingRefusalEnum, { nullable: true, description: 'Null: it may be asked.' })
  refusal!: DepositChannelRefusal | null;

  @Field({ description: 'It is tried before the managed accounts; else after them.' })
  beforeAccounts!: boolean;
}

@Resolver()
export class DepositRouteResolver {
  @Authorized('VIEW')
  @Query(() => [ChannelRouteOption], {
    description: 'Which channels would be tried for a deposit now, in this order, and then why others would not.',
  })
  async depositChannelRoute(
    @Arg('currencyCode', { description: 'ISO 4217.' }) currencyCode: string,
    @Arg('amount', () => DecimalScalar, { description: 'Greater than 0, such as "1500.00".' })
    asked: Money,
    @Ctx() context: GraphContext,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Whose pool and wallet count; unless given, of merchants of the default pool.',
    })
    merchantId?: string | null,
  ): Promise<ChannelRouteOption[]> {
    const amount = askedAmount(asked, currencyCode);
    const run = await dryRun(context, plainDeposit(context, currencyCode, amount, merchantId ?? null));
    const { plan, channels, found, walletChannelId } = run;
    const reasons = reasonsOf(run);
    const planned = plan.ways.flatMap(({ candidate }) => (candidate.kind === 'CHANNEL' ? [candidate.channel] : []));
    const accountsFrom = plan.ways.findIndex(({ candidate }) => candidate.kind === 'ACCOUNT');
    const comesFirst = (channel: DepositChannelRow): boolean =>
      found === null
        ? channel.depositsFirst || walletChannelId !== null
        : accountsFrom < 0 || plan.ways.findIndex(({ candidate }) => candidate.id === channel.id) < accountsFrom;
    return [...planned, ...channels.filter((one) => !planned.includes(one))].map((channel) => ({
      channel,
      refusal: refusalOf(reasons, channel.id) as DepositChannelRefusal | null,
      beforeAccounts: comesFirst(channel),
    }));
  }

  @Authorized('VIEW')
  @Query(() => [RouteOption], {
    description:
      'Which accounts would take a deposit now, and why others would not. Each that may be chosen is chosen equally often.',
  })
  async depositRoute(
    @Arg('currencyCode', { description: 'ISO 4217.' }) currencyCode: string,
    @Arg('amount', () => DecimalScalar, { description: 'Greater than 0, such as "1500.00".' })
    asked: Money,
    @Ctx() context: GraphContext,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Whose pool counts; unless given, that of merchants of the default pool.',
    })
    merchantId?: string | null,
  ): Promise<{ account: BankAccountRow; refusal: RoutingRefusal | null }[]> {
    const amount = askedAmount(asked, currencyCode);
    const run = await dryRun(context, plainDeposit(context, currencyCode, amount, merchantId ?? null));
    const reasons = reasonsOf(run);
    // A merchant with a wallet uses no account.
    const ofWallet = run.walletChannelId !== null;
    return run.accounts.map((account) => ({
      account,
      refusal: ofWallet ? 'NOT_IN_POOL' : (refusalOf(reasons, account.id) as RoutingRefusal | null),
    }));
  }
}
