import { sql, type SQLWrapper } from 'drizzle-orm';
import { customType, numeric, timestamp } from 'drizzle-orm/pg-core';

/** An amount of money, four decimals. */
export const money = (name: string) => numeric(name, { precision: 20, scale: 4 });
/** Numbers, codes and names that are searched by how they begin: compared by their bytes, whatever the database's language. */
export const code = customType<{ data: string }>({ dataType: () => 'text collate "C"' });
/** Exact bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
/** A moment, UTC, milliseconds. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
/** A bank's reference as such are compared (normaliseReference). */
export const bankReferenceKey = (column: SQLWrapper) => sql`bank_reference_key(${column})`;
/** A beneficiary's number as those are compared that must not be passed by writing them otherwise. */
export const accountNumberKey = (column: SQLWrapper) => sql`account_number_key(${column})`;
