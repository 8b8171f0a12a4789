import {
  Arg,
  Authorized,
  Ctx,
  Field,
  ID,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import {
  DEPOSIT_CHANNEL_REFUSALS,
  type DepositChannelRefusal,
  depositChannelRefusal,
  planDeposit,
} from '../../domain/channel-deposit';
import { invalidField } from '../../domain/errors';
import { currencyDecimals, type Money, parseAmount } from '../../domain/money';
import {
  isInPool,
  ROUTING_REFUSALS,
  type RoutingRefusal,
  routingRefusal,
} from '../../domain/routing';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';
import type { DepositChannelRow } from '../../db/deposits/channel-deposits';
import { BankAccount } from '../accounts/bank-account';
import { Channel } from '../channels/channel';
import { type GraphContext } from '../context';
import { DecimalScalar, enumOf } from '../scalars';

/** The reason as GraphQL knows it. */
export const RoutingRefusalEnum = enumOf(ROUTING_REFUSALS);
registerEnumType(RoutingRefusalEnum, {
  name: 'RoutingRefusal',
  description: 'Why an account does not take a deposit.',
  valuesConfig: {
    NOT_IN_POOL: { description: 'The merchant does not use it: it is in another pool.' },
    NOT_ACTIVE: { description: 'It is paused or disabled.' },
    OUTAGE: { description: 'An outage of its bank is entered.' },
    AGENT_SILENT: { description: 'Its agent has given no sign of life.' },
    BELOW_MINIMUM: { description: 'The amount is below what it takes.' },
    ABOVE_MAXIMUM: { description: 'The amount is above what it takes.' },
    DAILY_LIMIT: { description: 'It would receive more than it may on one day.' },
    DAILY_COUNT: { description: 'It would receive more bank credits than it may on one day.' },
    MONTHLY_LIMIT: { description: 'It would receive more than it may in one month.' },
    MONTHLY_COUNT: { description: 'It would receive more bank credits than it may in one month.' },
    BALANCE_LIMIT: { description: 'It would hold more than it may.' },
    TOO_MANY_OPEN: { description: 'As many of its deposits are open as may be.' },
    NO_FLOAT_SPACE: { description: 'Every amount near the requested one is given out.' },
    ACCOUNT_CHANGED: { description: 'It changed while the deposit was on its way.' },
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

/** The reason of a channel as GraphQL knows it. */
export const ChannelRoutingRefusalEnum = enumOf(DEPOSIT_CHANNEL_REFUSALS);
registerEnumType(ChannelRoutingRefusalEnum, {
  name: 'ChannelRoutingRefusal',
  description: 'Why a channel does not take a deposit.',
  valuesConfig: {
    DISABLED: { description: 'It is switched off.' },
    OTHER_CURRENCY: { description: 'It takes no deposits in the currency.' },
    OTHER_WALLET: {
      description:
        'It is a wallet that the merchant is not configured with, or the merchant uses a wallet alone.',
    },
    NOT_IN_POOL: { description: 'The merchant does not use it: it is in another pool.' },
    OF_AN_ACCOUNT: { description: 'It reports on a managed account and takes nothing itself.' },
    BELOW_MINIMUM: { description: 'The amount is below what it takes.' },
    ABOVE_MAXIMUM: { description: 'The amount is above what it takes.' },
    NOT_ITS_AMOUNT: { description: 'A mock channel that takes other amounts alone.' },
    DOWN: { description: 'It did not answer its last health check, or says that it is down.' },
    OUTAGE: { description: 'An outage of it is entered.' },
    UNHEALTHY: { description: 'Its orders failed, and no order is tried yet, or another one is.' },
    TRIED_BEFORE: { description: 'It was asked for the same deposit before.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'Whether a channel would take a deposit.' })
export class ChannelRouteOption {
  @Field(() => Channel, { description: 'A channel that takes deposits in the currency.' })
  channel!: ChannelRow;

  @Field(() => ChannelRoutingRefusalEnum, { nullable: true, description: 'Null: it may be asked.' })
  refusal!: DepositChannelRefusal | null;

  @Field({ description: 'It is asked before the managed accounts; else after them.' })
  beforeAccounts!: boolean;
}

/** The amount that a deposit asks for. @throws INVALID_FIELD */
function askedAmount(asked: Money, currencyCode: string): Money {
  const amount = parseAmount(asked.toFixed(), currencyDecimals(currencyCode) ?? 4);
  if ('problem' in amount) throw invalidField('amount', amount.problem);
  return amount;
}

@Resolver()
export class DepositRouteResolver {
  @Authorized('VIEW')
  @Query(() => [ChannelRouteOption], {
    description:
      'Which channels would be asked to take a deposit now, in the order of asking, and then why others would not.',
  })
  async depositChannelRoute(
    @Arg('currencyCode', { description: 'ISO 4217.' }) currencyCode: string,
    @Arg('amount', () => DecimalScalar, { description: 'Greater than 0, such as "1500.00".' })
    asked: Money,
    @Ctx() { depositChannels, loaders }: GraphContext,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Whose pool and wallet count; unless given, of merchants of the default pool.',
    })
    merchantId?: string | null,
  ): Promise<ChannelRouteOption[]> {
    const amount = askedAmount(asked, currencyCode);
    const channels = await depositChannels.of(currencyCode, true);
    const currencies = merchantId ? await loaders.currencies.load(merchantId) : [];
    const currency = currencies.find((one) => one.currencyCode === currencyCode);
    const order = {
      // Of equals, one is drawn for each order: any id shows one of the orders of asking.
      ...{ id: currencyCode, currencyCode, amount, tried: [] },
      walletChannelId: currency?.walletChannelId ?? null,
      poolId: currency?.poolId ?? null,
    };
    const optionOf = (channel: DepositChannelRow): ChannelRouteOption => ({
      channel,
      refusal: depositChannelRefusal(channel, order),
      beforeAccounts: channel.depositsFirst || order.walletChannelId !== null,
    });
    const planned = planDeposit(channels, order);
    return [...planned, ...channels.filter((one) => !planned.includes(one))].map(optionOf);
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
    @Ctx() { routableAccounts, loaders }: GraphContext,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Whose pool counts; unless given, that of merchants of the default pool.',
    })
    merchantId?: string | null,
  ): Promise<{ account: BankAccountRow; refusal: RoutingRefusal | null }[]> {
    const amount = askedAmount(asked, currencyCode);
    const { accounts } = await routableAccounts.of(currencyCode, true);
    const currencies = merchantId ? await loaders.currencies.load(merchantId) : [];
    const poolId = currencies.find((c) => c.currencyCode === currencyCode)?.poolId ?? null;
    return await Promise.all(
      accounts.map(async (account) => {
        const use = await loaders.accountUse.load(account.id);
        const full = (use?.openDeposits ?? 0) >= account.maxOpenDeposits;
        return {
          account,
          refusal: isInPool(account.poolIds, poolId)
            ? (routingRefusal(account, amount) ?? (full ? 'TOO_MANY_OPEN' : null))
            : 'NOT_IN_POOL',
        };
      }),
    );
  }
}
