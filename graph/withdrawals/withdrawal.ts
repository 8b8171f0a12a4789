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
import type { NotificationStatus } from '../../domain/callback';
import { soughtAccount } from '../../crypto/beneficiary';
import { openBeneficiary, openBeneficiaryName, openBranch } from '../../crypto/personal';
import { workflowId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { REVIEW_REASONS, type ReviewReason } from '../../domain/review';
import { withdrawalWaits } from '../../domain/waiting';
import {
  PAYOUT_METHODS,
  type PayoutMethod,
  WITHDRAWAL_ORIGINS,
  WITHDRAWAL_STATUSES,
  type WithdrawalOrigin,
  type WithdrawalStatus,
} from '../../domain/withdrawal';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChangeRow } from '../../db/changes/change-requests';
import type { OrderEventRow } from '../../db/events/events';
import type { LedgerEntryRow } from '../../db/ledger/ledger';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { NotificationRow } from '../../db/callbacks/callbacks';
import * as db from '../../db/withdrawals/withdrawals';
import { ActorInfo, actorInfoOf } from '../actor-info';
import { BankAccount } from '../accounts/bank-account';
import { Callback, CallbackStatusEnum } from '../callbacks/callback';
import { ChangeRequest } from '../changes/change-request';
import { type GraphContext } from '../context';
import { OrderEvent } from '../deposits/order-event';
import { SIMILAR_SHOWN } from '../loaders';
import { LedgerEntry } from '../ledger/ledger-entry';
import { Merchant } from '../merchants/merchant';
import { Order } from '../orders/order';
import { DecimalScalar, enumOf } from '../scalars';
import { linkTo, Workflow } from '../workflow';
import { createWithdrawal, type WithdrawalRequest } from '../../steps/withdrawals/create-withdrawal';
import { merchantOf } from '../../steps/access/caller';

export const WithdrawalStatusEnum = enumOf(WITHDRAWAL_STATUSES);
registerEnumType(WithdrawalStatusEnum, {
  name: 'WithdrawalStatus',
  description: 'Where a withdrawal stands.',
  valuesConfig: {
    PENDING: { description: 'Waits for people to decide; amount and fee are frozen.' },
    APPROVED: { description: 'To be paid, or being paid.' },
    COMPLETED: { description: 'The beneficiary has the money. Final.' },
    REJECTED: { description: 'People refused it; the money is available again. Final.' },
    FAILED: {
      description: 'It is known not to have been paid; the money is available again. Final.',
    },
    CANCELLED: {
      description: 'Its manual transfer was given up; the money is available again. Final.',
    },
  },
});

export const WithdrawalOriginEnum = enumOf(WITHDRAWAL_ORIGINS);
registerEnumType(WithdrawalOriginEnum, {
  name: 'WithdrawalOrigin',
  description: 'Who asked for a withdrawal.',
  valuesConfig: {
    MERCHANT: { description: 'The merchant, by its API.' },
    SETTLEMENT: { description: 'Operators, who pay the merchant its balance.' },
  },
});

export const PayoutMethodEnum = enumOf(PAYOUT_METHODS);
registerEnumType(PayoutMethodEnum, {
  name: 'PayoutMethod',
  description: 'How a withdrawal is paid.',
  valuesConfig: {
    CHANNEL: { description: 'By a payment channel.' },
    MANUAL: { description: 'By a person, from a managed account.' },
  },
});

const ReviewReasonEnum = enumOf(REVIEW_REASONS);
registerEnumType(ReviewReasonEnum, {
  name: 'ReviewReason',
  description: 'Why a withdrawal needs people, or needs none.',
  valuesConfig: {
    DENYLISTED: { description: 'The beneficiary is on the denylist: two people.' },
    ABOVE_TWO_PEOPLE: { description: 'The amount is above the limit for one person: two people.' },
    ABOVE_AUTO_APPROVAL: { description: 'The amount is above the limit of automatic approval.' },
    MERCHANT_DAY_ORDERS: { description: 'The merchant asks for many withdrawals today.' },
    MERCHANT_DAY_AMOUNT: { description: 'The merchant asks for much today.' },
    BENEFICIARY_DAY_ORDERS: { description: 'Many withdrawals to this beneficiary today.' },
    BENEFICIARY_DAY_AMOUNT: { description: 'Much to this beneficiary today.' },
    NEW_BENEFICIARY: { description: 'The merchant has never paid this beneficiary.' },
    QUIET_HOURS: { description: 'It came at a time of day at which a person looks.' },
    DAY_AMOUNT_PASSED: {
      description: 'More was approved on this day than one person may approve: a second person is asked.',
    },
    COOLING: {
      description: "The merchant's keys or where its callbacks go have changed lately.",
    },
    ALLOWLISTED: { description: 'The beneficiary is on the allowlist.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'Who approved a withdrawal.' })
export class Approver {
  @Field(() => ID, { description: 'The id of the operator, a UUID.' })
  id!: string;

  @Field({ description: 'The login.' })
  name!: string;
}

@ObjectType({
  implements: Order,
  simpleResolvers: true,
  description: 'One payout from a merchant’s balance to a beneficiary.',
})
export class WithdrawalOrder {
  @Field(() => ID, { description: 'A UUID; queries and mutations name orders by `orderNo`.' })
  id!: string;

  @Field({ description: "The gateway's number." })
  orderNo!: string;

  @Field({ description: "The merchant's number, unique per merchant over all kinds of orders." })
  merchantOrderNo!: string;

  @Field(() => ID, { description: 'The id of the merchant whose balance pays it, a UUID.' })
  merchantId!: string;

  @Field(() => WithdrawalOriginEnum, { description: 'Who asked for it.' })
  origin!: WithdrawalOrigin;

  @Field(() => DecimalScalar, { description: 'What the beneficiary gets, in full.' })
  amount!: Money;

  @Field(() => DecimalScalar, { description: 'On top of the amount.' })
  fee!: Money;

  @Field(() => DecimalScalar, { description: 'What was paid; zero until completed.' })
  actualAmount!: Money;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field({ description: "The beneficiary's bank in the directory." })
  beneficiaryBankCode!: string;

  @Field({ description: 'From the bank directory.' })
  beneficiaryBankName!: string;

  @Field(() => WithdrawalStatusEnum, { description: 'Its status.' })
  status!: WithdrawalStatus;

  @Field(() => Int, { description: 'How many people must approve; 0: the review engine did.' })
  peopleNeeded!: number;

  @Field({ description: 'When people should have decided.' })
  decideBy!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When an alert was raised because the decision was late.',
  })
  escalatedAt!: Date | null;

  @Field(() => ID, { nullable: true, description: 'The operator who has claimed it.' })
  claimedBy!: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When that operator claimed it; null when nobody looks at it.',
  })
  claimedAt!: Date | null;

  @Field({ description: 'True: the review rules let it through, and nobody had to decide.' })
  isAutoApproved!: boolean;

  @Field(() => Date, {
    nullable: true,
    description: 'When the last needed approval came; null before, and when rejected.',
  })
  approvedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    deprecationReason: 'Use `approvedByInfo`.',
    description: '`system`, or the id of the operator whose approval was the last needed.',
  })
  approvedBy!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What was said with the approval; of a rejected one, why.',
  })
  approvalRemarks!: string | null;

  @Field(() => PayoutMethodEnum, { nullable: true, description: 'Null until routed.' })
  payoutMethod!: PayoutMethod | null;

  @Field(() => ID, { nullable: true, description: 'The managed account that pays.' })
  accountId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the channel that pays, a UUID; null until routed, and for a person.',
  })
  channelId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What operators call the channel that pays; null until routed, and for a person.',
  })
  channelName!: string | null;

  @Field(() => String, { nullable: true, description: "The channel's number." })
  channelOrderNo!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'As agreed with the channel.' })
  estimatedChannelCost!: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'What the channel took.' })
  actualChannelCost!: Money | null;

  @Field(() => Date, { nullable: true, description: 'When it was first dispatched.' })
  processedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When the beneficiary was paid; null before.' })
  completedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was rejected, failed or cancelled.' })
  endedAt!: Date | null;

  @Authorized('VIEW')
  @Field(() => ChangeRequest, {
    nullable: true,
    description: 'The change that `completeTransfer` has just proposed, where it takes two people; null anywhere else.',
  })
  change?: ChangeRow | null;

  @Field(() => String, { nullable: true, description: 'Why it failed or was cancelled.' })
  endReason!: string | null;

  @Field(() => String, { nullable: true, description: "The bank's number of the transfer." })
  bankReference!: string | null;

  @Field({ description: 'The outcome of its payout is unknown: a person must find out.' })
  needsManualIntervention!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Why a person must resolve the payout; null if none must.',
  })
  manualReason!: string | null;

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
    description: 'Of the request that created it, as in log lines.',
  })
  traceId!: string | null;

  @Field({ description: 'When it was created.' })
  createdAt!: Date;

  @Field({ description: 'When it last changed.' })
  updatedAt!: Date;
}

@InputType({ description: 'Contract, "POST /orders/withdrawal".' })
export class CreateWithdrawalInput implements WithdrawalRequest {
  @Field()
  merchantOrderNo!: string;

  @Field({ description: 'A plain decimal, as the merchant wrote it.' })
  amount!: string;

  @Field()
  currencyCode!: string;

  @Field()
  beneficiaryName!: string;

  @Field()
  beneficiaryAccount!: string;

  @Field({ description: 'Of the bank directory.' })
  beneficiaryBankCode!: string;

  @Field(() => String, { nullable: true })
  beneficiaryBankBranch?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Null or empty: the merchant's default, if it has one.",
  })
  callbackUrl?: string | null;

  @Field(() => String, { nullable: true })
  extraData?: string | null;
}

@Resolver(() => WithdrawalOrder)
export class WithdrawalResolver {
  @FieldResolver(() => String, { description: 'As the merchant wrote it.' })
  beneficiaryName(@Root() order: db.WithdrawalView, @Ctx() { sealer }: GraphContext): string {
    return openBeneficiaryName(sealer, order);
  }

  @FieldResolver(() => String, {
    description: "The beneficiary's account number, as the merchant wrote it.",
  })
  beneficiaryAccount(@Root() order: db.WithdrawalView, @Ctx() { sealer }: GraphContext): string {
    return openBeneficiary(sealer, order);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'As the merchant wrote it; null if it did not.',
  })
  beneficiaryBankBranch(@Root() order: db.WithdrawalView, @Ctx() { sealer }: GraphContext): string | null {
    return openBranch(sealer, order);
  }

  @Authorized('WITHDRAWER')
  @Mutation(() => WithdrawalOrder, {
    description: 'Creates a withdrawal for the merchant that signed the request.',
  })
  async createWithdrawal(
    @Arg('input') input: CreateWithdrawalInput,
    @Ctx() context: GraphContext,
  ): Promise<db.WithdrawalView> {
    const merchant = merchantOf(context.actor);
    const withdrawal = await createWithdrawal(context, merchant, input);
    const { orderNo, status } = withdrawal;
    const about = { orderNo, status, workflowId: workflowId('withdrawal', orderNo) };
    context.log.info(about, 'withdrawal created');
    return withdrawal;
  }

  @Authorized('MERCHANT')
  @Query(() => WithdrawalOrder, {
    nullable: true,
    description: "The merchant's own withdrawal, by one of its numbers.",
  })
  async merchantWithdrawal(
    @Ctx() { actor, database }: GraphContext,
    @Arg('orderNo', () => String, { nullable: true }) orderNo?: string | null,
    @Arg('merchantOrderNo', () => String, { nullable: true }) merchantOrderNo?: string | null,
  ): Promise<db.WithdrawalView | undefined> {
    const merchantId = merchantOf(actor).id;
    return await db.findWithdrawal(
      database,
      orderNo ? { orderNo, merchantId } : { merchantOrderNo: merchantOrderNo ?? '', merchantId },
    );
  }

  @Authorized('VIEW')
  @Query(() => WithdrawalOrder, {
    nullable: true,
    description: 'Any withdrawal, by its gateway number.',
  })
  async withdrawal(
    @Arg('orderNo', { description: 'The gateway number, exactly; it begins with W.' })
    orderNo: string,
    @Ctx() { database }: GraphContext,
  ): Promise<db.WithdrawalView | undefined> {
    return await db.findWithdrawal(database, { orderNo });
  }

  @FieldResolver(() => Merchant, { description: 'The merchant whose balance pays it.' })
  async merchant(
    @Root() withdrawal: WithdrawalOrder,
    @Ctx() { actor, loaders }: GraphContext,
  ): Promise<MerchantRow | undefined> {
    // The calling merchant is known already.
    return actor.kind === 'merchant' ? actor.merchant : await loaders.merchants.load(withdrawal.merchantId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, {
    nullable: true,
    description: 'Whose approval was the last needed; null until approved.',
  })
  approvedByInfo(@Root() { approvedBy }: db.WithdrawalView): ActorInfo | null {
    if (approvedBy === null) return null;
    return actorInfoOf(approvedBy === 'system' ? approvedBy : `operator:${approvedBy}`);
  }

  @FieldResolver(() => Approver, {
    nullable: true,
    description: 'Null until approved, and where no person had to approve.',
  })
  approver(@Root() { approvedBy, approverLogin }: db.WithdrawalView): Approver | null {
    return approvedBy === null || approverLogin === null ? null : { id: approvedBy, name: approverLogin };
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'The fee less what the channel is expected to cost.',
  })
  estimatedProfit(@Root() { fee, estimatedChannelCost: cost }: WithdrawalOrder): Money | null {
    return cost && fee.minus(cost);
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'The fee less what the channel took.',
  })
  actualProfit(@Root() { fee, actualChannelCost: cost }: WithdrawalOrder): Money | null {
    return cost && fee.minus(cost);
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankAccount, {
    nullable: true,
    description: 'The managed account that pays; null until a person has claimed it, and for a channel.',
  })
  async account(
    @Root() { accountId }: WithdrawalOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<BankAccountRow | undefined> {
    return accountId === null ? undefined : await loaders.bankAccounts.load(accountId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [ReviewReasonEnum], {
    description: 'What the review found when it was created.',
  })
  reviewReasons(@Root() { review }: db.WithdrawalView): readonly ReviewReason[] {
    return review.reasons;
  }

  @Authorized('VIEW')
  @FieldResolver(() => Int, {
    nullable: true,
    description: 'The version of the rules that it was reviewed by; null where there were none.',
  })
  reviewRulesVersion(@Root() { review }: db.WithdrawalView): number | null {
    return review.rulesVersion;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [WithdrawalOrder], {
    description: `The newest others to the same beneficiary, at most ${SIMILAR_SHOWN}, of all merchants that the operator may see.`,
  })
  async similar(
    @Root() withdrawal: db.WithdrawalView,
    @Ctx() { loaders, lookup, sealer }: GraphContext,
  ): Promise<readonly db.WithdrawalView[]> {
    const { id, beneficiaryBankCode } = withdrawal;
    const sought = soughtAccount(lookup, openBeneficiary(sealer, withdrawal));
    return await loaders.similarWithdrawals.load({ id, beneficiaryBankCode, ...sought });
  }

  @Authorized('VIEW')
  @FieldResolver(() => [OrderEvent], { description: 'Everything that happened to it, in order.' })
  async timeline(@Root() { id }: WithdrawalOrder, @Ctx() { loaders }: GraphContext): Promise<readonly OrderEventRow[]> {
    return await loaders.events.load(id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [LedgerEntry], { description: 'What was posted for it.' })
  async ledgerEntries(
    @Root() { id }: WithdrawalOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly LedgerEntryRow[]> {
    return await loaders.entries.load(id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [Callback], {
    description: 'Callbacks to the merchant about it, one for each event that causes a callback.',
  })
  async callbacks(
    @Root() { id }: WithdrawalOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly NotificationRow[]> {
    return await loaders.notifications.load(id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Workflow, { description: 'The Temporal workflow that drives it.' })
  workflow(@Root() withdrawal: WithdrawalOrder, @Ctx() context: GraphContext): Workflow {
    const { orderNo } = withdrawal;
    return linkTo(context, workflowId('withdrawal', orderNo), withdrawalWaits(withdrawal));
  }
}
