import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { businessError, notFound } from '../../domain/errors';
import { receiptOf } from '../../domain/sealed-for';
import type { DepositView } from '../../db/deposits/deposits';
import * as db from '../../db/cashier/payment-claims';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { FILE_COST } from '../kept-file';
import { operatorAction } from '../../steps/operators/operator-action';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { REASON } from '../descriptions';
import { operatorOf, requireReach } from '../../steps/access/caller';

@ObjectType({
  simpleResolvers: true,
  description:
    "A payer's claim that an order is paid. It ranks candidates for unmatched bank credits, and credits nothing.",
})
export class PaymentClaim {
  @Field(() => ID, { description: 'A UUID, as `closePaymentClaim` takes it.' })
  id!: string;

  @Field(() => ID, { description: 'The id of the deposit that the payer says is paid, a UUID.' })
  depositId!: string;

  @Field(() => ID, { description: 'The id of the merchant of the deposit, a UUID.' })
  merchantId!: string;

  @Field({ description: "The bank's reference, as the payer gave it." })
  reference!: string;

  @Field(() => String, {
    nullable: true,
    description: 'image/png, image/jpeg or image/webp, by its first bytes; null without a picture.',
  })
  receiptType!: string | null;

  @Field({ description: 'When it was first said.' })
  at!: Date;

  @Field(() => Date, { nullable: true, description: 'When an operator closed it.' })
  closedAt!: Date | null;
}

@InputType({ description: 'Filter of claims. All given conditions must hold.' })
export class PaymentClaimFilter implements db.PaymentClaimFilter {
  @Field(() => Boolean, {
    nullable: true,
    description: 'True: those that wait for an operator, their orders not paid. False: the others.',
  })
  open?: boolean | null;

  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;
}

export const PaymentClaimListResolver = listResolver('paymentClaims', {
  description: 'Claims of payers to have paid, the oldest first by default.',
  connection: connectionOf(PaymentClaim, 'PaymentClaim'),
  sort: sortEnum('PaymentClaimSort', { AT: 'By their age' }),
  defaultSort: 'AT_ASC',
  filter: PaymentClaimFilter,
  sorts: db.CLAIM_SORTS,
  id: BY_ID,
  read: db.listClaims,
  count: db.countClaims,
  narrow: toOwnMerchants,
});

@Resolver(() => PaymentClaim)
export class PaymentClaimResolver {
  @Authorized('RECONCILE')
  @Mutation(() => PaymentClaim, {
    description: 'Says that a person has looked at a claim: it leaves the queue. Moves no money.',
  })
  async closePaymentClaim(
    @Arg('id', () => ID, { description: 'The id of the claim.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.PaymentClaimRow> {
    const { actor, database, now } = context;
    const [claim] = await db.findClaims(database, [id]);
    if (!claim) throw notFound('claim');
    requireReach(actor, claim.merchantId, 'claim');
    const action = { action: 'closePaymentClaim', subject: `claim:${id}`, reason };
    await operatorAction(context, action, async (tx) => {
      if (!(await db.closeClaim(tx, { id, operatorId: operatorOf(actor).id, now })))
        throw businessError('WRONG_STATE', 'the claim is already closed');
    });
    return { ...claim, closedAt: now };
  }

  @FieldResolver(() => DepositOrder, { description: 'The order that it is about.' })
  async deposit(@Root() claim: PaymentClaim, @Ctx() { loaders }: GraphContext): Promise<DepositView | undefined> {
    return await loaders.deposits.load(claim.depositId);
  }

  @Authorized('RECONCILE')
  @Extensions({ cost: FILE_COST })
  @FieldResolver(() => String, {
    nullable: true,
    description:
      "The picture without its camera's notes, base64, its pixels unchecked. Show it only as its `receiptType`.",
  })
  async receipt(@Root() claim: PaymentClaim, @Ctx() { database, sealer }: GraphContext): Promise<string | null> {
    if (claim.receiptType === null) return null;
    const kept = await db.findReceipt(database, claim.id);
    return kept && sealer.openBytes(kept, receiptOf(claim.depositId)).toString('base64');
  }
}

@Resolver(() => DepositOrder)
export class DepositClaimResolver {
  @Authorized('VIEW')
  @FieldResolver(() => PaymentClaim, {
    nullable: true,
    description: 'What its payer said of having paid.',
  })
  async paymentClaim(
    @Root() deposit: DepositOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.PaymentClaimRow | undefined> {
    return await loaders.claimOfDeposit.load(deposit.id);
  }
}
