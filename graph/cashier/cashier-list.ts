import { Field, ID, InputType } from 'type-graphql';
import type { CashierStatus } from '../../domain/cashier';
import * as db from '../../db/cashier/session-list';
import { BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { CashierSession } from './cashier-session';
import { CashierStatusEnum } from './cashier-view';
import { listResolver, toOwnMerchants } from '../list-resolver';

@InputType({ description: 'Filter of cashier sessions. All given conditions must hold.' })
export class CashierSessionFilter implements db.CashierFilter {
  @Field(() => [CashierStatusEnum], { nullable: true, description: 'One of these.' })
  status?: CashierStatus[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => String, { nullable: true, description: "Exactly the merchant's identifier." })
  userId?: string | null;

  @Field(() => String, { nullable: true, description: "Exactly the merchant's number." })
  merchantOrderNo?: string | null;

  @Field(() => TimeRange, { nullable: true, description: 'When the merchant opened it.' })
  createdAt?: TimeRange | null;
}

export const CashierListResolver = listResolver('cashierSessions', {
  description: 'Cashier sessions, the newest first by default.',
  connection: connectionOf(CashierSession, 'CashierSession'),
  sort: sortEnum('CashierSessionSort', {
    CREATED_AT: 'By their creation',
  }),
  defaultSort: 'CREATED_AT_DESC',
  filter: CashierSessionFilter,
  sorts: db.CASHIER_SORTS,
  id: BY_ID,
  read: db.listCashierSessions,
  count: db.countCashierSessions,
  narrow: toOwnMerchants,
});
