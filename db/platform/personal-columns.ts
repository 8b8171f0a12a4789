import type { Fragment, Sql } from 'postgres';
import { LISTED_FORMS, PAYER_TRAITS } from '../../domain/payer-lists';
import {
  answerTo,
  bankTextOf,
  beneficiaryAccountOf,
  beneficiaryNameOf,
  branchOf,
  creditAccountOf,
  creditMemoOf,
  creditNameOf,
  debitAccountOf,
  debitMemoOf,
  debitNameOf,
  extraDataOf,
  findingOf,
  LINE_TEXTS,
  lineTextOf,
  listedBeneficiaryOf,
  listedPayerOf,
  type Numbered,
  PAYER_NAME,
  payerOf,
  receiptOf,
  returnAccountOf,
  returnNameOf,
  statementPartOf,
} from '../../domain/sealed-for';
import {
  CREDIT_ACCOUNT,
  EXACT_BENEFICIARY,
  LISTED_BENEFICIARY,
  PAYER_ACCOUNT,
  PAYER_CARDS,
  PAYER_EMAIL,
  PAYER_MOBILE,
  type SearchForm,
} from '../../domain/search-forms';
import type { Database } from '../client';

type Reader = Pick<Database, 'sql'>;

/** The primary key of a row, column by column. */
export type RowKey = readonly string[];

/** A value of a personal column. */
export interface PersonalValue {
  readonly key: RowKey;
  /** What it is bound to; of a body, the id of its merchant. */
  readonly context: string;
  readonly kept: string | Buffer;
}

/** A value under the current key, with its blind index if its column has one. */
export interface RenewedValue extends PersonalValue {
  readonly renewed: string | Buffer;
  readonly index: string | null;
}

/** The next rows of a column. */
export interface PersonalRows {
  /** Those whose value is not under the current key. */
  readonly values: readonly PersonalValue[];
  /** The last row that was read; null at the end. */
  readonly last: RowKey | null;
}

/**
 * What a column keeps. BODY: of a callback, in which one field is sealed. JSON: a string that is a sealed value, or an
 * empty array.
 */
type Kind = 'TEXT' | 'FILE' | 'BODY' | 'JSON';

/** A column whose values are sealed. */
export interface PersonalColumn {
  readonly table: string;
  readonly column: string;
  readonly kind: Kind;
  /** What its values are, in words. */
  readonly what: string;
  /** How its values are searched; null: nobody searches them. */
  readonly searched: SearchForm | null;
  /** The next rows, a batch. @param current what the current key's values begin with */
  readonly find: (database: Reader, after: RowKey | null, current: string) => Promise<PersonalRows>;
  /** Replaces values that are still as they were read. @returns how many were changed */
  readonly replace: (database: Reader, values: readonly RenewedValue[]) => Promise<number>;
}

/** What is particular to a column. */
interface Particulars {
  readonly table: string;
  readonly column: string;
  readonly what: string;
  readonly kind: Kind;
  /** The column of its blind index, and how its values are searched. */
  readonly index?: { readonly column: string; readonly form: SearchForm };
  /** How many rows one statement reads; by default as many as of its kind. */
  readonly most?: number;
  /** Which rows have values of people; by default all. */
  readonly where?: string;
  /** The columns of the primary key, with their types. */
  readonly key: Readonly<Record<string, 'uuid' | 'smallint' | 'integer'>>;
  /** The columns that the context is made of. */
  readonly boundTo: readonly string[];
  readonly contextOf: (...boundTo: string[]) => string;
}

/** Rows of one statement: a text has at most some 100 kB, a picture at most 2 MB. */
const MOST = { TEXT: 500, FILE: 50, BODY: 500, JSON: 500 } as const satisfies Record<Kind, number>;

const listed = (sql: Sql, parts: readonly Fragment[]): Fragment => parts.reduce((all, part) => sql`${all}, ${part}`);

/** Whether a value is not under the current key. */
const IS_OTHER: Readonly<Record<Kind, (sql: Sql, current: string) => Fragment>> = {
  TEXT: (sql, current) => sql`not starts_with(kept, ${current})`,
  JSON: (sql, current) => sql`not starts_with(kept, ${current})`,
  FILE: (sql, current) => sql`substring(kept from 1 for ${current.length}::int) <> ${Buffer.from(current)}::bytea`,
  BODY: (sql, current) =>
    sql`strpos(kept, '"extra_data":"') > 0 and strpos(kept, '"extra_data":"' || ${current}::text) = 0`,
};

function personalColumn(of: Particulars): PersonalColumn {
  const { table, column, what, kind, index } = of;
  const most = of.most ?? MOST[kind];
  const keys = Object.entries(of.key);
  const keptOf = (sql: Sql): Fragment => (kind === 'JSON' ? sql`t.${sql(column)} #>> '{}'` : sql`t.${sql(column)}`);
  return {
    table,
    column,
    kind,
    what,
    searched: index?.form ?? null,
    find: async ({ sql }, after, current) => {
      const columnsOf = (names: readonly string[]): Fragment =>
        listed(
          sql,
          names.map((name) => sql`t.${sql(name)}`),
        );
      const key = columnsOf(keys.map(([name]) => name));
      const place = keys.map(([, kind], n) => sql`${String(after?.[n])}::text::${sql.unsafe(kind)}`);
      const isOther = sql`(${IS_OTHER[kind](sql, current)})`;
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
            ${keptOf(sql)} as kept, row_number() over (order by ${key})::int as n
          from ${sql(table)} t
          where ${after ? sql`(${key}) > (${listed(sql, place)})` : sql`true`} and ${sql.unsafe(of.where ?? 'true')}
          order by ${key} limit ${sql.unsafe(String(most))}
        )
        select key, bound_to, case when ${isOther} then kept end as kept, ${isOther} as is_other, n from next
        where ${isOther} or n = (select max(n) from next)
        order by n`;
      const last = rows.at(-1);
      return {
        values: rows.flatMap(({ boundTo, isOther: other, ...row }) =>
          other === true ? [{ key: row.key, kept: row.kept, context: of.contextOf(...boundTo) }] : [],
        ),
        last: last?.n === most ? last.key : null,
      };
    },
    replace: async ({ sql }, values) => {
      const inKey = keys.map(
        ([, kind], n) => sql`${values.map(({ key }) => key[n] ?? '')}::text[]::${sql.unsafe(kind)}[]`,
      );
      // Of bytes postgres.js makes no array.
      const texts = (list: readonly (string | Buffer)[]): Fragment =>
        sql`${list.map((one) => (typeof one === 'string' ? one : one.toString('base64')))}::text[]`;
      const value = (name: 'kept' | 'renewed'): Fragment =>
        kind !== 'FILE' ? sql`n.${sql(name)}` : sql`decode(n.${sql(name)}, 'base64')`;
      const renewed = kind === 'JSON' ? sql`to_jsonb(n.renewed)` : value('renewed');
      const names = listed(
        sql,
        keys.map(([name]) => sql`${sql(name)}`),
      );
      const same = keys.map(([name]) => sql`t.${sql(name)} = n.${sql(name)}`);
      const { count } = await sql`
        update ${sql(table)} t set ${sql(column)} = ${renewed}
          ${index ? sql`, ${sql(index.column)} = n.index` : sql``}
        from (select set_config('causeway.reseals', 'on', true)) quiet, unnest(${listed(sql, inKey)}, ${texts(values.map(({ kept }) => kept))}, ${texts(values.map(({ renewed }) => renewed))},
            ${values.map((one) => one.index)}::text[])
          n (${names}, kept, renewed, index)
        where ${same.reduce((all, one) => sql`${all} and ${one}`)} and ${keptOf(sql)} = ${value('kept')}`;
      return count;
    },
  };
}

/** What is bound to the merchant's own number. */
const ofNumber = (contextOf: (order: Numbered) => string) => ({
  boundTo: ['merchant_id', 'merchant_order_no'],
  contextOf: (merchantId: string, merchantOrderNo: string) => contextOf({ merchantId, merchantOrderNo }),
});

/** Every personal column that is sealed (docs/personal-data.md). */
export const PERSONAL_COLUMNS: readonly PersonalColumn[] = [
  personalColumn({
    table: 'payment_claims',
    column: 'receipt',
    kind: 'FILE',
    what: 'pictures of payers',
    key: { id: 'uuid' },
    boundTo: ['deposit_id'],
    contextOf: receiptOf,
  }),
  ...(['deposit_orders', 'withdrawal_orders', 'cashier_sessions'] as const).map((table) =>
    personalColumn({
      table,
      column: 'extra_data',
      kind: 'TEXT',
      what: 'merchants’ texts',
      key: { id: 'uuid' },
      ...ofNumber(extraDataOf),
    }),
  ),
  ...(
    [
      ['payer_mobile', PAYER_MOBILE, 'payers’ mobile numbers'],
      ['payer_email', PAYER_EMAIL, 'payers’ mail addresses'],
      ['payer_account_no', PAYER_ACCOUNT, 'payers’ accounts'],
    ] as const
  ).map(([column, form, what]) =>
    personalColumn({
      table: 'deposit_orders',
      column,
      kind: 'TEXT',
      what,
      index: { column: `${form.name}_index`, form },
      key: { id: 'uuid' },
      ...ofNumber((order) => payerOf(order, form.name)),
    }),
  ),
  personalColumn({
    table: 'deposit_orders',
    column: 'payer_name',
    kind: 'TEXT',
    what: 'payers’ names',
    // Null is not unequal to it: where nobody named a payer, there is nothing to seal.
    where: 't.payer_name <> erased()',
    key: { id: 'uuid' },
    ...ofNumber((order) => payerOf(order, PAYER_NAME)),
  }),
  personalColumn({
    table: 'cashier_sessions',
    column: 'payer_bank_cards',
    kind: 'JSON',
    what: 'payers’ cards',
    index: { column: 'payer_bank_cards_index', form: PAYER_CARDS },
    where: "t.payer_bank_cards <> '[]'",
    key: { id: 'uuid' },
    ...ofNumber((order) => payerOf(order, PAYER_CARDS.name)),
  }),
  personalColumn({
    table: 'withdrawal_orders',
    column: 'beneficiary_bank_branch',
    kind: 'TEXT',
    what: 'beneficiaries’ branches',
    // A settlement pays a merchant.
    where: "t.origin = 'MERCHANT'",
    key: { id: 'uuid' },
    ...ofNumber(branchOf),
  }),
  ...PAYER_TRAITS.map((trait) =>
    personalColumn({
      table: 'listed_payers',
      column: 'value',
      kind: 'TEXT',
      what: 'listed payers',
      index: { column: 'key', form: LISTED_FORMS[trait] },
      where: `t.trait = '${trait}'`,
      key: { id: 'uuid' },
      boundTo: ['id'],
      contextOf: listedPayerOf,
    }),
  ),
  personalColumn({
    table: 'withdrawal_orders',
    column: 'beneficiary_account',
    kind: 'TEXT',
    what: 'beneficiaries’ accounts',
    index: { column: 'beneficiary_account_index', form: EXACT_BENEFICIARY },
    // A settlement pays a merchant.
    where: "t.origin = 'MERCHANT' and t.beneficiary_account <> erased()",
    key: { id: 'uuid' },
    boundTo: ['order_no'],
    contextOf: beneficiaryAccountOf,
  }),
  personalColumn({
    table: 'withdrawal_orders',
    column: 'beneficiary_name',
    kind: 'TEXT',
    what: 'beneficiaries’ names',
    // A settlement pays a merchant.
    where: "t.origin = 'MERCHANT' and t.beneficiary_name <> erased()",
    key: { id: 'uuid' },
    ...ofNumber(beneficiaryNameOf),
  }),
  personalColumn({
    table: 'listed_beneficiaries',
    column: 'account_no',
    kind: 'TEXT',
    what: 'listed beneficiaries',
    index: { column: 'account_key', form: LISTED_BENEFICIARY },
    key: { id: 'uuid' },
    boundTo: ['id'],
    contextOf: listedBeneficiaryOf,
  }),
  personalColumn({
    table: 'agent_texts',
    column: 'text',
    kind: 'TEXT',
    what: 'messages of banks',
    where: 't.text <> erased()',
    key: { id: 'uuid' },
    boundTo: ['id'],
    contextOf: bankTextOf,
  }),
  personalColumn({
    table: 'payer_returns',
    column: 'payee_account',
    kind: 'TEXT',
    what: 'accounts on returns',
    index: { column: 'payee_account_index', form: CREDIT_ACCOUNT },
    where: 't.payee_account <> erased()',
    key: { id: 'uuid' },
    boundTo: ['id'],
    contextOf: returnAccountOf,
  }),
  personalColumn({
    table: 'bank_transfers',
    column: 'payer_account',
    kind: 'TEXT',
    what: 'accounts on credits',
    index: { column: 'payer_account_index', form: CREDIT_ACCOUNT },
    where: 't.payer_account <> erased()',
    key: { id: 'uuid' },
    boundTo: ['id'],
    contextOf: creditAccountOf,
  }),
  personalColumn({
    table: 'bank_transfers',
    column: 'payer_name',
    kind: 'TEXT',
    what: 'names on credits',
    where: 't.payer_name <> erased()',
    key: { id: 'uuid' },
    boundTo: ['id'],
    contextOf: creditNameOf,
  }),
  personalColumn({
    table: 'bank_transfers',
    column: 'memo',
    kind: 'TEXT',
    what: 'memos of credits',
    where: "t.memo not in ('', erased())",
    key: { id: 'uuid' },
    boundTo: ['id'],
    contextOf: creditMemoOf,
  }),
  personalColumn({
    table: 'bank_transfers',
    column: 'payer_finding',
    kind: 'TEXT',
    what: 'findings about payers',
    where: 't.payer_finding <> erased()',
    key: { id: 'uuid' },
    boundTo: ['id'],
    contextOf: findingOf,
  }),
  ...(
    [
      ['payee_name', debitNameOf, 'names on debits'],
      ['payee_account', debitAccountOf, 'accounts on debits'],
      ['memo', debitMemoOf, 'memos of debits'],
    ] as const
  ).map(([column, contextOf, what]) =>
    personalColumn({
      table: 'bank_debits',
      column,
      kind: 'TEXT',
      what,
      where: `t.${column} not in ('', erased())`,
      key: { id: 'uuid' },
      boundTo: ['id'],
      contextOf,
    }),
  ),
  personalColumn({
    table: 'payer_returns',
    column: 'payee_name',
    kind: 'TEXT',
    what: 'names on returns',
    where: 't.payee_name <> erased()',
    key: { id: 'uuid' },
    boundTo: ['id'],
    contextOf: returnNameOf,
  }),
  personalColumn({
    table: 'notification_logs',
    column: 'request_body',
    kind: 'BODY',
    what: 'callbacks',
    key: { id: 'uuid' },
    boundTo: ['merchant_id'],
    contextOf: (merchantId) => merchantId,
  }),
  personalColumn({
    table: 'notification_logs',
    column: 'response_body',
    kind: 'TEXT',
    what: 'merchants’ last answers',
    key: { id: 'uuid' },
    boundTo: ['id'],
    contextOf: answerTo,
  }),
  personalColumn({
    table: 'callback_attempts',
    column: 'response_body',
    kind: 'TEXT',
    what: 'merchants’ answers',
    key: { notification_id: 'uuid', generation: 'integer', attempt: 'smallint' },
    boundTo: ['notification_id'],
    contextOf: answerTo,
  }),
  ...(
    [
      ['memo', 'texts of statements'],
      ['partyName', 'names on statements'],
      ['partyAccount', 'accounts on statements'],
      ['raw', 'unread lines of statements'],
    ] as const
  ).map(([text, what]) =>
    personalColumn({
      table: 'statement_lines',
      column: LINE_TEXTS[text],
      kind: 'TEXT',
      what,
      where: `t.${LINE_TEXTS[text]} is not null`,
      key: { statement_id: 'uuid', line: 'integer' },
      boundTo: ['statement_id', 'line'],
      contextOf: (statementId: string, line: string) => lineTextOf(text, statementId, line),
    }),
  ),
  personalColumn({
    table: 'statement_parts',
    column: 'content',
    kind: 'FILE',
    what: 'files of statements',
    // Each has up to 2 MB, unlike most pictures.
    most: 8,
    key: { statement_id: 'uuid', part: 'integer' },
    boundTo: ['statement_id', 'part'],
    contextOf: statementPartOf,
  }),
];
