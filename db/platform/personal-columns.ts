import type { Fragment, Sql } from 'postgres';
import { answerTo, receiptOf } from '../../domain/sealed-for';
import type { Database } from '../client';

type Reader = Pick<Database, 'sql'>;

/** The primary key of a row, column by column. */
export type RowKey = readonly string[];

/** A value of a personal column. */
export interface PersonalValue {
  readonly key: RowKey;
  /** What it is bound to. */
  readonly context: string;
  readonly kept: string | Buffer;
}

/** The next rows of a column. */
export interface PersonalRows {
  /** Those whose value is not under the current key. */
  readonly values: readonly PersonalValue[];
  /** The last row that was read; null at the end. */
  readonly last: RowKey | null;
}

/** A column whose values are sealed. */
export interface PersonalColumn {
  readonly table: string;
  readonly column: string;
  /** What its values are, in words. */
  readonly what: string;
  /** The next rows, a batch. @param current what the current key's values begin with */
  readonly find: (database: Reader, after: RowKey | null, current: string) => Promise<PersonalRows>;
  /** Replaces values that are still as they were read. @returns how many were changed */
  readonly replace: (
    database: Reader,
    values: readonly (PersonalValue & { readonly renewed: string | Buffer })[],
  ) => Promise<number>;
}

/** What is particular to a column. */
interface Particulars {
  readonly table: string;
  readonly column: string;
  readonly what: string;
  readonly type: 'text' | 'bytea';
  /** The columns of the primary key, with their types. */
  readonly key: Readonly<Record<string, 'uuid' | 'smallint' | 'integer'>>;
  /** The columns that the context is made of. */
  readonly boundTo: readonly string[];
  readonly contextOf: (...boundTo: string[]) => string;
}

/** Rows of one statement: a text has at most some 100 kB, a picture at most 2 MB. */
const MOST = { text: 500, bytea: 50 } as const;

const listed = (sql: Sql, parts: readonly Fragment[]): Fragment =>
  parts.reduce((all, part) => sql`${all}, ${part}`);

function personalColumn(of: Particulars): PersonalColumn {
  const { table, column, what, type } = of;
  const most = MOST[type];
  const keys = Object.entries(of.key);
  return {
    ...{ table, column, what },
    find: async ({ sql }, after, current) => {
      const columnsOf = (names: readonly string[]): Fragment =>
        listed(
          sql,
          names.map((name) => sql`t.${sql(name)}`),
        );
      const key = columnsOf(keys.map(([name]) => name));
      const place = keys.map(
        ([, kind], n) => sql`${String(after?.[n])}::text::${sql.unsafe(kind)}`,
      );
      const begin = type === 'text' ? sql`${current}::text` : sql`${Buffer.from(current)}::bytea`;
      const isOther = sql`substring(kept from 1 for ${current.length}::int) <> ${begin}`;
      const rows = await sql<
        {
          key: RowKey;
          boundTo: string[];
          kept: string | Buffer;
          isOther: boolean | null;
          n: number;
        }[]
      >`
        with next as (select array[${key}]::text[] as key, array[${columnsOf(of.boundTo)}]::text[] as bound_to,
            t.${sql(column)} as kept, row_number() over (order by ${key})::int as n
          from ${sql(table)} t where ${after ? sql`(${key}) > (${listed(sql, place)})` : sql`true`}
          order by ${key} limit ${sql.unsafe(String(most))}
        )
        select key, bound_to, case when ${isOther} then kept end as kept, ${isOther} as is_other, n from next
        where ${isOther} or n = (select max(n) from next)
        order by n`;
      const last = rows.at(-1);
      return {
        values: rows.flatMap(({ boundTo, isOther: other, ...row }) =>
          other === true
            ? [{ key: row.key, kept: row.kept, context: of.contextOf(...boundTo) }]
            : [],
        ),
        last: last?.n === most ? last.key : null,
      };
    },
    replace: async ({ sql }, values) => {
      const inKey = keys.map(
        ([, kind], n) =>
          sql`${values.map(({ key }) => key[n] ?? '')}::text[]::${sql.unsafe(kind)}[]`,
      );
      // Of bytes postgres.js makes no array.
      const texts = (list: readonly (string | Buffer)[]): Fragment =>
        sql`${list.map((one) => (typeof one === 'string' ? one : one.toString('base64')))}::text[]`;
      const value = (name: 'kept' | 'renewed'): Fragment =>
        type === 'text' ? sql`n.${sql(name)}` : sql`decode(n.${sql(name)}, 'base64')`;
      const names = listed(
        sql,
        keys.map(([name]) => sql`${sql(name)}`),
      );
      const same = keys.map(([name]) => sql`t.${sql(name)} = n.${sql(name)}`);
      const { count } = await sql`
        update ${sql(table)} t set ${sql(column)} = ${value('renewed')}
        from unnest(${listed(sql, inKey)}, ${texts(values.map(({ kept }) => kept))}, ${texts(values.map(({ renewed }) => renewed))})
          n (${names}, kept, renewed)
        where ${same.reduce((all, one) => sql`${all} and ${one}`)} and t.${sql(column)} = ${value('kept')}`;
      return count;
    },
  };
}

/** Every personal column that is sealed (docs/personal-data.md). */
export const PERSONAL_COLUMNS: readonly PersonalColumn[] = [
  personalColumn({
    ...{ table: 'payment_claims', column: 'receipt', type: 'bytea', what: 'pictures of payers' },
    key: { id: 'uuid' },
    ...{ boundTo: ['deposit_id'], contextOf: receiptOf },
  }),
  personalColumn({
    ...{ table: 'notification_logs', column: 'response_body', type: 'text' },
    what: 'merchants’ last answers',
    key: { id: 'uuid' },
    ...{ boundTo: ['id'], contextOf: answerTo },
  }),
  personalColumn({
    ...{ table: 'callback_attempts', column: 'response_body', type: 'text' },
    what: 'merchants’ answers',
    key: { notification_id: 'uuid', generation: 'integer', attempt: 'smallint' },
    ...{ boundTo: ['notification_id'], contextOf: answerTo },
  }),
];
