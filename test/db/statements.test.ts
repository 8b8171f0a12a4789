import postgres, { type Sql } from 'postgres';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readStatements, type Statement } from './statements';

const STATEMENTS = readStatements();

/**
 * The JavaScript types to which postgres.js parses PostgreSQL's types, by their ids. A bigint or a numeric stays
 * text: a number might not hold it.
 */
const KINDS: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'Buffer',
  1184: 'Date',
  21: 'number',
  23: 'number',
  701: 'number',
  20: 'string',
  25: 'string',
  1042: 'string',
  1700: 'string',
  2950: 'string',
  // A day (db/client.ts).
  1082: 'string',

  1005: 'array',
  1182: 'array',
  1007: 'array',
  1009: 'array',
  1185: 'array',
  1231: 'array',
  2951: 'array',
};
/** json and jsonb: their content is checked where it is read. */
const JSON_TYPES = [114, 3802];

/** Statements whose columns are the keys of an object: the tests that send them check them. */
const MADE_AT_RUN_TIME = [
  'db/accounts/bank-accounts.ts: insert into bank_accounts',
  'db/accounts/bank-accounts.ts: update bank_accounts set',
  'db/channels/channels.ts: insert into channel_banks',
  'db/channels/channels.ts: insert into channels',
  'db/channels/channels.ts: update channels set',
  'db/fees/commissions.ts: select * from commission_rates where',
  'db/ledger/operator-postings.ts: select * from operator_postings where',
  'db/ledger/payer-returns.ts: select * from payer_returns where',
  'db/merchants/merchants.ts: insert into merchants',
  'db/merchants/merchants.ts: update merchants set',
  'db/orders/day-totals.ts: select to_char(d.created_at at time zone',
  'db/pages.ts: select count(*)::int as count from (select',
  'db/personal/erase.ts: select',
  'db/personal/erase.ts: select t.id from',
  'db/platform/archive.ts: delete from',
  'db/platform/personal-columns.ts: update',
  'db/platform/personal-columns.ts: with next as (select array[',
  'db/sandbox/purge.ts: select * from',
  'db/search.ts: select kind, id, field, exact from (',
  'db/statements/statements.ts: insert into statements',
  'db/statements/statements.ts: update statements set',
  'db/transfers/bank-debits.ts: insert into bank_debits',
];

/** Nullable columns that are never null in the rows that the statement selects. */
const NOT_NULL_HERE = [
  'db/transfers/candidates.ts accountId: channel orders are left out',
  'db/fees/commissions.ts orderId: the orders are given',
  'db/mails.ts linkId: the links are given',
  'db/platform/sealed-rows.ts payload: undecided proposals only',
  'db/platform/sealed-rows.ts sealed: sealed rows only',
  'db/cashier/sessions.ts seq: published events only',
  'db/changes/change-requests.ts merchantId: the merchants are given',
  'db/changes/change-requests.ts approvedBy: applied changes only',
  'db/changes/change-requests.ts appliedAt: applied changes only',
  'db/ledger/ledger.ts total: generated of columns that are not null',
];

interface Column {
  readonly name: string;
  readonly type: number;
  /** The table from which the value is read; 0: it is computed. */
  readonly table: number;
  readonly number: number;
}

describe('the statements of db/', () => {
  let database: TestDatabase;
  let sql: Sql;
  let nullable: ReadonlySet<string>;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = postgres(database.url, { max: 1 });
    const rows = await sql<{ column: string }[]>`
      select attrelid::int8 || '.' || attnum as column from pg_attribute where not attnotnull`;
    nullable = new Set(rows.map(({ column }) => column));
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  function* problemsOf({ at, fields }: Statement, columns: readonly Column[]): Generator<string> {
    const answered = new Map(columns.map((column) => [postgres.toCamel(column.name), column]));
    for (const [field, declared] of fields ?? []) {
      const column = answered.get(field);
      if (!column) {
        yield `${at}: ${field} is not answered`;
        continue;
      }
      const kinds = declared.filter((kind) => kind !== 'null').join(' or ');
      if (!JSON_TYPES.includes(column.type) && kinds !== KINDS[column.type])
        yield `${at}: ${field} is ${KINDS[column.type] ?? `of type ${column.type}`}, not ${kinds}`;
      const reason = `${at.replace(/:.*/, '')} ${field}: `;
      if (
        nullable.has(`${column.table}.${column.number}`) &&
        !declared.includes('null') &&
        !NOT_NULL_HERE.some((known) => known.startsWith(reason))
      )
        yield `${at}: ${field} may be null`;
    }
  }

  it('are prepared unchanged, and answer rows of the declared types', async () => {
    const problems: string[] = [];
    for (const statement of STATEMENTS)
      for (const { text, samples } of statement.texts) {
        const described = sql.unsafe(text, samples as never[]).describe();
        await described.then(
          ({ columns }) => problems.push(...problemsOf(statement, columns as unknown as Column[])),
          (error: unknown) => problems.push(`${statement.at}: ${String(error)}`),
        );
      }
    expect(problems).toEqual([]);
  });

  it('are all checked, except for those that are made at run time', () => {
    expect(STATEMENTS.length).toBeGreaterThan(300);
    const made = STATEMENTS.filter(({ texts }) => texts.length === 0);
    expect(made.map(({ at, begin }) => `${at.replace(/:.*/, '')}: ${begin}`).sort()).toEqual(
      [...MADE_AT_RUN_TIME].sort(),
    );
  });
});
