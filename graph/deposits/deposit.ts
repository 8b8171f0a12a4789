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
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { openPayerName } from '../../crypto/personal';
import type { NotificationStatus } from '../../domain/callback';
import { DEPOSIT_ORDER_TYPES, DEPOSIT_STATUSES, type DepositOrderType, type DepositStatus } from '../../domain/deposit';
import type { JsonObject } from '../../domain/channel-deposit';
import { workflowId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { depositWaits } from '../../domain/waiting';
import type { ChannelRow } from '../../db/channels/channels';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import * as db from '../../db/deposits/deposits';
import type { OrderEventRow } from '../../db/events/events';
import type { LedgerEntryRow } from '../../db/ledger/ledger';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { NotificationRow } from '../../db/callbacks/callbacks';
import { failpoint } from '../../runtime/failpoints';
import { BankAccount } from '../accounts/bank-account';
import { BankTransfer } from '../transfers/bank-transfer';
import { Callback, CallbackStatusEnum } from '../callbacks/callback';
import { type GraphContext } from '../context';
import { cancelDeposit } from '../../steps/deposits/cancel-deposit';
import { createDeposit, type DepositRequest } from '../../steps/deposits/create-deposit';
import { LedgerEntry } from '../ledger/ledger-entry';
import { Merchant } from '../merchants/merchant';
import { Order } from '../orders/order';
import { OrderEvent } from './order-event';
import { DecimalScalar, enumOf } from '../scalars';
import { linkTo, Workflow } from '../workflow';
import { REASON } from '../descriptions';
import { merchantOf } from '../../steps/access/caller';

export const DepositStatusEnum = enumOf(DEPOSIT_STATUSES);
registerEnumType(DepositStatusEnum, {
  name: 'DepositStatus',
  description: 'The status of a deposit (contract, "States and transitions").',
  valuesConfig: {
    PENDING: { description: "Waits for the payer's money." },
    MATCHED: { description: 'The money was recognised and is about to be credited.' },
    COMPLETED: { description: "The money is in the merchant's balance. Final." },
    EXPIRED: { description: 'Nothing came in time. Final.' },
    CANCELLED: { description: 'Cancelled by an operator. Final.' },
    FAILED: { description: 'A channel reported failure. Final.' },
  },
});

export const DepositOrderTypeEnum = enumOf(DEPOSIT_ORDER_TYPES);
registerEnumType(DepositOrderTypeEnum, {
  name: 'DepositOrderType',
  description: 'How a deposit was created.',
  valuesConfig: {
    DIRECT: { description: 'Created through the Direct API.' },
    CASHIER: { description: 'Created through the hosted cashier.' },
  },
});

@ObjectType({
  implements: Order,
  simpleResolvers: true,
  description: 'One payment intent of one payer.',
})
export class DepositOrder {
  @Field(() => ID, { description: 'A UUID; queries and mutations name orders by `orderNo`.' })
  id!: string;

  @Field({ description: "The gateway's number." })
  orderNo!: string;

  @Field({ description: "The merchant's number, unique per merchant over all kinds of orders." })
  merchantOrderNo!: string;

  @Field(() => ID, { description: 'The id of the merchant that asked for it, a UUID.' })
  merchantId!: string;

  @Field(() => ID, { nullable: true, description: 'The managed account that it is paid to.' })
  accountId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The channel that takes it; with an account, the one that reports on the account.',
  })
  channelId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The channel's number of it; null until the channel has opened it.",
  })
  channelOrderNo!: string | null;

  @Field(() => String, { nullable: true, description: "The channel's page for the payer." })
  paymentUrl!: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The payment details of the channel: bank details, QR data or instructions.',
  })
  paymentInfo!: JsonObject | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What the channel charges by our rule for it; null without a channel.',
  })
  estimatedChannelCost!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What the channel took; null until it is completed.',
  })
  actualChannelCost!: Money | null;

  @Field(() => DepositOrderTypeEnum, { description: 'How it was created.' })
  orderType!: DepositOrderType;

  @Field(() => ID, { nullable: true, description: 'The session that a CASHIER order came from.' })
  cashierSessionId!: string | null;

  @Field(() => DecimalScalar, { description: 'As the merchant asked.' })
  requestedAmount!: Money;

  @Field(() => DecimalScalar, { description: 'What the payer must transfer.' })
  amount!: Money;

  @Field(() => DecimalScalar, { description: 'The quote at creation; the charge once completed.' })
  fee!: Money;

  @Authorized('VIEW')
  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "The part of the fee that the merchant's balance held from the creation on; null: the credit pays the fee.",
  })
  feeHeld!: Money | null;

  @Authorized('VIEW')
  @Field(() => Date, {
    nullable: true,
    description:
      'When the held fee was released, because the order ended without money; null: it is held, or became the fee.',
  })
  feeReleasedAt!: Date | null;

  @Field(() => DecimalScalar, {
    description: 'Gross received, before the fee; zero until completed.',
  })
  actualAmount!: Money;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => String, { nullable: true, description: 'What the payer must write into the memo.' })
  expectedRemark!: string | null;

  @Field(() => DepositStatusEnum, { description: 'Its status.' })
  status!: DepositStatus;

  @Field({ description: 'A PENDING deposit expires then.' })
  expireAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: "When the payer's money was recognised; null before.",
  })
  matchedAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: "When the money was credited to the merchant's balance; null before.",
  })
  completedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Where callbacks about it go; null: it has none.',
  })
  callbackUrl!: string | null;

  @Field(() => CallbackStatusEnum, {
    nullable: true,
    description: 'The status of its newest callback; null before any.',
  })
  callbackStatus!: NotificationStatus | null;

  @Field(() => Int, { description: 'The attempts of all its callbacks.' })
  callbackCount!: number;

  @Field(() => String, {
    nullable: true,
    description: "The merchant's own identifier of the payer.",
  })
  userId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The payer's bank in the directory, as announced; null if it was not.",
  })
  payerBankCode!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The last four digits of the payer's account, as announced; null if they were not.",
  })
  payerAccountLast4!: string | null;

  @Field(() => GraphQLJSONObject, {
    description: 'What the payer was shown: an object of strings.',
  })
  paymentSnapshot!: Readonly<Record<string, string>>;

  @Field(() => String, {
    nullable: true,
    description:
      'Of the request that created it: X-Request-Id of its answer, and `traceId` in the log lines of its workflow and callbacks. Null for an order from before trace ids.',
  })
  traceId!: string | null;

  @Field({ description: 'When it was created.' })
  createdAt!: Date;

  @Field({ description: 'When it last changed.' })
  updatedAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'The channel of a deposit.' })
export class DepositChannel {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'Its code in settings.' })
  channelCode!: string;

  @Field({ description: 'Its name for operators.' })
  name!: string;
}

@InputType({ description: 'Contract, "POST /orders/deposit".' })
export class CreateDepositInput implements DepositRequest {
  @Field()
  merchantOrderNo!: string;

  @Field({ description: 'A plain decimal, as the merchant wrote it.' })
  amount!: string;

  @Field()
  currencyCode!: string;

  @Field()
  callbackUrl!: string;

  @Field(() => String, { nullable: true })
  extraData?: string | null;

  @Field(() => String, { nullable: true })
  userId?: string | null;

  @Field(() => String, { nullable: true })
  accountHolder?: string | null;

  @Field(() => String, { nullable: true })
  mobile?: string | null;

  @Field(() => String, { nullable: true })
  email?: string | null;

  @Field(() => String, { nullable: true })
  bankCode?: string | null;

  @Field(() => String, { nullable: true })
  accountNo?: string | null;
}

/** Roots have the type of the row, not of DepositOrder: type-graphql would copy each into an object of that class. */
@Resolver(() => DepositOrder)
export class DepositResolver {
  @Authorized('DEPOSITOR')
  @Mutation(() => DepositOrder, {
    description: 'Creates a Direct API deposit for the merchant that signed the request.',
  })
  async createDeposit(@Arg('input') input: CreateDepositInput, @Ctx() context: GraphContext): Promise<db.DepositView> {
    const merchant = merchantOf(context.actor);
    const deposit = await createDeposit(context, merchant, input);
    await failpoint('deposit.committed', deposit.merchantOrderNo);
    context.log.info(
      { orderNo: deposit.orderNo, workflowId: workflowId('deposit', deposit.orderNo) },
      'deposit created',
    );
    return deposit;
  }

  @Authorized('MERCHANT')
  @Query(() => DepositOrder, {
    nullable: true,
    description: "The merchant's own deposit, by one of its numbers.",
  })
  async merchantDeposit(
    @Ctx() { actor, merchantDeposits }: GraphContext,
    @Arg('orderNo', () => String, { nullable: true }) orderNo?: string | null,
    @Arg('merchantOrderNo', () => String, { nullable: true }) merchantOrderNo?: string | null,
  ): Promise<db.MerchantDeposit | undefined> {
    return await merchantDeposits.call({
      merchantId: merchantOf(actor).id,
      orderNo: orderNo ?? null,
      merchantOrderNo: orderNo ? null : (merchantOrderNo ?? null),
    });
  }

  @Authorized('VIEW')
  @Query(() => DepositOrder, { nullable: true, description: 'Any deposit, by its gateway number.' })
  async deposit(
    @Arg('orderNo', { description: 'The gateway number, exactly; it begins with D.' })
    orderNo: string,
    @Ctx() { database }: GraphContext,
  ): Promise<db.DepositView | undefined> {
    return await db.findDeposit(database, { orderNo });
  }

  @Authorized('SUPPORT')
  @Mutation(() => DepositOrder, {
    description:
      'Cancels a PENDING or MATCHED deposit. Money that had come stays in suspense, unmatched again; `evidence` of the answer shows it. Where two people are required, a deposit whose money came is cancelled only with `moneyCame`.',
  })
  async cancelDeposit(
    @Arg('orderNo', { description: 'The gateway number of the deposit; it begins with D.' })
    orderNo: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('moneyCame', () => Boolean, {
      nullable: true,
      description: 'True: you know that its money came, and still cancel it.',
    })
    moneyCame?: boolean | null,
  ): Promise<db.DepositView> {
    return await cancelDeposit(context, { orderNo, reason, moneyCame: moneyCame === true });
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The payer's name, as the merchant announced it; null if it did not.",
  })
  payerName(@Root() deposit: db.DepositView, @Ctx() { sealer }: GraphContext): string | null {
    return openPayerName(sealer, deposit);
  }

  @FieldResolver(() => Merchant, { description: 'The merchant that asked for it.' })
  async merchant(
    @Root() deposit: db.DepositView,
    @Ctx() { actor, loaders }: GraphContext,
  ): Promise<MerchantRow | undefined> {
    // The calling merchant is known already.
    return actor.kind === 'merchant' ? actor.merchant : await loaders.merchants.load(deposit.merchantId);
  }

  @FieldResolver(() => BankAccount, {
    nullable: true,
    description: 'The managed account that it is paid to; null without one.',
  })
  async account(
    @Root() deposit: db.DepositView & Partial<Pick<db.MerchantDeposit, 'account'>>,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.AccountOfDeposit | undefined> {
    if (deposit.accountId === null) return undefined;
    // A merchant's own deposit comes with it.
    return deposit.account ?? (await loaders.bankAccounts.load(deposit.accountId));
  }

  @FieldResolver(() => DepositChannel, {
    nullable: true,
    description: 'The channel that takes it, or reports on its account; null without one.',
  })
  async channel(
    @Root() { channelId }: db.DepositView,
    @Ctx() { loaders }: GraphContext,
  ): Promise<ChannelRow | undefined> {
    return channelId === null ? undefined : await loaders.channels.load(channelId);
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'The fee less what the channel is expected to cost.',
  })
  estimatedProfit(@Root() { fee, estimatedChannelCost: cost }: db.DepositView): Money | null {
    return cost && fee.minus(cost);
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'The fee less what the channel took.',
  })
  actualProfit(@Root() { fee, actualChannelCost: cost }: db.DepositView): Money | null {
    return cost && fee.minus(cost);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [OrderEvent], { description: 'Everything that happened to it, in order.' })
  async timeline(@Root() deposit: db.DepositView, @Ctx() { loaders }: GraphContext): Promise<readonly OrderEventRow[]> {
    return await loaders.events.load(deposit.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [LedgerEntry], {
    description: 'Its ledger entries, including those of its bank credits.',
  })
  async ledgerEntries(
    @Root() deposit: db.DepositView,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly LedgerEntryRow[]> {
    return await loaders.entries.load(deposit.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [BankTransfer], { description: 'Transfers that pay it, or once did.' })
  async bankTransfers(
    @Root() deposit: db.DepositView,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly BankTransferView[]> {
    return await loaders.transfers.load(deposit.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [Callback], {
    description: 'Callbacks to the merchant about it, one for each event that causes a callback.',
  })
  async callbacks(
    @Root() deposit: db.DepositView,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly NotificationRow[]> {
    return await loaders.notifications.load(deposit.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Workflow, { description: 'The Temporal workflow that drives it.' })
  workflow(@Root() deposit: db.DepositView, @Ctx() context: GraphContext): Workflow {
    return linkTo(context, workflowId('deposit', deposit.orderNo), depositWaits(deposit));
  }
}
