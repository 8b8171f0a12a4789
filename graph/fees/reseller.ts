import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { RESELLER_NAME_LENGTH } from '../../domain/commission';
import { invalidField } from '../../domain/errors';
import type { Money } from '../../domain/money';
import * as db from '../../db/fees/commissions';
import type { OperatorPostingRow } from '../../db/ledger/operator-postings';
import { ActorInfo, actorInfoOf } from '../actor-info';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { operatorAction } from '../../steps/operators/operator-action';
import { OperatorPosting } from '../postings/operator-posting';
import { DecimalScalar } from '../scalars';
import { actorName } from '../../steps/access/caller';

@ObjectType({
  simpleResolvers: true,
  description: 'What a reseller has in one currency, by the ledger.',
})
export class ResellerSums {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, { description: 'All that it ever earned.' })
  earned!: Money;

  @Field(() => DecimalScalar, { description: 'What of that was taken back with its fees.' })
  reversed!: Money;

  @Field(() => DecimalScalar, { description: 'What it was paid.' })
  paid!: Money;

  @Field(() => DecimalScalar, {
    description: 'What is left to be paid; negative where a commission was taken back after it was paid.',
  })
  owed!: Money;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A reseller, who brought merchants and earns a share of their fees.',
})
export class Reseller {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'Its unique name.' })
  name!: string;

  @Field({ description: 'When it was entered.' })
  createdAt!: Date;
}

@Resolver(() => Reseller)
export class ResellerResolver {
  @Authorized('VIEW')
  @Query(() => [Reseller], { description: 'All resellers, by name.' })
  async resellers(@Ctx() { database }: GraphContext): Promise<readonly db.ResellerRow[]> {
    return await db.findResellers(database);
  }

  @Authorized('VIEW')
  @Query(() => Reseller, { nullable: true, description: 'One reseller; null: there is none.' })
  async reseller(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.ResellerRow | undefined> {
    return await loaders.resellers.load(id);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => Reseller, {
    description: 'Enters somebody who brings merchants. It earns nothing until a commission rate is approved.',
  })
  async createReseller(
    @Arg('name', { description: 'Its unique name.' }) name: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.ResellerRow> {
    const { actor, now } = context;
    const known = name.trim();
    if (known === '' || known.length > RESELLER_NAME_LENGTH)
      throw invalidField('name', `must have 1-${RESELLER_NAME_LENGTH} characters`, 'OUT_OF_RANGE');
    const reseller = { id: uuidv7(), name: known, createdBy: actorName(actor), createdAt: now };
    const action = { action: 'createReseller', subject: `reseller:${reseller.id}`, reason };
    await operatorAction(context, { ...action, detail: { name: known } }, async (tx) => {
      await db.insertReseller(tx, reseller);
    });
    return reseller;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [ResellerSums], {
    description: 'What it has earned, was paid and is owed, by currency.',
  })
  async sums(@Root() { id }: db.ResellerRow, @Ctx() { loaders }: GraphContext): Promise<readonly db.ResellerSums[]> {
    return await loaders.resellerSums.load(id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who entered it.' })
  createdBy(@Root() { createdBy }: db.ResellerRow): ActorInfo {
    return actorInfoOf(createdBy);
  }
}

@Resolver(() => OperatorPosting)
export class ResellerOfPostingResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Reseller, {
    nullable: true,
    description: 'Whose commissions were paid; null of other postings.',
  })
  async reseller(
    @Root() { resellerId }: OperatorPostingRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.ResellerRow | undefined> {
    return resellerId === null ? undefined : await loaders.resellers.load(resellerId);
  }
}
