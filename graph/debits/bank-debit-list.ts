import { Arg, Args, Authorized, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import * as db from '../../db/transfers/bank-debit-list';
import type { BankDebitView } from '../../db/transfers/bank-debits';
import type { Database } from '../../db/client';
import {
  AmountRange,
  BY_ID,
  type Connected,
  connect,
  connectionOf,
  type List,
  PageArgs,
  sortEnum,
  type SortName,
  TimeRange,
} from '../connection';
import { type GraphContext } from '../context';
import { refuseRestricted } from '../transfers/bank-transfer-list';
import { BankDebit } from './bank-debit';

/** A page of debits. */
export const BankDebitConnection = connectionOf(BankDebit, 'BankDebit');

/** How debits are sorted. */
export const BankDebitSort = sortEnum<db.BankDebitSortBy>('BankDebitSort', {
  RECEIVED_AT: 'By when we were told',
});

@InputType({ description: 'Which debits to show: all that is given must hold.' })
export class BankDebitFilter implements db.BankDebitFilter {
  @Field(() => [ID], { nullable: true, description: 'On one of these bank accounts.' })
  accountId?: string[] | null;

  @Field(() => AmountRange, { nullable: true })
  amount?: AmountRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'When we were told.' })
  receivedAt?: TimeRange | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'False: those that wait for a person. True: those that do not.',
  })
  explained?: boolean | null;
}

const listOf = (
  database: Database,
): List<BankDebitView, db.BankDebitSortBy, db.BankDebitFilter> => ({
  sorts: db.BANK_DEBIT_SORTS,
  id: BY_ID,
  read: async (filter, page) => await db.listBankDebits(database, filter, page),
  count: async (filter, most) => await db.countBankDebits(database, filter, most),
});

@Resolver()
export class BankDebitListResolver {
  @Authorized('VIEW')
  @Query(() => BankDebitConnection, {
    description: 'What left managed accounts, as banks reported it, the newest first.',
  })
  async bankDebits(
    @Ctx() { actor, database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => BankDebitSort, { defaultValue: 'RECEIVED_AT_DESC' })
    sort: SortName<db.BankDebitSortBy>,
    @Arg('filter', () => BankDebitFilter, { nullable: true }) filter?: BankDebitFilter | null,
  ): Promise<Connected<BankDebit>> {
    refuseRestricted(actor);
    return await connect(listOf(database), page, filter ?? {}, sort);
  }
}
