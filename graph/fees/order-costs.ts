import { Authorized, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { formatMoney, type Money, ZERO } from '../../domain/money';
import type { OrderCostsRow } from '../../db/fees/account-costs';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { DecimalScalar } from '../scalars';
import { WithdrawalOrder } from '../withdrawals/withdrawal';

@ObjectType({
  simpleResolvers: true,
  description:
    'What an order costs us, and what is left of its fee: expected while it is open, known once it is completed. In its currency.',
})
export class OrderCosts {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: "The channel's charge; null without a channel.",
  })
  channel!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "What the bank of its managed account charges, by the account's costs; null where nobody has said.",
  })
  bank!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'What a reseller has of its fee, less what was taken back with it; null where nobody has a share.',
  })
  commission!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The fee less these; null where neither the channel’s nor the bank’s charge is known.',
  })
  profit!: Money | null;
}

/** The profit of a fee; null if none of our costs is known. */
export function profitOf(fee: Money, costs: OrderCostsRow | undefined): Money | null {
  if (!costs || (costs.channelCost === null && costs.bankCost === null)) return null;
  return fee
    .minus(costs.channelCost ?? ZERO)
    .minus(costs.bankCost ?? ZERO)
    .minus(costs.commission ?? ZERO);
}

/** The columns of an order's costs in an export: of completed orders, empty if not known. */
export function shownCosts(
  fee: Money,
  costs: OrderCostsRow | undefined,
): Readonly<Record<string, string | undefined>> {
  const shown = (amount: Money | null | undefined): string | undefined =>
    amount ? formatMoney(amount) : undefined;
  return {
    channelCost: shown(costs?.channelCost),
    bankCost: shown(costs?.bankCost),
    commission: shown(costs?.commission),
    profit: shown(profitOf(fee, costs)),
  };
}

interface Priced {
  readonly id: string;
  readonly fee: Money;
}

async function costsOf(
  { id, fee }: Priced,
  { loaders }: GraphContext,
): Promise<OrderCosts | undefined> {
  const row = await loaders.orderCosts.load(id);
  return (
    row && {
      ...{ channel: row.channelCost, bank: row.bankCost, commission: row.commission },
      profit: profitOf(fee, row),
    }
  );
}

const DESCRIPTION = 'What it costs us; null where it ended otherwise than completed.';

@Resolver(() => DepositOrder)
export class CostsOfDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => OrderCosts, { nullable: true, description: DESCRIPTION })
  async costs(
    @Root() order: Priced,
    @Ctx() context: GraphContext,
  ): Promise<OrderCosts | undefined> {
    return await costsOf(order, context);
  }
}

@Resolver(() => WithdrawalOrder)
export class CostsOfWithdrawalResolver {
  @Authorized('VIEW')
  @FieldResolver(() => OrderCosts, { nullable: true, description: DESCRIPTION })
  async costs(
    @Root() order: Priced,
    @Ctx() context: GraphContext,
  ): Promise<OrderCosts | undefined> {
    return await costsOf(order, context);
  }
}
