import { sql } from 'drizzle-orm';
import {
  bigint,
  char,
  check,
  date,
  index,
  pgSequence,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bankAccounts } from './bank-accounts';
import type { UnmatchedReason } from '../../domain/matching';
import { at, code, money } from './columns';
import { depositOrders } from './deposits';
import { operators } from './operators';

/** Bank credits of our accounts, as banks reported them, each once. */
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
    /** Sealed, as the account (domain/sealed-for.ts). */
    payerName: text('payer_name'),
    payerAccount: text('payer_account'),
    /** Its blind index; null: it has none, or is erased. */
    payerAccountIndex: code('payer_account_index'),
    /** Sealed too; empty if the bank says nothing. */
    memo: text().notNull(),
    /** Remarks in the memo that orders have; null in rows that an older release wrote, whose memo is read instead. */
    namedRemarks: text('named_remarks').array().$type<readonly string[]>(),
    balanceAfter: money('balance_after'),
    /** Who reported it: `operator:…` or `agent:…`. */
    source: text().notNull(),
    /** Why it waits for an operator; null while allocated to a deposit. */
    unmatchedReason: text('unmatched_reason').$type<UnmatchedReason>(),
    receivedAt: at('received_at').notNull(),
    /** Who else reported it, if an operator had entered it first; until then it is provisional. */
    confirmedBy: text('confirmed_by'),
    confirmedAt: at('confirmed_at'),
    /** The day of its account's limits that it counts to; null where the account had none. */
    countedDay: date('counted_day', { mode: 'string' }),
    /** The findings about its payer, as text; null without findings. Sealed (domain/sealed-for.ts). */
    payerFinding: text('payer_finding'),
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
    // Whether another source, or another kind of report, is known of the same amount: see transfer_facts.
    index('bank_transfers_ways').on(
      t.accountId,
      t.amount,
      sql`(${t.source} || case when ${t.bankReference} is null then ' ?' else '' end)`,
      t.bankTime,
    ),
    index('bank_transfers_source').on(t.source, t.receivedAt),
    check('bank_transfers_direction', sql`${t.direction} in ('CREDIT')`),
    check('bank_transfers_amount', sql`${t.amount} > 0`),
  ],
);

/**
 * Which deposit a bank credit paid. A whole credit is used once, and a deposit is paid by one once. Operators may split
 * a credit over several deposits, or combine several for one. A release keeps the row.
 */
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
    /** The part of the credit that pays the deposit; null: all of it. */
    amount: money('amount'),
    /** The fee of the deposit, fixed at the match; with several parts, on the first one. */
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
      .where(sql`${t.releasedAt} is null and ${t.amount} is null`),
    uniqueIndex('transfer_allocations_deposit')
      .on(t.depositId)
      .where(sql`${t.releasedAt} is null and ${t.amount} is null`),
    uniqueIndex('transfer_allocations_part')
      .on(t.transferId, t.depositId)
      .where(sql`${t.releasedAt} is null`),
    check('transfer_allocations_amount', sql`${t.amount} > 0`),
  ],
);

/** Numbers of changes of bank transfers: none is used twice. */
export const bankTransferNumbers = pgSequence('bank_transfer_numbers');

/**
 * The last change of each bank credit. Numbered after the commit, and again with each change, so that subscribers see
 * the present state of each and miss none. A separate table, because numbering would write the credits' rows a second
 * time.
 */
export const bankTransferChanges = pgTable(
  'bank_transfer_changes',
  {
    transferId: uuid('transfer_id')
      .primaryKey()
      .references(() => bankTransfers.id),
    position: bigint({ mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    /** Given by the relay; null until then, and again after a change. */
    seq: bigint({ mode: 'bigint' }).unique(),
  },
  (t) => [
    index('bank_transfer_changes_unnumbered')
      .on(t.position)
      .where(sql`${t.seq} is null`),
  ],
);

/** The operator who works on a waiting bank credit, and notes about it. */
export const creditWork = pgTable('credit_work', {
  transferId: uuid('transfer_id')
    .primaryKey()
    .references(() => bankTransfers.id),
  /** The operator who works on it; others may still act. */
  ownerId: uuid('owner_id').references(() => operators.id),
  note: text(),
  updatedAt: at('updated_at').notNull(),
});
