import { Arg, Args, Authorized, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import type { NotificationStatus } from '../../domain/callback';
import type { DepositOrderType, DepositStatus } from '../../domain/deposit';
import { shownMerchants } from '../../domain/permissions';
import * as db from '../../db/deposits/deposit-list';
import { operatorOf } from '../access/authorization';
import { NotificationStatusEnum } from '../callbacks/callback';
import {
  AmountRange,
  BY_ID,
  type Connected,
  connect,
  connectionOf,
  PageArgs,
  sortEnum,
  type SortName,
  TimeRange,
} from '../connection';
import { type GraphContext } from '../context';
import { DepositOrder, DepositOrderTypeEnum, DepositStatusEnum } from './deposit';

/** A page of deposits. */
export const DepositConnection = connectionOf(DepositOrder, 'Deposit');

/** How deposits are sorted. */
export const DepositSort = sortEnum<db.DepositSortBy>('DepositSort', {
  CREATED_AT: 'By their creation',
  AMOUNT: 'By what the payer must transfer',
  COMPLETED_AT: 'By their completion; the completed alone',
  EXPIRE_AT: 'By their expiry; the PENDING and MATCHED alone',
});

@InputType({ description: 'Which deposits to show: all that is given must hold.' })
export class DepositFilter implements db.DepositFilter {
  @Field(() => [DepositStatusEnum], { nullable: true, description: 'One of these.' })
  status?: DepositStatus[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'To one of these bank accounts.' })
  accountId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => DepositOrderTypeEnum, { nullable: true })
  orderType?: DepositOrderType | null;

  @Field(() => AmountRange, { nullable: true, description: 'What the payer must transfer.' })
  amount?: AmountRange | null;

  @Field(() => TimeRange, { nullable: true })
  createdAt?: TimeRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'The completed alone.' })
  completedAt?: TimeRange | null;

  @Field(() => TimeRange, { nullable: true })
  expireAt?: TimeRange | null;

  @Field(() => [NotificationStatusEnum], {
    nullable: true,
    description: 'How its newest callback fares, as `callbackStatus` tells it.',
  })
  callbackStatus?: NotificationStatus[] | null;

  @Field(() => String, { nullable: true, description: "Exactly the merchant's identifier." })
  userId?: string | null;

  @Field(() => String, { nullable: true, description: "Of the payer's account number." })
  payerAccountLast4?: string | null;
}

@Resolver()
export class DepositListResolver {
  @Authorized('VIEW')
  @Query(() => DepositConnection, {
    description: 'Deposits, the newest first unless told otherwise.',
  })
  async deposits(
    @Ctx() { actor, database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => DepositSort, { defaultValue: 'CREATED_AT_DESC' })
    sort: SortName<db.DepositSortBy>,
    @Arg('filter', () => DepositFilter, { nullable: true }) filter?: DepositFilter | null,
  ): Promise<Connected<DepositOrder>> {
    const asked: db.DepositFilter = filter ?? {};
    const merchantId = shownMerchants(operatorOf(actor), asked.merchantId);
    return await connect(
      {
        sorts: db.DEPOSIT_SORTS,
        id: BY_ID,
        read: async (shown, request) => await db.listDeposits(database, shown, request),
        count: async (shown, most) => await db.countDeposits(database, shown, most),
      },
      page,
      { ...asked, merchantId },
      sort,
    );
  }
}
