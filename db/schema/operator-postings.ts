import { sql } from 'drizzle-orm';
import { type AnyPgColumn, char, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import {
  POSTING_SHAPES,
  type PostingKind,
  type PostingReference,
  type PostingShape,
} from '../../domain/operator-posting';
import { bankAccounts } from './bank-accounts';
import { bankDebits } from './bank-debits';
import { bankTransfers } from './bank-transfers';
import { changeRequests } from './change-requests';
import { channels } from './channels';
import { at, code, money, moneyFromZero } from './columns';
import { depositAttempts, depositOrders } from './deposits';
import { resellers } from './commissions';
import { merchants } from './merchants';
import { operators } from './operators';
import { statementRules } from './statements';
import { withdrawalOrders } from './withdrawals';

const REFERENCES: readonly PostingReference[] = [
  ...(['bank_transfer_id', 'bank_debit_id', 'deposit_attempt_id', 'account_id'] as const),
  'channel_id',
  ...(['merchant_id', 'deposit_id', 'withdrawal_id', 'reseller_id', 'pair_id'] as const),
];

/** The conditions on a row of each kind, as SQL. */
function ruleOf({ needs, may = [], either = [], fee, signed, people }: PostingShape): string {
  const known = [...needs, ...may, ...either];
  return [
    ...needs.map((column) => `${column} is not null`),
    ...REFERENCES.filter((column) => !known.includes(column)).map((column) => `${column} is null`),
    ...(either.length > 0 ? [`num_nonnulls(${either.join(', ')}) = 1`] : []),
    fee ? 'fee >= 0' : 'fee = 0',
    signed ? 'amount <> 0' : 'amount > 0',
    ...(people === 'TWO' ? ['change_id is not null'] : []),
  ].join(' and ');
}

/**
 * What operators post: one table, whose kinds are those of domain/operator-posting.ts. A row demands one ledger
 * transfer of its kind, under its id, and one more once it is reversed.
 */
export const operatorPostings = pgTable(
  'operator_postings',
  {
    id: uuid().primaryKey(),
    kind: text().$type<PostingKind>().notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    amount: money('amount').notNull(),
    /** The fee: of a late credit what we keep, of a returned payout what we return. */
    fee: moneyFromZero('fee'),
    /** The credit that brought the money, or a part of it. */
    bankTransferId: uuid('bank_transfer_id').references(() => bankTransfers.id),
    /** The attempt at whose channel the money came too late, or a part of it. */
    depositAttemptId: uuid('deposit_attempt_id').references(() => depositAttempts.id),
    /** The debit that took it, or a part of it. */
    bankDebitId: uuid('bank_debit_id').references(() => bankDebits.id),
    accountId: uuid('account_id').references(() => bankAccounts.id),
    channelId: uuid('channel_id').references(() => channels.id),
    merchantId: uuid('merchant_id').references(() => merchants.id),
    depositId: uuid('deposit_id').references(() => depositOrders.id),
    withdrawalId: uuid('withdrawal_id').references(() => withdrawalOrders.id),
    /** The reseller whose commissions were paid out. */
    resellerId: uuid('reseller_id').references(() => resellers.id),
    /** Of the incoming leg: the outgoing one. */
    pairId: uuid('pair_id').references((): AnyPgColumn => operatorPostings.id),
    /** The approved change request; null if the rules allowed one person to do it. */
    changeId: uuid('change_id').references(() => changeRequests.id),
    /** The rule that explained the line of a statement with it; null if an operator did. */
    ruleId: uuid('rule_id').references(() => statementRules.id),
    /** `system`, or `operator:…`: who decided it. */
    postedBy: text('posted_by').notNull(),
    reason: text().notNull(),
    at: at('at').notNull(),
    reversedAt: at('reversed_at'),
    reversalChangeId: uuid('reversal_change_id').references(() => changeRequests.id),
    /** What the merchant's balance did not cover at the reversal. */
    reversalOwed: moneyFromZero('reversal_owed'),
  },
  (t) => [
    index('operator_postings_newest').on(t.at, t.id),
    index('operator_postings_kind').on(t.kind, t.id),
    index('operator_postings_transfer').on(t.bankTransferId),
    index('operator_postings_debit').on(t.bankDebitId),
    index('operator_postings_late')
      .on(t.depositAttemptId)
      .where(sql`${t.depositAttemptId} is not null`),
    index('operator_postings_deposit').on(t.depositId),
    index('operator_postings_of_merchant').on(t.merchantId, t.at, t.id),
    index('operator_postings_rule')
      .on(t.ruleId, t.at)
      .where(sql`${t.ruleId} is not null`),
    index('operator_postings_reversed')
      .on(t.reversedAt)
      .where(sql`${t.reversedAt} is not null`),
    // A payout comes back once, a book is opened once, a leg is paired once.
    uniqueIndex('operator_postings_returned')
      .on(t.withdrawalId)
      .where(sql`${t.withdrawalId} is not null and ${t.reversedAt} is null`),
    uniqueIndex('operator_postings_opened')
      .on(sql`coalesce(${t.accountId}, ${t.channelId})`, t.currencyCode)
      .where(sql`${t.kind} = 'ACCOUNT_OPENED' and ${t.reversedAt} is null`),
    uniqueIndex('operator_postings_pair')
      .on(t.pairId)
      .where(sql`${t.pairId} is not null and ${t.reversedAt} is null`),
    check(
      'operator_postings_kind',
      sql.raw(
        `coalesce(case kind ${Object.entries(POSTING_SHAPES)
          .map(([kind, shape]) => `when '${kind}' then ${ruleOf(shape)}`)
          .join(' ')} end, false)`,
      ),
    ),
    // Money that left a bank has its debit.
    check(
      'operator_postings_debit',
      sql`${t.kind} <> 'OWN_TRANSFER_OUT' or (${t.accountId} is null) = (${t.bankDebitId} is null)`,
    ),
    check('operator_postings_fee', sql`${t.kind} <> 'LATE_CREDIT' or ${t.fee} < ${t.amount}`),
    check(
      'operator_postings_reversal',
      sql`(${t.reversedAt} is null) = (${t.reversalChangeId} is null) and ${t.reversalOwed} >= 0
        and (${t.reversedAt} is not null or ${t.reversalOwed} = 0)`,
    ),
  ],
);

/**
 * Returns of money to its payer: of a waiting bank credit, or of a completed deposit. Two people approve; then an
 * operator sends it from a managed account.
 */
export const payerReturns = pgTable(
  'payer_returns',
  {
    id: uuid().primaryKey(),
    status: text().$type<'OPEN' | 'SENDING' | 'COMPLETED' | 'CANCELLED'>().notNull(),
    /** The credit whose money is returned; null for a refund. */
    bankTransferId: uuid('bank_transfer_id').references(() => bankTransfers.id),
    /** The deposit that is refunded; null for waiting money. */
    depositId: uuid('deposit_id').references(() => depositOrders.id),
    /** The merchant whose balance pays a refund. */
    merchantId: uuid('merchant_id').references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    amount: money('amount').notNull(),
    /** Sealed, as the account (domain/sealed-for.ts). */
    payeeName: text('payee_name').notNull(),
    payeeAccount: code('payee_account').notNull(),
    /** Its blind index, as the credit has it from which it was taken; null: erased. */
    payeeAccountIndex: code('payee_account_index'),
    payeeBank: text('payee_bank'),
    /** The approved change request. */
    changeId: uuid('change_id')
      .notNull()
      .references(() => changeRequests.id),
    reason: text().notNull(),
    createdAt: at('created_at').notNull(),
    /** The account that pays, and who sends it; null until then. */
    accountId: uuid('account_id').references(() => bankAccounts.id),
    sentBy: uuid('sent_by').references(() => operators.id),
    sendingAt: at('sending_at'),
    /** The bank's number of the transfer, and the debit that reports it. */
    bankReference: text('bank_reference'),
    bankDebitId: uuid('bank_debit_id').references(() => bankDebits.id),
    endedAt: at('ended_at'),
    /** Why it was cancelled. */
    endReason: text('end_reason'),
  },
  (t) => [
    index('payer_returns_newest').on(t.createdAt, t.id),
    index('payer_returns_ended')
      .on(t.endedAt)
      .where(sql`${t.endedAt} is not null`),
    index('payer_returns_open')
      .on(t.createdAt, t.id)
      .where(sql`${t.endedAt} is null`),
    index('payer_returns_transfer').on(t.bankTransferId),
    index('payer_returns_deposit').on(t.depositId),
    index('payer_returns_of_merchant').on(t.merchantId, t.createdAt, t.id),
    uniqueIndex('payer_returns_debit')
      .on(t.bankDebitId)
      .where(sql`${t.bankDebitId} is not null`),
    check(
      'payer_returns_source',
      sql`num_nonnulls(${t.bankTransferId}, ${t.depositId}) = 1
        and (${t.depositId} is null) = (${t.merchantId} is null)`,
    ),
    check('payer_returns_amount', sql`${t.amount} > 0`),
    check(
      'payer_returns_status',
      sql`coalesce(case ${t.status}
        when 'OPEN' then num_nonnulls(${t.accountId}, ${t.sentBy}, ${t.sendingAt}, ${t.endedAt}) = 0
        when 'SENDING' then num_nulls(${t.accountId}, ${t.sentBy}, ${t.sendingAt}) = 0 and ${t.endedAt} is null
        when 'COMPLETED' then num_nulls(${t.accountId}, ${t.sentBy}, ${t.sendingAt}, ${t.endedAt}, ${t.bankReference}) = 0
        when 'CANCELLED' then ${t.endedAt} is not null and ${t.endReason} is not null
        end, false)`,
    ),
    check(
      'payer_returns_paid',
      sql`${t.status} = 'COMPLETED' or num_nonnulls(${t.bankReference}, ${t.bankDebitId}) = 0`,
    ),
  ],
);
