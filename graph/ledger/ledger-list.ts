import { Field, ID, InputType } from 'type-graphql';
import type { TransferType } from '../../domain/ledger';
import * as db from '../../db/ledger/ledger-list';
import { connectionOf, sortEnum, TimeRange } from '../connection';
import { LedgerEntry, LedgerTransferTypeEnum } from './ledger-entry';
import { listResolver, toOwnMerchants } from '../list-resolver';

/** How the ledger's lines are sorted. */
export const LedgerEntrySort = sortEnum<db.LedgerEntrySortBy>('LedgerEntrySort', {
  AT: 'By the time of their transfer',
});

@InputType({ description: 'Filter of lines of the ledger. All given conditions must hold.' })
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

  @Field(() => [LedgerTransferTypeEnum], {
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

export const LedgerListResolver = listResolver('ledgerEntries', {
  description: "The ledger's lines, the newest first by default.",
  connection: connectionOf(LedgerEntry, 'LedgerEntry'),
  sort: LedgerEntrySort,
  defaultSort: 'AT_DESC',
  filter: LedgerEntryFilter,
  sorts: db.LEDGER_ENTRY_SORTS,
  id: { of: ({ line }) => String(line), type: 'smallint' },
  read: db.listLedgerEntries,
  count: db.countLedgerEntries,
  narrow: toOwnMerchants,
});
