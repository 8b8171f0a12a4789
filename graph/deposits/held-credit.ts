import { Authorized, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { type Money, ZERO } from '../../domain/money';
import type { HeldCreditRow } from '../../db/deposits/holds';
import type { GraphContext } from '../context';
import { Balance } from '../ledger/balance';
import { DecimalScalar } from '../scalars';
import { DepositOrder } from './deposit';

@ObjectType({
  simpleResolvers: true,
  description: "The credit of a deposit, frozen until the merchant's hold days are over.",
})
export class HeldCredit {
  @Field(() => DecimalScalar, {
    description: 'What was put on hold, in the currency of the deposit, four decimal places.',
  })
  amount!: Money;

  @Field({ description: 'When the deposit was credited on hold.' })
  heldAt!: Date;

  @Field({ description: 'The midnight of its merchant’s time zone from which on it is available.' })
  releaseAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it became available.' })
  releasedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When its deposit was recalled.' })
  recalledAt!: Date | null;
}

@Resolver(() => DepositOrder)
export class HeldDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => HeldCredit, {
    nullable: true,
    description: 'Its held credit, present or past; null if it was never held.',
  })
  async held(@Root() { id }: DepositOrder, @Ctx() { loaders }: GraphContext): Promise<HeldCreditRow | undefined> {
    return await loaders.heldOfDeposit.load(id);
  }
}

@Resolver(() => Balance)
export class HeldBalanceResolver {
  @Authorized('VIEW')
  @FieldResolver(() => DecimalScalar, {
    description: 'The part of the frozen money that is held credits.',
  })
  async held(@Root() { id }: Balance, @Ctx() { loaders }: GraphContext): Promise<Money> {
    return (await loaders.heldOfBalance.load(id))?.held ?? ZERO;
  }

  @Authorized('VIEW')
  @FieldResolver(() => Date, {
    nullable: true,
    description: 'When the next held credit becomes available; null if there is none.',
  })
  async nextReleaseAt(@Root() { id }: Balance, @Ctx() { loaders }: GraphContext): Promise<Date | null> {
    return (await loaders.heldOfBalance.load(id))?.nextReleaseAt ?? null;
  }
}
