import { sql, type SQLWrapper } from 'drizzle-orm';
import { customType, numeric, timestamp } from 'drizzle-orm/pg-core';
import type { Money } from '../../domain/money';

const MONEY = { precision: 20, scale: 4 };
const PERCENT = { precision: 7, scale: 4 };
/** An amount of money, four decimals. */
export const money = (name: string) => numeric(name, MONEY).$type<Money>();
/** The same, zero unless a row says otherwise. */
export const moneyFromZero = (name: string) =>
  numeric(name, MONEY).notNull().default('0').$type<Money>();
/** The sum of any number of amounts, four decimals. */
export const sum = (name: string) => numeric(name, { precision: 38, scale: 4 }).$type<Money>();
/** A percentage, four decimals. */
export const percent = (name: string) => numeric(name, PERCENT).$type<Money>();
/** The same, zero unless a row says otherwise. */
export const percentFromZero = (name: string) =>
  numeric(name, PERCENT).notNull().default('0').$type<Money>();
/**
 * Numbers, codes and names that are searched by prefix: compared by their bytes, independent of the database's locale.
 */
export const code = customType<{ data: string }>({ dataType: () => 'text collate "C"' });
/** Exact bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
/** A time, UTC, milliseconds. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
/** A check that the server's own tables know the zone. An unknown name fails with 22023. */
export const knownZone = (column: SQLWrapper) =>
  sql`timezone(${column}, timestamp '2000-01-01') is not null`;
/** A bank's reference in the form that is compared (normaliseReference). */
export const bankReferenceKey = (column: SQLWrapper) => sql`bank_reference_key(${column})`;
/**
 * A beneficiary's number in the form that the denylist and daily limits compare, so that another spelling does not
 * evade them.
 */
export const accountNumberKey = (column: SQLWrapper) => sql`account_number_key(${column})`;
/**
 * An e-mail address in the form by which payers are counted (domain/payer-lists.ts): only the letters A to Z are
 * folded.
 */
export const emailKey = (column: SQLWrapper) => sql`lower(btrim(${column}) collate "C")`;
/** A mobile number in the form by which payers are counted. */
export const digitsOf = (column: SQLWrapper) => sql`regexp_replace(${column}, '[^0-9]', '', 'g')`;
/** A payer's account number in the form by which payers are counted: letters and digits without leading zeros. */
export const payerAccountKey = (column: SQLWrapper) =>
  sql`ltrim(upper(regexp_replace(normalize(${column}, NFKC) collate "C", '[^A-Za-z0-9]', '', 'g')), '0')`;
