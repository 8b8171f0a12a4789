import { Field, ID, InputType } from 'type-graphql';
import type { NotificationStatus } from '../../domain/callback';
import type { DepositOrderType, DepositStatus } from '../../domain/deposit';
import * as db from '../../db/deposits/deposit-list';
import { CallbackStatusEnum } from '../callbacks/callback';
import { AmountRange, BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { DepositOrder, DepositOrderTypeEnum, DepositStatusEnum } from './deposit';
import { listResolver, toOwnMerchants } from '../list-resolver';

/** How deposits are sorted. */
export const DepositSort = sortEnum<db.DepositSortBy>('DepositSort', {
  CREATED_AT: 'By their creation',
  AMOUNT: 'By the amount to transfer',
  COMPLETED_AT: 'By their completion; only completed ones',
  EXPIRE_AT: 'By their expiry; only PENDING and MATCHED ones',
});

@InputType({ description: 'Filter of deposits. All given conditions must hold.' })
export class DepositFilter implements db.DepositFilter {
  @Field(() => [DepositStatusEnum], { nullable: true, description: 'One of these.' })
  status?: DepositStatus[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'To one of these bank accounts.' })
  accountId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => [DepositOrderTypeEnum], { nullable: true, description: 'Of one of these types.' })
  orderType?: DepositOrderType[] | null;

  @Field(() => AmountRange, { nullable: true, description: 'What the payer must transfer.' })
  amount?: AmountRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'When the order was created.' })
  createdAt?: TimeRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'Only completed ones.' })
  completedAt?: TimeRange | null;

  @Field(() => TimeRange, {
    nullable: true,
    description: 'When the order expires, or would have expired.',
  })
  expireAt?: TimeRange | null;

  @Field(() => [CallbackStatusEnum], {
    nullable: true,
    description: 'The status of its newest callback, as in `callbackStatus`.',
  })
  callbackStatus?: NotificationStatus[] | null;

  @Field(() => String, { nullable: true, description: "Exactly the merchant's identifier." })
  userId?: string | null;

  @Field(() => String, { nullable: true, description: "Of the payer's account number." })
  payerAccountLast4?: string | null;

  @Field(() => [String], { nullable: true, description: 'One of these gateway numbers, exactly.' })
  orderNo?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: "One of these merchants' numbers, exactly.",
  })
  merchantOrderNo?: string[] | null;
}

export const DepositListResolver = listResolver('deposits', {
  description: 'Deposits, the newest first by default.',
  connection: connectionOf(DepositOrder, 'Deposit'),
  sort: DepositSort,
  defaultSort: 'CREATED_AT_DESC',
  filter: DepositFilter,
  sorts: db.DEPOSIT_SORTS,
  id: BY_ID,
  read: db.listDeposits,
  count: db.countDeposits,
  narrow: toOwnMerchants,
});
