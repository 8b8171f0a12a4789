import { sql } from 'drizzle-orm';
import {
  bigint,
  char,
  check,
  date,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { TRANSFER_TYPES, type TransferType } from '../../domain/ledger';
import { POSTING_KINDS } from '../../domain/operator-posting';
import { bankTransfers } from './bank-transfers';
import { at, money, moneyFromZero } from './columns';
import { merchants } from './merchants';

/** Types whose keys name a row of `operator_postings`, `payer_returns` or `commissions`. */
const OF_OPERATORS = [
  ...POSTING_KINDS,
  ...(['POSTING_REVERSED', 'MONEY_RETURNED'] as const),
  ...(['REFUND_FROZEN', 'REFUND_RELEASED', 'REFUND_PAID'] as const),
  ...(['COMMISSION_EARNED', 'COMMISSION_REVERSED'] as const),
] satisfies readonly TransferType[];

/** A merchant's money in one currency: the projection of its ledger entries, and the row that postings lock. */
export const merchantBalances = pgTable(
  'merchant_balances',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    available: money('available').notNull(),
    frozen: money('frozen').notNull(),
    total: money('total').generatedAlwaysAs(sql`available + frozen`),
    /** What the merchant owes us. Until it is covered nothing is available: new money covers it first. */
    receivable: moneyFromZero('receivable'),
    /** Incremented by each ledger transfer that touches this balance. */
    version: bigint({ mode: 'number' }).notNull(),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('merchant_balances_currency').on(t.merchantId, t.currencyCode),
    check('merchant_balances_never_negative', sql`${t.available} >= 0 and ${t.frozen} >= 0`),
    check('merchant_balances_receivable', sql`${t.receivable} >= 0`),
  ],
);

/** A posted business event: append-only. `key` makes each event post once. */
export const ledgerTransfers = pgTable(
  'ledger_transfers',
  {
    id: uuid().primaryKey(),
    type: text().$type<TransferType>().notNull(),
    key: text().notNull().unique(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** A deposit or a withdrawal. */
    orderId: uuid('order_id'),
    bankTransferId: uuid('bank_transfer_id').references(() => bankTransfers.id),
    at: at('at').notNull(),
  },
  (t) => [
    index('ledger_transfers_order').on(t.orderId),
    index('ledger_transfers_rare')
      .on(t.type, t.id)
      .where(sql`${t.type} not in ('BANK_CREDIT', 'DEPOSIT_CREDIT')`),
    check('ledger_transfers_type', sql.raw(`type in (${TRANSFER_TYPES.map((type) => `'${type}'`).join(', ')})`)),
    // The key consists of the type and the row that demands the posting, so that no second key can post it again.
    check(
      'ledger_transfers_key',
      sql`case
        when ${t.type} = 'BANK_CREDIT' then ${t.bankTransferId} is not null and ${t.orderId} is null
          and ${t.key} = 'bank-credit:' || ${t.bankTransferId}::text
        when ${t.type} in ('DEPOSIT_CREDIT', 'CREDIT_HELD', 'HOLD_RELEASED', 'DEPOSIT_RECALLED',
            'FEE_HELD', 'FEE_RELEASED', 'FEE_CAPTURED', 'WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAID') then
          ${t.orderId} is not null and ${t.bankTransferId} is null
          and ${t.key} = replace(lower(${t.type}), '_', '-') || ':' || ${t.orderId}::text
        when ${t.type} in ('CHANNEL_COST', 'WITHDRAWAL_LATE_PAID', 'WITHDRAWAL_RETURNED', 'CHANNEL_CLAIMED',
            'LATE_RECEIVED') then
          ${t.orderId} is not null and ${t.bankTransferId} is null
          and ${t.key} ~ ('^' || replace(lower(${t.type}), '_', '-') || ':[0-9a-f-]{36}$')
        when ${t.type} in (${sql.raw(OF_OPERATORS.map((type) => `'${type}'`).join(', '))}) then
          ${t.key} ~ ('^' || replace(lower(${t.type}), '_', '-') || ':[0-9a-f-]{36}$')
        when ${t.type} = 'RECEIVABLE_COVERED' then ${t.orderId} is null and ${t.bankTransferId} is null
          and ${t.key} ~ '^receivable-covered:[0-9a-f-]{36}:[A-Z]{3}:[0-9]+$'
        else ${t.orderId} is null and ${t.bankTransferId} is null
          and ${t.key} ~ ('^' || replace(lower(${t.type}), '_', '-') || ':[0-9a-f-]{36}$')
        end`,
    ),
  ],
);

/** The lines of a transfer: append-only, summing to zero. Credit positive, debit negative. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => ledgerTransfers.id),
    line: smallint().notNull(),
    account: text().notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    amount: money('amount').notNull(),
    /** Of merchant accounts only: the balance around this entry and the version of its row. */
    balanceBefore: money('balance_before'),
    balanceAfter: money('balance_after'),
    version: bigint({ mode: 'number' }),
    /** Of bank and channel accounts only: the day for which it counts, in their time zone; never a closed one. */
    valueDay: date('value_day', { mode: 'string' }),
  },
  (t) => [
    primaryKey({ columns: [t.transferId, t.line] }),
    index('ledger_entries_value_day')
      .on(t.account, t.valueDay)
      .where(sql`${t.valueDay} is not null`),
    check(
      'ledger_entries_value_day',
      sql`${t.valueDay} is null or ${t.account} like 'bank:%' or ${t.account} like 'channel:%'`,
    ),
    uniqueIndex('ledger_entries_chain').on(t.account, t.currencyCode, t.version),
    // A transfer's id begins with its time.
    index('ledger_entries_account').on(t.account, t.transferId, t.line),
    check('ledger_entries_amount', sql`${t.amount} <> 0`),
    check(
      'ledger_entries_account',
      sql`${t.account} ~ '^(suspense|fee_income|channel_cost|loss|treasury|adjustment|equity|bank_cost|in_transit|unclaimed|(bank|channel|channel_claim|merchant_receivable|reseller):[0-9a-f-]{36}|merchant:[0-9a-f-]{36}:(available|frozen))$'`,
    ),
    check(
      'ledger_entries_balance',
      sql`case when ${t.account} like 'merchant:%'
        then ${t.balanceBefore} is not null and ${t.version} is not null
          and ${t.balanceAfter} = ${t.balanceBefore} + ${t.amount}
        else ${t.balanceBefore} is null and ${t.balanceAfter} is null and ${t.version} is null end`,
    ),
  ],
);

/** What covered a merchant's debt, each time that money became available to it. */
export const receivableCovers = pgTable(
  'receivable_covers',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** The version of the balance that made the money available. */
    version: bigint({ mode: 'number' }).notNull(),
    amount: money('amount').notNull(),
    at: at('at').notNull(),
  },
  (t) => [
    unique('receivable_covers_once').on(t.merchantId, t.currencyCode, t.version),
    check('receivable_covers_amount', sql`${t.amount} > 0 and ${t.version} > 0`),
  ],
);
