import { Authorized, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { Money } from '../domain/money';
import { trialBalance } from '../db/ledger';
import { merchantOf } from './authorization';
import { type GraphContext } from './context';
import { DecimalScalar } from './scalars';

@ObjectType({ simpleResolvers: true, description: "A merchant's money in one currency." })
export class Balance {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  merchantId!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, { description: 'Free to be paid out.' })
  available!: Money;

  @Field(() => DecimalScalar, { description: 'Held for orders under way.' })
  frozen!: Money;

  @Field(() => DecimalScalar, { description: 'available + frozen.' })
  total!: Money;

  @Field(() => Int, { description: 'Rises with each posting.' })
  version!: number;

  @Field()
  createdAt!: Date;

  @Field()
  updatedAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: 'What one account of the chart holds. Credits are positive, debits negative.',
})
export class AccountBalance {
  @Field({ description: 'Such as `suspense` or `merchant:{id}:available`; see docs/ledger.md.' })
  account!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar)
  balance!: Money;
}

@Resolver()
export class BalanceResolver {
  @Authorized('MERCHANT')
  @Query(() => [Balance], { description: "The merchant's own balances, by currency." })
  async merchantBalances(@Ctx() { actor, loaders }: GraphContext): Promise<readonly Balance[]> {
    return await loaders.balances.load(merchantOf(actor).id);
  }

  @Authorized('VIEW')
  @Query(() => [AccountBalance], {
    description: 'Every account of the ledger with what it holds; per currency the sum is zero.',
  })
  async trialBalance(@Ctx() { database }: GraphContext): Promise<AccountBalance[]> {
    return await trialBalance(database);
  }
}
