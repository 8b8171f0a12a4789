import { getTableColumns, type InferSelectModel, is, type Table } from 'drizzle-orm';
import { PgArray, PgNumeric } from 'drizzle-orm/pg-core';
import type { JSONValue } from 'postgres';
import { money, type Money } from '../domain/money';

/** A row of a table (db/schema), its amounts as Money. It follows new columns. */
export type RowOf<T extends Table> = Readonly<InferSelectModel<T>>;

/** The fields of a row that are amounts, or lists of them. */
export type AmountFields<Row> = {
  [Field in keyof Row]-?: NonNullable<Row[Field]> extends Money | readonly Money[] ? Field : never;
}[keyof Row];

/** A row as postgres.js answers it: amounts as text. */
export type Raw<Row> = {
  [Field in keyof Row]: Field extends AmountFields<Row>
    ? (NonNullable<Row[Field]> extends Money ? string : string[]) | Extract<Row[Field], null>
    : Row[Field];
};

/** The amounts of a table's rows, by their fields. */
export const amountFieldsOf = <T extends Table>(table: T): Readonly<Record<AmountFields<RowOf<T>>, true>> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([, column]) => (is(column, PgArray) ? column.baseColumn : column) instanceof PgNumeric)
      .map(([field]) => [field, true]),
  ) as Record<AmountFields<RowOf<T>>, true>;

/** The fields of a row that may be null. */
type Nulls<Row> = {
  readonly [Field in keyof Row as null extends Row[Field] ? Field : never]: null;
};

/** Every nullable column of a table, set to null, except some. */
export const nullsOf = <T extends Table, But extends keyof RowOf<T>>(
  table: T,
  but: readonly But[],
): Omit<Nulls<RowOf<T>>, But> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([field, { notNull }]) => !notNull && !(but as readonly unknown[]).includes(field))
      .map(([field]) => [field, null]),
  ) as Omit<Nulls<RowOf<T>>, But>;

/**
 * Makes the reader of a kind of row: it converts the amounts to Money, in place, because a copy of up to forty fields
 * would cost time.
 * @param amounts every field of the row that is an amount
 */
export function rowReader<Row>(amounts: Readonly<Record<AmountFields<Row>, true>>): (raw: Raw<Row>) => Row {
  const fields = Object.keys(amounts);
  return (raw) => {
    const row = raw as Record<string, unknown>;
    for (const field of fields) {
      const text = row[field] as string | readonly string[] | null;
      if (text !== null) row[field] = typeof text === 'string' ? money(text) : text.map(toMoney);
    }
    return raw as unknown as Row;
  };
}

const toMoney = (text: string): Money => money(text);

const columnNames = new Map<string, string>();

/** A field's column: `createdAt` is `created_at`. */
function columnName(field: string): string {
  const known = columnNames.get(field);
  if (known !== undefined) return known;
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  columnNames.set(field, name);
  return name;
}

/** A row as JSON that jsonb_populate_record reads: by column, amounts and times as text; null is left out. */
export function columnsOf(row: object): Record<string, JSONValue> {
  const columns: Record<string, JSONValue> = {};
  for (const [field, value] of Object.entries(row) as [string, unknown][])
    if (value !== null) columns[columnName(field)] = value instanceof Date ? value.toISOString() : (value as JSONValue);
  return columns;
}

/** Fields of a row as postgres.js inserts or updates them, `sql(...)`: by column. What is undefined is left out. */
export const parametersOf = <T extends Table>(table: T, fields: Partial<RowOf<T>>): Record<string, never> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).flatMap(([field, { name }]) => {
      const value = (fields as Readonly<Record<string, unknown>>)[field];
      return value === undefined ? [] : [[name, value as never]];
    }),
  );
