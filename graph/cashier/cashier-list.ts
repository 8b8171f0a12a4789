import { Arg, Args, Authorized, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import type { CashierStatus } from '../../domain/cashier';
import { shownMerchants } from '../../domain/permissions';
import * as db from '../../db/cashier/session-list';
import { operatorOf } from '../access/authorization';
import {
  BY_ID,
  type Connected,
  connect,
  connectionOf,
  PageArgs,
  sortEnum,
  type SortName,
  TimeRange,
} from '../connection';
import type { GraphContext } from '../context';
import { CashierSession } from './cashier-session';
import { CashierStatusEnum } from './cashier-view';

/** A page of cashier sessions. */
export const CashierSessionConnection = connectionOf(CashierSession, 'CashierSession');

/** How cashier sessions are sorted. */
export const CashierSessionSort = sortEnum<db.CashierSortBy>('CashierSessionSort', {
  CREATED_AT: 'By their creation',
});

@InputType({ description: 'Which cashier sessions to show: all that is given must hold.' })
export class CashierSessionFilter implements db.CashierFilter {
  @Field(() => [CashierStatusEnum], { nullable: true, description: 'One of these.' })
  status?: CashierStatus[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => String, { nullable: true, description: "Exactly the merchant's identifier." })
  userId?: string | null;

  @Field(() => String, { nullable: true, description: "Exactly the merchant's number." })
  merchantOrderNo?: string | null;

  @Field(() => TimeRange, { nullable: true })
  createdAt?: TimeRange | null;
}

@Resolver()
export class CashierListResolver {
  @Authorized('VIEW')
  @Query(() => CashierSessionConnection, {
    description: 'Cashier sessions, the newest first unless told otherwise.',
  })
  async cashierSessions(
    @Ctx() { actor, database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => CashierSessionSort, { defaultValue: 'CREATED_AT_DESC' })
    sort: SortName<db.CashierSortBy>,
    @Arg('filter', () => CashierSessionFilter, { nullable: true })
    filter?: CashierSessionFilter | null,
  ): Promise<Connected<CashierSession>> {
    const asked: db.CashierFilter = filter ?? {};
    return await connect(
      {
        sorts: db.CASHIER_SORTS,
        id: BY_ID,
        read: async (shown, request) => await db.listCashierSessions(database, shown, request),
        count: async (shown, most) => await db.countCashierSessions(database, shown, most),
      },
      page,
      { ...asked, merchantId: shownMerchants(operatorOf(actor), asked.merchantId) },
      sort,
    );
  }
}
