import { GraphQLJSONObject } from 'graphql-scalars';
import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { openCards } from '../../crypto/personal';
import { type CashierCard, type CashierStatus, shownCard } from '../../domain/cashier';
import { businessError, notFound } from '../../domain/errors';
import { workflowId } from '../../domain/ids';
import { cashierWaits } from '../../domain/waiting';
import * as db from '../../db/cashier/sessions';
import type { DepositView } from '../../db/deposits/deposits';
import type { OrderEventRow } from '../../db/events/events';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { OrderEvent } from '../deposits/order-event';
import { Merchant } from '../merchants/merchant';
import { operatorAction } from '../../steps/operators/operator-action';
import { linkTo, Workflow } from '../workflow';
import { CashierCardField, CashierStatusEnum } from './cashier-view';
import { openSession, type SessionRequest, type SessionToken } from '../../steps/cashier/open-session';
import { REASON } from '../descriptions';
import { actorName, merchantOf, requireReach } from '../../steps/access/caller';

@ObjectType({
  simpleResolvers: true,
  description: 'What leads a payer through the hosted page to an order (contract).',
})
export class CashierSession {
  @Field(() => ID, {
    description: 'A UUID, as `cashierSession` and `revokeCashierSession` take it.',
  })
  id!: string;

  @Field(() => ID, { description: 'The id of the merchant that opened it, a UUID.' })
  merchantId!: string;

  @Field({ description: "The merchant's number: of its order, once that is there." })
  merchantOrderNo!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => String, { nullable: true, description: "The merchant's own name for the payer." })
  userId!: string | null;

  @Field(() => String, { nullable: true, description: 'Where callbacks of its order go.' })
  callbackUrl!: string | null;

  @Field(() => CashierStatusEnum, {
    description: 'Where the session stands; its order has a status of its own.',
  })
  status!: CashierStatus;

  @Field(() => Int, {
    description: 'Rises when what the payer chooses from changes: older links only show.',
  })
  version!: number;

  @Field(() => Int, { nullable: true, description: 'Which card was chosen, from 0.' })
  chosenCard!: number | null;

  @Field(() => ID, { nullable: true, description: 'The order that came of it.' })
  depositOrderId!: string | null;

  @Field({ description: 'A PENDING session expires then.' })
  expireAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When the payer chose an amount; null before.',
  })
  submittedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When an operator ended it.' })
  revokedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Of the request that created or last reused it.',
  })
  traceId!: string | null;

  @Field({ description: 'When the merchant opened it.' })
  createdAt!: Date;

  @Field({ description: 'When it last changed.' })
  updatedAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A session that a payer may be sent to.' })
export class OpenedCashierSession {
  @Field(() => ID)
  sessionId!: string;

  @Field({ description: 'Signed; the address of the page ends with it.' })
  token!: string;

  @Field({ description: "The session's; the order has its own." })
  expireAt!: Date;

  @Field(() => String, { nullable: true, description: 'Null until the payer has chosen.' })
  orderNo!: string | null;
}

@InputType({ description: 'Contract, "POST /orders/deposit/cashier".' })
export class CreateCashierSessionInput implements SessionRequest {
  @Field()
  merchantOrderNo!: string;

  @Field(() => String, {
    nullable: true,
    description: 'A plain decimal, as the merchant wrote it; with it the order is created at once.',
  })
  amount?: string | null;

  @Field()
  currencyCode!: string;

  @Field(() => String, { nullable: true, description: "The merchant's default unless given." })
  callbackUrl?: string | null;

  @Field(() => String, { nullable: true })
  extraData?: string | null;

  @Field(() => String, { nullable: true, description: 'One PENDING session each.' })
  userId?: string | null;

  @Field(() => [GraphQLJSONObject], { nullable: true, description: 'Objects of strings.' })
  payerBankCards?: CashierCard[] | null;
}

@Resolver(() => CashierSession)
export class CashierSessionResolver {
  @Authorized('DEPOSITOR')
  @Mutation(() => OpenedCashierSession, {
    description:
      'Opens a cashier session for the merchant that signed the request, or goes on with the PENDING one of the same user.',
  })
  async createCashierSession(
    @Arg('input') input: CreateCashierSessionInput,
    @Ctx() context: GraphContext,
  ): Promise<SessionToken> {
    const opened = await openSession(context, merchantOf(context.actor), input);
    const { sessionId, orderNo } = opened;
    context.log.info({ sessionId, orderNo, workflowId: workflowId('cashier', sessionId) }, 'cashier session opened');
    return opened;
  }

  @Authorized('VIEW')
  @Query(() => CashierSession, { nullable: true, description: 'Any cashier session, by its id.' })
  async cashierSession(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.CashierSessionRow | undefined> {
    return await loaders.cashierSessions.load(id);
  }

  @Authorized('SUPPORT')
  @Mutation(() => CashierSession, {
    description:
      'Ends a PENDING session: it becomes EXPIRED, and its links open nothing. A submitted one stays: cancel its order.',
  })
  async revokeCashierSession(
    @Arg('id', () => ID, { description: 'The id of the session.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.CashierSessionRow> {
    const { actor, loaders, now } = context;
    const session = await loaders.cashierSessions.load(id);
    if (!session) throw notFound('cashier session');
    requireReach(actor, session.merchantId, 'cashier session');
    const action = { action: 'revokeCashierSession', subject: `cashier:${id}`, reason };
    await operatorAction(context, action, async (tx) => {
      const revoke = { sessionId: id, actor: actorName(actor), reason, now };
      if (!(await db.revokeCashierSession(tx, revoke)))
        throw businessError('WRONG_STATE', 'the session is no longer PENDING');
    });
    return (await loaders.cashierSessions.clear(id).load(id)) ?? session;
  }

  @FieldResolver(() => Merchant, { description: 'The merchant that opened it.' })
  async merchant(@Root() session: CashierSession, @Ctx() { loaders }: GraphContext): Promise<MerchantRow | undefined> {
    return await loaders.merchants.load(session.merchantId);
  }

  @FieldResolver(() => DepositOrder, { nullable: true, description: 'Null until it is submitted.' })
  async deposit(@Root() session: CashierSession, @Ctx() { loaders }: GraphContext): Promise<DepositView | undefined> {
    return session.depositOrderId === null ? undefined : await loaders.deposits.load(session.depositOrderId);
  }

  @FieldResolver(() => [[CashierCardField]], {
    description: "The payer's cards, their long numbers cut to four digits.",
  })
  cards(@Root() session: CashierSession, @Ctx() { sealer }: GraphContext): readonly (readonly CashierCardField[])[] {
    return openCards(sealer, session as unknown as db.CashierSessionRow).map(shownCard);
  }

  @FieldResolver(() => [OrderEvent], { description: 'Everything that happened to it, in order.' })
  async timeline(@Root() session: CashierSession, @Ctx() { loaders }: GraphContext): Promise<readonly OrderEventRow[]> {
    return await loaders.events.load(session.id);
  }

  @FieldResolver(() => Workflow, { description: 'The Temporal workflow that expires it.' })
  workflow(@Root() session: CashierSession, @Ctx() context: GraphContext): Workflow {
    return linkTo(context, workflowId('cashier', session.id), cashierWaits(session));
  }
}

@Resolver(() => DepositOrder)
export class CashierDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => CashierSession, {
    nullable: true,
    description: 'The session that it came from.',
  })
  async cashierSession(
    @Root() deposit: DepositOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.CashierSessionRow | undefined> {
    return deposit.cashierSessionId === null ? undefined : await loaders.cashierSessions.load(deposit.cashierSessionId);
  }
}
