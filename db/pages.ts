import type { Fragment, Sql } from 'postgres';

/** What a list may be sorted by. Rows with the same value are sorted by id. */
export interface SortColumn<Row> {
  /** The column, with its table's alias. Null: sorted by id alone. */
  readonly column: `${string}.${string}` | null;
  readonly type: 'timestamptz' | 'numeric' | 'text' | 'uuid' | 'date';
  /** The row's value of the column, as text that PostgreSQL reads back exactly. */
  readonly value: (row: Row) => string;
}

/** A place in a list: that of a row, which may have been deleted since. */
export interface Place {
  /** The row's value of the sort column. */
  readonly value: string;
  readonly id: string;
}

/** The requested part of a list. */
export interface PageRequest<By extends string> {
  readonly by: By;
  readonly descending: boolean;
  /** Rows at most. */
  readonly size: number;
  /** Only rows after, or before, these places in the list. */
  readonly after: Place | null;
  readonly before: Place | null;
  /** The last rows of that part rather than the first. */
  readonly fromEnd: boolean;
}

/** Rows in the order of the list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** In the direction of reading: whether there are more rows. In the other: whether the page began at a place. */
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** A condition, or none. */
export type Condition = Fragment | null | undefined | false;

/** Conditions that hold together. Absent ones are left out of the statement, so that each set of filters has its own plan. */
export const all = (sql: Sql, conditions: readonly Condition[]): Fragment => {
  const given = conditions.filter((one): one is Fragment => Boolean(one));
  return sql`${[sql`true`, ...given.map((condition) => sql`and ${condition}`)]}`;
};

/** The SQL of a page: its beginning and order. It needs no offset and no count, so that it costs only its rows. */
export interface Keyset {
  /** A condition. */
  readonly within: Fragment;
  /** `order by … limit …`; one extra row shows whether there are more. */
  readonly window: Fragment;
}

/** @param id the row's id as the statement names it, such as `d.id`, or another unique tie-breaker */
export function keyset<Row, By extends string>(
  sql: Sql,
  { column, type }: SortColumn<Row>,
  id: `${string}.${string}`,
  { descending, size, after, before, fromEnd }: PageRequest<By>,
  idType: 'uuid' | 'smallint' | 'text' | 'bpchar' = 'uuid',
): Keyset {
  const beyond = ({ value, id: last }: Place, later: boolean): Fragment => {
    const sign = later === descending ? sql`<` : sql`>`;
    return column === null
      ? sql`${sql(id)} ${sign} ${as(sql, last, idType)}`
      : sql`(${sql(column)}, ${sql(id)}) ${sign} (${as(sql, value, type)}, ${as(sql, last, idType)})`;
  };
  const direction = descending === fromEnd ? sql`asc` : sql`desc`;
  const by = column === null ? sql`` : sql`${sql(column)} ${direction},`;
  return {
    within: all(sql, [after && beyond(after, true), before && beyond(before, false)]),
    window: sql`order by ${by} ${sql(id)} ${direction} limit ${size + 1}`,
  };
}

/** A text as PostgreSQL is to read it. */
const as = (sql: Sql, value: string, type: string): Fragment =>
  sql`${value}::text${type === 'text' ? sql`` : sql.unsafe(`::${type}`)}`;

/** The page made of the statement's rows. */
export function pageOf<Row, By extends string>(
  rows: readonly Row[],
  { size, after, before, fromEnd }: PageRequest<By>,
): Page<Row> {
  const more = rows.length > size;
  const page = rows.slice(0, size);
  return fromEnd
    ? { rows: page.reverse(), hasNext: before !== null, hasPrevious: more }
    : { rows: page, hasNext: more, hasPrevious: after !== null };
}

/** Amounts in the currency of the row, both ends included; null is open. */
export interface AmountRange {
  readonly min?: { toFixed(): string } | null;
  readonly max?: { toFixed(): string } | null;
}

/** A time range without its end; null is open. */
export interface TimeRange {
  readonly from?: Date | null;
  readonly to?: Date | null;
}

/** @param column as the statement names it */
export const amountWithin = (
  sql: Sql,
  column: `${string}.${string}`,
  range: AmountRange | null | undefined,
): Fragment | null =>
  range
    ? all(sql, [
        range.min && sql`${sql(column)} >= ${range.min.toFixed()}::numeric`,
        range.max && sql`${sql(column)} <= ${range.max.toFixed()}::numeric`,
      ])
    : null;

/** @param column as the statement names it */
export const timeWithin = (
  sql: Sql,
  column: `${string}.${string}`,
  range: TimeRange | null | undefined,
): Fragment | null =>
  range
    ? all(sql, [
        range.from && sql`${sql(column)} >= ${range.from}::timestamptz`,
        range.to && sql`${sql(column)} < ${range.to}::timestamptz`,
      ])
    : null;

/** One of several values. Null and absent: no condition; an empty list matches no row. */
export const among = (
  sql: Sql,
  column: `${string}.${string}`,
  values: readonly string[] | null | undefined,
  type: keyof typeof LISTS = 'text',
): Fragment | null => {
  if (!values) return null;
  const [one, ...others] = values;
  return one !== undefined && others.length === 0
    ? sql`${sql(column)} = ${as(sql, one, type)}`
    : sql`${sql(column)} = any(${values as string[]}${sql.unsafe(LISTS[type])})`;
};

/** Cast to the column's own type: only then does PostgreSQL use its statistics of the values. */
const LISTS = { text: '::text[]', uuid: '::uuid[]', bpchar: '::bpchar[]' } as const;

/** Orders `d` with one of these merchant order numbers, searched per merchant along the key of the numbers. */
export const numberedByMerchant = (sql: Sql, numbers: readonly string[]): Fragment => sql`
  d.id in (select numbered.order_id from merchants m
    join merchant_order_numbers numbered on numbered.merchant_id = m.id
    where numbered.merchant_order_no = any(${numbers as string[]}::text[]))`;

/** How a text begins, along an index that compares by bytes. */
export const beginsWith = (sql: Sql, column: `${string}.${string}`, text: string): Fragment =>
  sql`${sql(column)} ^@ ${text}`;

/** An id may be later than its row's time by this much, milliseconds: it is made after the time is read. */
const DRAWN_WITHIN_MS = 60_000;

/**
 * Bounds of the ids of rows in a time range, if ids are made by `new_id`: they begin with the milliseconds. A condition
 * on the time itself is still needed.
 */
export const idsOfTime = (
  sql: Sql,
  column: `${string}.${string}`,
  range: TimeRange | null | undefined,
): Fragment | null =>
  range
    ? all(sql, [
        range.from && sql`${sql(column)} >= ${firstIdOf(range.from.getTime())}::uuid`,
        range.to && sql`${sql(column)} < ${firstIdOf(range.to.getTime() + DRAWN_WITHIN_MS)}::uuid`,
      ])
    : null;

/** A value below every UUIDv7 of that millisecond. */
function firstIdOf(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/**
 * Rows of a few owners, such as merchants, in the order of a list. Each owner's rows are read along an index that
 * begins with the owner, so that rows of two small merchants are not searched among all rows. @param owners null and
 * absent: the rows of all owners @param rows a `select` of one owner's rows, or of all, with its window; `owned` makes
 * the condition @returns the SQL before the window of the whole
 */
export function perOwner(
  sql: Sql,
  owners: {
    readonly values: readonly string[] | null | undefined;
    readonly type: 'uuid' | 'text';
  },
  alias: string,
  rows: (owned: (column: `${string}.${string}`) => Fragment) => Fragment,
): Fragment {
  const { values, type } = owners;
  if (!values || values.length < 2)
    return sql`
      select * from (${rows((column) => among(sql, column, values, type) ?? sql`true`)}) ${sql(alias)}`;
  const once = [...new Set(values)];
  return sql`
    select ${sql(alias)}.* from unnest(${once}${sql.unsafe(LISTS[type])}) as owner(id)
    cross join lateral (${rows((column) => sql`${sql(column)} = owner.id`)}) ${sql(alias)}`;
}

/** Counts rows, up to `most`. @param from `from … where …` */
export async function countUpTo(sql: Sql, from: Fragment, most: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select ${from} limit ${most}) counted`;
  return row?.count ?? 0;
}
