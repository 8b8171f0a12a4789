import { Arg, Args, Authorized, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import type { TransferType } from '../../domain/ledger';
import { shownMerchants } from '../../domain/permissions';
import * as db from '../../db/ledger/ledger-list';
import { operatorOf } from '../access/authorization';
import {
  type Connected,
  connect,
  connectionOf,
  PageArgs,
  sortEnum,
  type SortName,
  TimeRange,
} from '../connection';
import { type GraphContext } from '../context';
import { LedgerEntry, TransferTypeEnum } from './ledger-entry';

/** A page of the ledger's lines. */
export const LedgerEntryConnection = connectionOf(LedgerEntry, 'LedgerEntry');

/** How the ledger's lines are sorted. */
export const LedgerEntrySort = sortEnum<db.LedgerEntrySortBy>('LedgerEntrySort', {
  AT: 'By the time of their transfer',
});

@InputType({ description: 'Which lines of the ledger to show: all that is given must hold.' })
export class LedgerEntryFilter implements db.LedgerEntryFilter {
  @Field(() => [ID], { nullable: true, description: 'On the accounts of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'On one of these accounts, such as `suspense`; see docs/ledger.md.',
  })
  account?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => [TransferTypeEnum], {
    nullable: true,
    description: 'Of transfers that record one of these.',
  })
  type?: TransferType[] | null;

  @Field(() => TimeRange, { nullable: true, description: 'When it was posted.' })
  at?: TimeRange | null;

  @Field(() => String, {
    nullable: true,
    description: 'Of transfers about this order: its gateway number.',
  })
  orderNo?: string | null;
}

@Resolver()
export class LedgerListResolver {
  @Authorized('VIEW')
  @Query(() => LedgerEntryConnection, {
    description: "The ledger's lines, the newest first unless told otherwise.",
  })
  async ledgerEntries(
    @Ctx() { actor, database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => LedgerEntrySort, { defaultValue: 'AT_DESC' })
    sort: SortName<db.LedgerEntrySortBy>,
    @Arg('filter', () => LedgerEntryFilter, { nullable: true }) filter?: LedgerEntryFilter | null,
  ): Promise<Connected<LedgerEntry>> {
    const asked: db.LedgerEntryFilter = filter ?? {};
    const merchantId = shownMerchants(operatorOf(actor), asked.merchantId);
    return await connect(
      {
        sorts: db.LEDGER_ENTRY_SORTS,
        id: { of: ({ line }) => String(line), type: 'smallint' },
        read: async (shown, request) => await db.listLedgerEntries(database, shown, request),
        count: async (shown, most) => await db.countLedgerEntries(database, shown, most),
      },
      page,
      { ...asked, merchantId },
      sort,
    );
  }
}
