import { sql } from 'drizzle-orm';
import { char, check, index, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { bankAccounts } from './bank-accounts';
import type { UnmatchedReason } from '../../domain/matching';
import { at, code, money } from './columns';
import { depositOrders } from './deposits';

/** What banks reported on our accounts, each transfer once. */
export const bankTransfers = pgTable(
  'bank_transfers',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    direction: text().$type<'CREDIT'>().notNull(),
    amount: money('amount').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    bankReference: text('bank_reference'),
    /** The normalised bank reference, else a hash of what the bank reported. */
    dedupeKey: code('dedupe_key').notNull(),
    bankTime: at('bank_time').notNull(),
    payerName: text('payer_name'),
    payerAccount: text('payer_account'),
    memo: text().notNull(),
    balanceAfter: money('balance_after'),
    /** Who reported it: `operator:…` or `agent:…`. */
    source: text().notNull(),
    /** Why it waits for a person; null while allocated to a deposit. */
    unmatchedReason: text('unmatched_reason').$type<UnmatchedReason>(),
    receivedAt: at('received_at').notNull(),
    /** Who else reported the same, where a person had reported it first; until then it is provisional. */
    confirmedBy: text('confirmed_by'),
    confirmedAt: at('confirmed_at'),
  },
  (t) => [
    unique('bank_transfers_once').on(t.accountId, t.direction, t.dedupeKey),
    index('bank_transfers_unmatched')
      .on(t.receivedAt, t.id)
      .where(sql`${t.unmatchedReason} is not null`),
    index('bank_transfers_newest').on(t.receivedAt, t.id),
    index('bank_transfers_by_bank_time').on(t.bankTime, t.id),
    index('bank_transfers_of_account').on(t.accountId, t.bankTime, t.id),
    index('bank_transfers_alike').on(t.accountId, t.amount, t.bankTime),
    index('bank_transfers_source').on(t.source, t.receivedAt),
    check('bank_transfers_direction', sql`${t.direction} in ('CREDIT')`),
    check('bank_transfers_amount', sql`${t.amount} > 0`),
  ],
);

/** Which deposit a transfer paid. A transfer is consumed once, a deposit paid once; a release keeps the row. */
export const transferAllocations = pgTable(
  'transfer_allocations',
  {
    id: uuid().primaryKey(),
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => bankTransfers.id),
    depositId: uuid('deposit_id')
      .notNull()
      .references(() => depositOrders.id),
    /** What the deposit will be charged, fixed at the match. */
    fee: money('fee').notNull(),
    /** `system` for the automatic rule, else the operator. */
    matchedBy: text('matched_by').notNull(),
    reason: text(),
    at: at('at').notNull(),
    releasedAt: at('released_at'),
  },
  (t) => [
    index('transfer_allocations_transfer').on(t.transferId),
    index('transfer_allocations_of_deposit').on(t.depositId),
    uniqueIndex('transfer_allocations_once')
      .on(t.transferId)
      .where(sql`${t.releasedAt} is null`),
    uniqueIndex('transfer_allocations_deposit')
      .on(t.depositId)
      .where(sql`${t.releasedAt} is null`),
  ],
);
