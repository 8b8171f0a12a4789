import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CsvMapping, LineState, StatementFormat, StatementStatus } from '../../domain/statement';
import type { RuleAction } from '../../domain/statement-rule';
import { bankAccounts } from './bank-accounts';
import { bankDebits } from './bank-debits';
import { bankTransfers } from './bank-transfers';
import { at, bankReferenceKey, bytea, code, money } from './columns';

/** Descriptions of banks' CSV files. */
export const statementMappings = pgTable(
  'statement_mappings',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    /** For the accounts at this bank; null: for one account, or for any. */
    bankCode: text('bank_code'),
    accountId: uuid('account_id').references(() => bankAccounts.id),
    mapping: jsonb().$type<CsvMapping>().notNull(),
    updatedBy: text('updated_by').notNull(),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('statement_mappings_name').on(t.name),
    check('statement_mappings_of', sql`${t.bankCode} is null or ${t.accountId} is null`),
  ],
);

/** Rules that explain lines of statements by their texts. A version never changes: a change adds the next one. */
export const statementRules = pgTable(
  'statement_rules',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    version: integer().notNull(),
    action: text().$type<RuleAction>().notNull(),
    direction: text().$type<'CREDIT' | 'DEBIT'>().notNull(),
    /** The account whose lines it explains; null: all accounts in its currency. */
    accountId: uuid('account_id').references(() => bankAccounts.id),
    /** Of an own transfer: the account at the other end. */
    otherAccountId: uuid('other_account_id').references(() => bankAccounts.id),
    /** A regular expression of RE2 that the text of a line must match. */
    memoPattern: text('memo_pattern').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** The largest amount of a line that it explains. */
    maxAmount: money('max_amount').notNull(),
    /** The largest sum that all its versions explain on one UTC day. */
    maxDayAmount: money('max_day_amount').notNull(),
    active: boolean().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('statement_rules_version').on(t.name, t.version),
    uniqueIndex('statement_rules_active')
      .on(t.name)
      .where(sql`${t.active}`),
    check(
      'statement_rules_action',
      sql`coalesce(case ${t.action}
        when 'BANK_CHARGE' then ${t.direction} = 'DEBIT' and ${t.otherAccountId} is null
        when 'INTEREST' then ${t.direction} = 'CREDIT' and ${t.otherAccountId} is null
        when 'OWN_TRANSFER' then ${t.direction} in ('CREDIT', 'DEBIT') and ${t.accountId} is not null
          and ${t.otherAccountId} is not null and ${t.accountId} <> ${t.otherAccountId}
        end, false)`,
    ),
    check('statement_rules_limits', sql`${t.maxAmount} > 0 and ${t.maxDayAmount} >= ${t.maxAmount}`),
  ],
);

/** Banks' files with the movements of an account. */
export const statements = pgTable(
  'statements',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    fileName: text('file_name').notNull(),
    format: text().$type<StatementFormat>().notNull(),
    /** The mapping of a CSV file, as it was when the file was read. */
    mapping: jsonb().$type<CsvMapping>(),
    status: text().$type<StatementStatus>().notNull(),
    bytes: integer().notNull(),
    parts: integer().notNull(),
    /** SHA-256 of the whole file, hex; null until it is read. */
    sha256: text(),
    /** How many items of the file are read. */
    readItems: integer('read_items').notNull(),
    /** How many lines it has, once it is read, so that a lost line is noticed. Null in older rows. */
    lines: integer(),
    /** How far its lines were searched among earlier reports; the import starts again from the beginning. */
    throughLine: integer('through_line').notNull(),
    /** The bank's own figures, if the file contains them. */
    openingBalance: money('opening_balance'),
    openingDay: date('opening_day', { mode: 'string' }),
    closingBalance: money('closing_balance'),
    closingDay: date('closing_day', { mode: 'string' }),
    /** Why it cannot be imported; null: it can. */
    problem: text(),
    /** Where its figures contradict each other, until two people have said why; and by how much, signed. */
    contradiction: text(),
    difference: money('difference'),
    /** Who said that its file is the bank's, and when; null: nobody but who brought it. */
    confirmedBy: text('confirmed_by'),
    confirmedAt: at('confirmed_at'),
    uploadedBy: text('uploaded_by').notNull(),
    createdAt: at('created_at').notNull(),
    readAt: at('read_at'),
    importedBy: text('imported_by'),
    importedAt: at('imported_at'),
  },
  (t) => [
    index('statements_newest').on(t.createdAt, t.id),
    index('statements_of_account').on(t.accountId, t.closingDay),
    check('statements_format', sql`${t.format} in ('CSV', 'CAMT053', 'MT940')`),
    check('statements_status', sql`${t.status} in ('UPLOADING', 'READ', 'IMPORTING', 'IMPORTED', 'DROPPED')`),
    check('statements_mapping', sql`(${t.format} = 'CSV') = (${t.mapping} is not null)`),
    check(
      'statements_add_up',
      sql`${t.contradiction} is null or (${t.difference} is not null and ${t.status} not in ('IMPORTING', 'IMPORTED'))`,
    ),
    check('statements_confirmed', sql`(${t.confirmedBy} is null) = (${t.confirmedAt} is null)`),
    check(
      'statements_imported',
      sql`(${t.status} in ('IMPORTING', 'IMPORTED')) = (${t.importedBy} is not null)
        and (${t.status} = 'IMPORTED') = (${t.importedAt} is not null)
        and (${t.status} not in ('IMPORTING', 'IMPORTED') or ${t.problem} is null)`,
    ),
  ],
);

/** A statement's file as it came, in parts: sealed (domain/sealed-for.ts). */
export const statementParts = pgTable(
  'statement_parts',
  {
    statementId: uuid('statement_id')
      .notNull()
      .references(() => statements.id),
    part: integer().notNull(),
    content: bytea().notNull(),
  },
  (t) => [primaryKey({ columns: [t.statementId, t.part] })],
);

/** The lines of statements, also unreadable ones. What may name persons is sealed (domain/sealed-for.ts). */
export const statementLines = pgTable(
  'statement_lines',
  {
    statementId: uuid('statement_id')
      .notNull()
      .references(() => statements.id),
    line: integer().notNull(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    state: text().$type<LineState>().notNull(),
    /** Of a bad line: what is wrong, and the beginning of its text. */
    problem: text(),
    raw: text(),
    direction: text().$type<'CREDIT' | 'DEBIT'>(),
    amount: money('amount'),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** The day of the booking, in the account's time zone. */
    day: date({ mode: 'string' }),
    bankTime: at('bank_time'),
    bankReference: text('bank_reference'),
    memo: text(),
    partyName: text('party_name'),
    partyAccount: text('party_account'),
    balanceAfter: money('balance_after'),
    /**
     * A hash of its content and its number among equal lines: a line of another file with the same key is the same
     * movement.
     */
    lineKey: code('line_key'),
    /** Its number among the lines of the file that have its reference, amount and direction, from 1. */
    nth: integer(),
    transferId: uuid('transfer_id').references(() => bankTransfers.id),
    debitId: uuid('debit_id').references(() => bankDebits.id),
    /** The rule that explained it or, in a dry run, would explain it. */
    ruleId: uuid('rule_id').references(() => statementRules.id),
  },
  (t) => [
    primaryKey({ columns: [t.statementId, t.line] }),
    index('statement_lines_known')
      .on(t.accountId, t.lineKey)
      .where(sql`${t.lineKey} is not null`),
    uniqueIndex('statement_lines_transfer')
      .on(t.transferId, t.statementId)
      .where(sql`${t.transferId} is not null`),
    uniqueIndex('statement_lines_debit')
      .on(t.debitId, t.statementId)
      .where(sql`${t.debitId} is not null`),
    index('statement_lines_reference')
      .on(t.statementId, bankReferenceKey(t.bankReference))
      .where(sql`${t.bankReference} is not null`),
    index('statement_lines_open')
      .on(t.statementId, t.line)
      .where(sql`${t.state} = 'NEW'`),
    check('statement_lines_direction', sql`${t.direction} in ('CREDIT', 'DEBIT')`),
    check('statement_lines_state', sql`${t.state} in ('BAD', 'NEW', 'KNOWN', 'PAIRED', 'RECORDED')`),
    check('statement_lines_bad', sql`(${t.state} = 'BAD') = (${t.problem} is not null)`),
    check(
      'statement_lines_read',
      sql`${t.state} = 'BAD' or (${t.direction} is not null and ${t.amount} > 0 and ${t.day} is not null
        and ${t.bankTime} is not null and ${t.memo} is not null and ${t.lineKey} is not null and ${t.nth} > 0)`,
    ),
    check(
      'statement_lines_links',
      sql`case when ${t.state} in ('BAD', 'NEW') then ${t.transferId} is null and ${t.debitId} is null
        when ${t.direction} = 'CREDIT' then ${t.transferId} is not null and ${t.debitId} is null
        else ${t.transferId} is null and ${t.debitId} is not null end`,
    ),
  ],
);
