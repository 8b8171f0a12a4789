import { Authorized, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Money } from '../../domain/money';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { DecimalScalar } from '../scalars';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { type Priced, profitOf } from '../../steps/fees/order-costs';

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
    description: "What the bank of its managed account charges, by the account's costs; null where nobody has said.",
  })
  bank!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What a reseller has of its fee, less what was taken back with it; null where nobody has a share.',
  })
  commission!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The fee less these; null where neither the channel’s nor the bank’s charge is known.',
  })
  profit!: Money | null;
}

async function costsOf({ id, fee }: Priced, { loaders }: GraphContext): Promise<OrderCosts | undefined> {
  const row = await loaders.orderCosts.load(id);
  return (
    row && {
      channel: row.channelCost,
      bank: row.bankCost,
      commission: row.commission,
      profit: profitOf(fee, row),
    }
  );
}

const DESCRIPTION = 'What it costs us; null where it ended otherwise than completed.';

@Resolver(() => DepositOrder)
export class CostsOfDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => OrderCosts, { nullable: true, description: DESCRIPTION })
  async costs(@Root() order: Priced, @Ctx() context: GraphContext): Promise<OrderCosts | undefined> {
    return await costsOf(order, context);
  }
}

@Resolver(() => WithdrawalOrder)
export class CostsOfWithdrawalResolver {
  @Authorized('VIEW')
  @FieldResolver(() => OrderCosts, { nullable: true, description: DESCRIPTION })
  async costs(@Root() order: Priced, @Ctx() context: GraphContext): Promise<OrderCosts | undefined> {
    return await costsOf(order, context);
  }
}
