import { Field, ID, InputType } from 'type-graphql';
import { soughtAccount } from '../../crypto/beneficiary';
import type { PayoutMethod, WithdrawalOrigin, WithdrawalStatus } from '../../domain/withdrawal';
import * as db from '../../db/withdrawals/withdrawal-list';
import { AmountRange, BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { PayoutMethodEnum, WithdrawalOrder, WithdrawalOriginEnum, WithdrawalStatusEnum } from './withdrawal';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { operatorOf } from '../../steps/access/caller';

/** How withdrawals are sorted. */
export const WithdrawalSort = sortEnum<db.WithdrawalSortBy>('WithdrawalSort', {
  CREATED_AT: 'By their creation',
  AMOUNT: 'By what the beneficiary gets',
  COMPLETED_AT: 'By their completion; the completed alone',
});

@InputType({ description: 'Filter of withdrawals. All given conditions must hold.' })
export class WithdrawalFilter implements db.WithdrawalFilter {
  @Field(() => [WithdrawalStatusEnum], { nullable: true, description: 'One of these.' })
  status?: WithdrawalStatus[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => [WithdrawalOriginEnum], {
    nullable: true,
    description: "Settlements alone, or merchants' own.",
  })
  origin?: WithdrawalOrigin[] | null;

  @Field(() => [PayoutMethodEnum], {
    nullable: true,
    description: 'Paid in one of these ways; the routed alone.',
  })
  payoutMethod?: PayoutMethod[] | null;

  @Field(() => [ID], { nullable: true, description: 'By one of these channels.' })
  channelId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'From one of these managed accounts.' })
  accountId?: string[] | null;

  @Field(() => AmountRange, { nullable: true, description: 'What the beneficiary gets.' })
  amount?: AmountRange | null;

  @Field(() => String, { nullable: true, description: "Exactly the beneficiary's number." })
  beneficiaryAccount?: string | null;

  @Field(() => String, { nullable: true, description: 'Of the bank directory.' })
  beneficiaryBankCode?: string | null;

  @Field(() => TimeRange, { nullable: true, description: 'When the order was created.' })
  createdAt?: TimeRange | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether a person must find out the outcome of the payout.',
  })
  needsManualIntervention?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it is PENDING although people should have decided by now.',
  })
  overdue?: boolean | null;

  @Field(() => [ID], { nullable: true, description: 'One of these operators looks at it.' })
  claimedBy?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: the caller looks at it. Stands for `claimedBy`, whatever that says.',
  })
  mine?: boolean | null;

  @Field(() => [String], { nullable: true, description: 'One of these gateway numbers, exactly.' })
  orderNo?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: "One of these merchants' numbers, exactly.",
  })
  merchantOrderNo?: string[] | null;

  @Field(() => TimeRange, { nullable: true, description: 'The completed alone.' })
  completedAt?: TimeRange | null;
}

export const WithdrawalListResolver = listResolver('withdrawals', {
  description: 'Withdrawals, the newest first by default.',
  connection: connectionOf(WithdrawalOrder, 'Withdrawal'),
  sort: WithdrawalSort,
  defaultSort: 'CREATED_AT_DESC',
  filter: WithdrawalFilter,
  sorts: db.WITHDRAWAL_SORTS,
  id: BY_ID,
  read: db.listWithdrawals,
  count: db.countWithdrawals,
  narrow: ({ mine, ...asked }, context) => ({
    ...toOwnMerchants(asked, context),
    ...(asked.beneficiaryAccount != null && {
      beneficiaryIndexes: soughtAccount(context.lookup, asked.beneficiaryAccount).indexes,
    }),
    ...(mine && { claimedBy: [operatorOf(context.actor).id] }),
  }),
});
