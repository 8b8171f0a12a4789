import { sql, type SQLWrapper } from 'drizzle-orm';
import { customType, numeric, timestamp } from 'drizzle-orm/pg-core';
import type { Money } from '../../domain/money';

const MONEY = { precision: 20, scale: 4 };
const PERCENT = { precision: 7, scale: 4 };
/** An amount of money, four decimals. */
export const money = (name: string) => numeric(name, MONEY).$type<Money>();
/** The same, zero unless a row says otherwise. */
export const moneyFromZero = (name: string) => numeric(name, MONEY).notNull().default('0').$type<Money>();
/** The sum of any number of amounts, four decimals. */
export const sum = (name: string) => numeric(name, { precision: 38, scale: 4 }).$type<Money>();
/** A percentage, four decimals. */
export const percent = (name: string) => numeric(name, PERCENT).$type<Money>();
/** The same, zero unless a row says otherwise. */
export const percentFromZero = (name: string) => numeric(name, PERCENT).notNull().default('0').$type<Money>();
/**
 * Numbers, codes and names that are searched by prefix: compared by their bytes, independent of the database's locale.
 */
export const code = customType<{ data: string }>({ dataType: () => 'text collate "C"' });
/** Exact bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
/** A time, UTC, milliseconds. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
/** A check that the server's own tables know the zone. An unknown name fails with 22023. */
export const knownZone = (column: SQLWrapper) => sql`timezone(${column}, timestamp '2000-01-01') is not null`;
/** A bank's reference in the form that is compared (normaliseReference). */
export const bankReferenceKey = (column: SQLWrapper) => sql`bank_reference_key(${column})`;
