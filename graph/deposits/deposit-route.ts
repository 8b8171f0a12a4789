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
import { invalidField } from '../../domain/errors';
import { currencyDecimals, type Money, parseAmount } from '../../domain/money';
import {
  isInPool,
  ROUTING_REFUSALS,
  type RoutingRefusal,
  routingRefusal,
} from '../../domain/routing';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import { BankAccount } from '../accounts/bank-account';
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
    BELOW_MINIMUM: { description: 'The amount is below what it takes.' },
    ABOVE_MAXIMUM: { description: 'The amount is above what it takes.' },
    DAILY_LIMIT: { description: 'It would go beyond what its deposits of the day may add up to.' },
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

@Resolver()
export class DepositRouteResolver {
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
    const amount = parseAmount(asked.toFixed(), currencyDecimals(currencyCode) ?? 4);
    if ('problem' in amount) throw invalidField('amount', amount.problem);
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
