import { sql } from 'drizzle-orm';
import { char, check, index, integer, pgTable, smallint, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { PayoutAttemptStatus } from '../../domain/payout';
import type { PayoutMethod } from '../../domain/withdrawal';
import { bankAccounts } from './bank-accounts';
import { channels } from './channels';
import { at, bankReferenceKey, bytea, money, moneyFromZero } from './columns';
import { operators } from './operators';
import { withdrawalOrders } from './withdrawals';

/**
 * Attempts to pay a withdrawal, by a channel or by a person from a managed account. At most one of a withdrawal is
 * open, unknown or paid.
 */
export const payoutAttempts = pgTable(
  'payout_attempts',
  {
    id: uuid().primaryKey(),
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawalOrders.id),
    /** 1, 2, 3 … of its withdrawal. */
    number: smallint().notNull(),
    method: text().$type<PayoutMethod>().notNull(),
    channelId: uuid('channel_id').references(() => channels.id),
    /** The managed account that pays; of a manual task that is claimed. */
    accountId: uuid('account_id').references(() => bankAccounts.id),
    /**
     * Our reference at the payer, never reused: `{order_no}-{number}`, for a channel followed by
     * `-{epoch}-{channel_code}`.
     */
    reference: text().notNull().unique(),
    status: text().$type<PayoutAttemptStatus>().notNull(),
    /** The channel's own number of it. */
    channelOrderNo: text('channel_order_no'),
    /** The channel's charge, as reported or as agreed; null until paid. */
    cost: money('cost'),
    claimedBy: uuid('claimed_by').references(() => operators.id),
    claimedAt: at('claimed_at'),
    /** When the person began to pay: then only a second person can release it. */
    sendingAt: at('sending_at'),
    /** The bank's number of the transfer. */
    bankReference: text('bank_reference'),
    /** Where the proof is kept. */
    proof: text(),
    lastError: text('last_error'),
    /** Set before the request to the channel is sent: from then on only queries show its outcome. */
    sentAt: at('sent_at'),
    /** When the channel contradicted the attempt's outcome, or a recheck was due; null once it was queried. */
    doubtedAt: at('doubted_at'),
    /** When the channel first reported a failure that is not final yet. */
    failureReportedAt: at('failure_reported_at'),
    /** When a channel first reported a success; a failure that it also reports contradicts it. */
    successReportedAt: at('success_reported_at'),
    /** When a clear answer came last: accepted, not paid yet. */
    answeredAt: at('answered_at'),
    /** Rechecks made after the final failure, and the time of the next; null: no more. */
    rechecked: smallint().notNull().default(0),
    recheckAt: at('recheck_at'),
    /** How often messages and sweeps woke its workflow, and for when the last wake was written. */
    wakes: integer().notNull().default(0),
    wokenAt: at('woken_at'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    finishedAt: at('finished_at'),
  },
  (t) => [
    unique('payout_attempts_number').on(t.withdrawalId, t.number),
    uniqueIndex('payout_attempts_one')
      .on(t.withdrawalId)
      .where(sql`${t.status} not in ('REFUSED', 'FAILED', 'CANCELLED')`),
    uniqueIndex('payout_attempts_bank_reference')
      .on(t.accountId, bankReferenceKey(t.bankReference))
      .where(sql`${t.bankReference} is not null`),
    index('payout_attempts_recheck')
      .on(t.recheckAt, t.id)
      .where(sql`${t.recheckAt} is not null`),
    index('payout_attempts_doubted')
      .on(t.doubtedAt, t.id)
      .where(sql`${t.doubtedAt} is not null`),
    index('payout_attempts_of_channel')
      .on(t.channelId, t.sentAt)
      .where(sql`${t.channelId} is not null`),
    index('payout_attempts_by_hand')
      .on(t.accountId, t.finishedAt)
      .where(sql`${t.accountId} is not null`),
    // For alertPayoutsWithoutDebit.
    index('payout_attempts_paid_by_hand')
      .on(t.finishedAt, t.id)
      .where(sql`${t.method} = 'MANUAL' and ${t.status} = 'COMPLETED'`),
    index('payout_attempts_open')
      .on(t.createdAt, t.id)
      .where(sql`${t.status} in ('PREPARED', 'SENT', 'UNKNOWN', 'OPEN', 'CLAIMED', 'SENDING')`),
    check(
      'payout_attempts_status',
      sql`case ${t.method}
        when 'CHANNEL' then ${t.channelId} is not null and ${t.accountId} is null
          and ${t.status} in ('PREPARED', 'SENT', 'UNKNOWN', 'SUCCEEDED', 'REFUSED', 'FAILED')
        when 'MANUAL' then ${t.channelId} is null
          and ${t.status} in ('OPEN', 'CLAIMED', 'SENDING', 'COMPLETED', 'CANCELLED')
        else false end`,
    ),
    check(
      'payout_attempts_sent',
      sql`${t.method} = 'MANUAL' or (${t.status} = 'PREPARED') = (${t.sentAt} is null)
        or ${t.status} = 'REFUSED'`,
    ),
    check('payout_attempts_recheck', sql`${t.recheckAt} is null or ${t.status} = 'FAILED'`),
    check(
      'payout_attempts_finished',
      sql`(${t.status} in ('SUCCEEDED', 'REFUSED', 'FAILED', 'COMPLETED', 'CANCELLED')) = (${t.finishedAt} is not null)`,
    ),
    check(
      'payout_attempts_claimed',
      sql`(${t.status} in ('CLAIMED', 'SENDING')) <= (${t.claimedBy} is not null and ${t.accountId} is not null)
        and (${t.status} = 'SENDING') <= (${t.sendingAt} is not null)
        and (${t.status} = 'COMPLETED') <= (${t.bankReference} is not null and ${t.accountId} is not null)`,
    ),
  ],
);

/** Ledger corrections after a channel's report about an ended attempt: each kind once. */
export const payoutAftermaths = pgTable(
  'payout_aftermaths',
  {
    id: uuid().primaryKey(),
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => payoutAttempts.id),
    type: text().$type<'WITHDRAWAL_LATE_PAID' | 'WITHDRAWAL_RETURNED' | 'CHANNEL_CLAIMED'>().notNull(),
    /** What the channel paid, or got back. */
    amount: money('amount').notNull(),
    /** Of a late payment: its fee, the merchant's debit, and what the merchant owes since. */
    fee: moneyFromZero('fee'),
    fromAvailable: moneyFromZero('from_available'),
    owed: moneyFromZero('owed'),
    at: at('at').notNull(),
  },
  (t) => [
    unique('payout_aftermaths_once').on(t.attemptId, t.type),
    check(
      'payout_aftermaths_amounts',
      sql`${t.amount} > 0 and ${t.fee} >= 0 and ${t.fromAvailable} >= 0 and ${t.owed} >= 0
        and case ${t.type}
        when 'WITHDRAWAL_LATE_PAID' then ${t.amount} + ${t.fee} = ${t.fromAvailable} + ${t.owed}
        when 'WITHDRAWAL_RETURNED' then ${t.fee} + ${t.fromAvailable} + ${t.owed} = 0
        when 'CHANNEL_CLAIMED' then ${t.fee} + ${t.fromAvailable} + ${t.owed} = 0
        else false end`,
    ),
  ],
);

/** Proofs of manual payouts: stored as received, never changed, never opened by us. */
export const transferProofs = pgTable(
  'transfer_proofs',
  {
    id: uuid().primaryKey(),
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => payoutAttempts.id),
    /** The media type, by its first bytes. */
    type: text().notNull(),
    file: bytea('file').notNull(),
    /** Of the file, hex. */
    sha256: char({ length: 64 }).notNull(),
    attachedBy: uuid('attached_by')
      .notNull()
      .references(() => operators.id),
    at: at('at').notNull(),
  },
  (t) => [
    unique('transfer_proofs_once').on(t.attemptId, t.sha256),
    check('transfer_proofs_type', sql`${t.type} in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')`),
    check('transfer_proofs_size', sql`octet_length(${t.file}) between 1 and 2097152`),
  ],
);
