import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import type { Money } from '../../domain/money';
import { POSTING_KINDS, type PostingKind } from '../../domain/operator-posting';
import type { ChangeRow } from '../../db/changes/change-requests';
import { findOperatorPostings, type OperatorPostingRow } from '../../db/ledger/operator-postings';
import * as db from '../../db/ledger/operator-posting-list';
import type { BankDebitView } from '../../db/transfers/bank-debits';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import { ActorInfo, actorInfoOf } from '../actor-info';
import { ChangeRequest } from '../changes/change-request';
import { BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import type { GraphContext } from '../context';
import { BankDebit } from '../debits/bank-debit';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { DecimalScalar, enumOf } from '../scalars';
import { BankTransfer } from '../transfers/bank-transfer';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { seesMoneyOf } from '../../steps/access/caller';

export const OperatorPostingKindEnum = enumOf(POSTING_KINDS);
registerEnumType(OperatorPostingKindEnum, {
  name: 'OperatorPostingKind',
  description: 'What operators post; see docs/ledger.md.',
  valuesConfig: {
    LATE_CREDIT: {
      description: "Money for a final order, or for none, became a merchant's: suspense → merchant.",
    },
    TOP_UP_RECEIVED: {
      description: "A merchant's top-up arrived on a managed account: suspense → merchant.",
    },
    PAYOUT_RETURNED: {
      description: 'A manual payout came back from the bank: suspense → merchant.',
    },
    MONEY_UNCLAIMED: { description: 'Nobody claimed it for long: suspense → unclaimed.' },
    LATE_RETURNED: {
      description: 'A channel gave its payer back what it had received too late: suspense → channel.',
    },
    INTEREST_RECEIVED: { description: 'A bank paid interest: suspense → bank cost.' },
    REPORTED_TWICE: {
      description: 'A bank credit had been reported before: suspense → bank.',
    },
    BANK_CHARGED: { description: 'A bank charged an account: bank cost → bank.' },
    PROFIT_TAKEN: { description: 'What was earned was taken out: fee income → bank.' },
    COMMISSION_PAID: { description: 'A reseller was paid its commissions: reseller → bank.' },
    OWN_TRANSFER_OUT: {
      description: 'Our own money left an account or a channel for another: in transit → bank.',
    },
    OWN_TRANSFER_IN: {
      description: 'It arrived: suspense, or channel, → in transit.',
    },
    ACCOUNT_OPENED: {
      description: 'An account or channel began with this balance: bank or channel → equity.',
    },
    ACCOUNT_CORRECTED: {
      description: 'A book was corrected to its statement: bank or channel ↔ equity.',
    },
    CHANNEL_CHARGED: {
      description: 'A channel charged something that is no payout’s: channel cost → channel.',
    },
    CLAIM_SETTLED: {
      description: 'A channel gave back what it had paid too much: channel, or suspense, → claim.',
    },
    CLAIM_WRITTEN_OFF: { description: 'It never will: loss → claim.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description:
    'What operators posted: two people together, or one where a rule allows it. It is one ledger transfer, and one more if it was taken back.',
})
export class OperatorPosting {
  @Field(() => ID, { description: 'A UUID, as `reversePosting` takes it.' })
  id!: string;

  @Field(() => OperatorPostingKindEnum, { description: 'What it is. Expect new kinds.' })
  kind!: PostingKind;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, {
    description: 'Above zero; of an opened or corrected book negative where it held less.',
  })
  amount!: Money;

  @Field(() => DecimalScalar, {
    description: 'Of a late credit what we keep; of a returned payout what we give back besides.',
  })
  fee!: Money;

  @Field(() => ID, { nullable: true, description: 'The bank transfer that brought the money.' })
  bankTransferId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The bank debit that took it.' })
  bankDebitId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The try at a channel that received the money too late; see `lateReceipts`.',
  })
  depositAttemptId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The managed account whose book it is in.' })
  accountId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The channel whose book it is in.' })
  channelId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The merchant whose balance it concerns.' })
  merchantId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The reseller whose commissions were paid.' })
  resellerId!: string | null;

  @Field(() => ID, { nullable: true, description: 'Of what arrived: what had left for it.' })
  pairId!: string | null;

  @Field({ description: 'The reason of the proposer.' })
  reason!: string;

  @Field({ description: 'When it was posted.' })
  at!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When it was reversed; null if it was not.',
  })
  reversedAt!: Date | null;

  @Field(() => DecimalScalar, {
    description: 'What its merchant did not have any more when it was taken back, and owes.',
  })
  reversalOwed!: Money;
}

@ObjectType({ simpleResolvers: true, description: 'What was asked to be posted.' })
export class PostingResult {
  @Field(() => ChangeRequest, {
    nullable: true,
    description: 'The change request, PROPOSED until another person decides; null where a rule let one person post it.',
  })
  change!: ChangeRow | null;

  @Field(() => [OperatorPosting], { description: 'What was posted; nothing while it waits.' })
  postings!: readonly OperatorPostingRow[];
}

@Resolver(() => OperatorPosting)
export class OperatorPostingResolver {
  @Authorized('VIEW')
  @Query(() => OperatorPosting, { nullable: true, description: 'One posting of operators.' })
  async operatorPosting(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { database, actor }: GraphContext,
  ): Promise<OperatorPostingRow | undefined> {
    const [posting] = await findOperatorPostings(database, [id]);
    return posting && seesMoneyOf(actor, posting.merchantId) ? posting : undefined;
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The gateway number of the deposit or withdrawal that it is about.',
  })
  async orderNo(
    @Root() { depositId, withdrawalId }: OperatorPostingRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<string | undefined> {
    const id = depositId ?? withdrawalId;
    return id === null ? undefined : (await loaders.orderNos.load(id))?.orderNo;
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who decided it.' })
  postedByInfo(@Root() { postedBy }: OperatorPostingRow): ActorInfo {
    return actorInfoOf(postedBy);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ChangeRequest, {
    nullable: true,
    description: 'The approved change request; null if a rule allowed one person to post it.',
  })
  async change(
    @Root() { changeId }: OperatorPostingRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<ChangeRow | undefined> {
    return changeId === null ? undefined : await loaders.changes.load(changeId);
  }
}

@Resolver(() => WithdrawalOrder)
export class PayoutReturnedResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Date, {
    nullable: true,
    description: 'When its bank gave the completed payout back; null unless it did.',
  })
  async returnedAt(@Root() { id }: WithdrawalOrder, @Ctx() { loaders }: GraphContext): Promise<Date | undefined> {
    return (await loaders.returnOfPayout.load(id))?.at;
  }
}

@Resolver(() => BankTransfer)
export class TransferRestResolver {
  @Authorized('VIEW')
  @FieldResolver(() => DecimalScalar, {
    description: 'What of it still waits: neither pays a deposit, nor was posted or sent back.',
  })
  async rest(@Root() { id }: BankTransferView, @Ctx() { loaders }: GraphContext): Promise<Money | undefined> {
    return (await loaders.restOfTransfer.load(id))?.rest;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [OperatorPosting], { description: 'The postings of operators about it.' })
  async postings(
    @Root() { id }: BankTransferView,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly OperatorPostingRow[]> {
    return await loaders.postingsOfTransfer.load(id);
  }
}

@Resolver(() => BankDebit)
export class DebitRestResolver {
  @Authorized('VIEW')
  @FieldResolver(() => DecimalScalar, {
    description: 'What of it nothing has posted: no payout, no return, and no posting by operators.',
  })
  async rest(@Root() { id }: BankDebitView, @Ctx() { loaders }: GraphContext): Promise<Money | undefined> {
    return (await loaders.restOfDebit.load(id))?.rest;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [OperatorPosting], { description: 'The postings of operators about it.' })
  async postings(
    @Root() { id }: BankDebitView,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly OperatorPostingRow[]> {
    return await loaders.postingsOfDebit.load(id);
  }
}

@InputType({ description: 'Filter of postings. All given conditions must hold.' })
export class OperatorPostingFilter implements db.OperatorPostingFilter {
  @Field(() => [OperatorPostingKindEnum], { nullable: true, description: 'One of these.' })
  kind?: PostingKind[] | null;

  @Field(() => [ID], { nullable: true, description: 'In the book of one of these accounts.' })
  accountId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'In the book of one of these channels.' })
  channelId?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'About the balance of one of these merchants.',
  })
  merchantId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Commissions paid to one of these resellers.' })
  resellerId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => TimeRange, { nullable: true, description: 'When it was posted.' })
  at?: TimeRange | null;
}

export const OperatorPostingListResolver = listResolver('operatorPostings', {
  description: 'Postings by operators, the newest first.',
  connection: connectionOf(OperatorPosting, 'OperatorPosting'),
  sort: sortEnum('OperatorPostingSort', { AT: 'By when it was posted' }),
  defaultSort: 'AT_DESC',
  filter: OperatorPostingFilter,
  sorts: db.OPERATOR_POSTING_SORTS,
  id: BY_ID,
  read: db.listOperatorPostings,
  count: db.countOperatorPostings,
  narrow: toOwnMerchants,
});
