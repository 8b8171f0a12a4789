import type { Sql } from 'postgres';
import { findRoutableAccounts } from '../../db/accounts/bank-accounts';
import { type Database, openDatabase } from '../../db/client';
import { findMerchantDeposits } from '../../db/deposits/deposits';
import { findMerchantsByKeys } from '../../db/merchants/merchants';

/*
 * The floor under accepting and querying deposits: a database that answers from memory, at the interface of
 * `Database.sql`. Everything above it is the product's own: HTTP, signature, JSON, GraphQL, rules, ids and remarks. It
 * leaves out postgres.js (pool, parameters, protocol, rows), PostgreSQL, and waiting for both.
 */

type Row = Readonly<Record<string, unknown>>;

/** Answers a statement by its text, in which each parameter is a `$`. */
type Answer = (text: string, values: readonly unknown[]) => readonly Row[];

/** A statement as postgres.js gets it: text between parameters, some of which are statements themselves. */
class Statement implements PromiseLike<readonly Row[]> {
  constructor(
    private readonly strings: readonly string[],
    private readonly parts: readonly unknown[],
    private readonly answer: Answer,
  ) {}

  private text(): string {
    return this.strings.reduce((text, next, n) => {
      const part = this.parts[n - 1];
      return text + (part instanceof Statement ? part.text() : '$') + next;
    });
  }

  private values(): unknown[] {
    return this.parts.flatMap((part) => (part instanceof Statement ? part.values() : [part]));
  }

  then<Fulfilled, Rejected>(
    fulfilled?: ((rows: readonly Row[]) => Fulfilled | PromiseLike<Fulfilled>) | null,
    rejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): PromiseLike<Fulfilled | Rejected> {
    // Answers in a later turn of the event loop, as a database would, so that calls that arrive meanwhile form one
    // batch.
    return new Promise<void>(setImmediate)
      .then(() => this.answer(this.text(), this.values()))
      .then(fulfilled, rejected);
  }
}

/** The content of the real database when the floor began. */
interface Memory {
  readonly merchants: ReadonlyMap<string, Row>;
  readonly accounts: readonly Row[];
  readonly deposits: ReadonlyMap<string, Row>;
}

const by = (rows: readonly Row[], key: string): Map<string, Row> => new Map(rows.map((row) => [String(row[key]), row]));

/** The rows that PostgreSQL returns to db/, before db/ converts them. */
async function rowsOf(real: Database, ask: (database: Database) => Promise<unknown>): Promise<Row[]> {
  const seen: Row[] = [];
  const sql = (strings: TemplateStringsArray, ...parts: never[]): unknown => {
    const query = real.sql<Row[]>(strings, ...parts);
    // A fragment is part of another statement.
    if (!/^\s*select/.test(strings[0] ?? '')) return query;
    return query.then((rows) => {
      seen.push(...rows.map(copyOf));
      return rows;
    });
  };
  await ask({ ...real, sql: Object.assign(sql, real.sql) });
  return seen;
}

async function remember(real: Database): Promise<Memory> {
  const { sql } = real;
  const now = new Date();
  const keys = await sql<{ hash: string }[]>`select lookup_hash as hash from api_keys`;
  const currencies = await sql<{ code: string }[]>`
    select distinct currency_code as code from bank_accounts`;
  const orders = await sql<{ merchantId: string; orderNo: string }[]>`
    select merchant_id, order_no from deposit_orders`;
  const merchants = await rowsOf(
    real,
    async (database) =>
      await findMerchantsByKeys(
        database,
        keys.map(({ hash }) => hash),
        now,
      ),
  );
  const accounts = await rowsOf(
    real,
    async (database) =>
      await findRoutableAccounts(
        database,
        currencies.map(({ code }) => code),
        now,
      ),
  );
  const deposits = await rowsOf(
    real,
    async (database) =>
      await findMerchantDeposits(
        database,
        orders.map((order) => ({ ...order, merchantOrderNo: null })),
      ),
  );
  return {
    // Otherwise each request would note that it is the first one, or the first create, of its key.
    merchants: by(
      merchants.map((row) => ({ ...row, apiKeyUsed: true, keyToNote: null })),
      'lookupHash',
    ),
    accounts,
    deposits: by(deposits, 'orderNo'),
  };
}

/** Each call returns a new row, because db/ changes rows in place. */
function copyOf(row: Row): Row {
  const { currencies } = row as { readonly currencies?: readonly Row[] };
  return { ...row, ...(currencies && { currencies: currencies.map((each) => ({ ...each })) }) };
}

type Json = Readonly<Record<string, unknown>>[];

/** The one list among a statement's parameters. */
const listIn = (values: readonly unknown[]): readonly unknown[] => values.find(Array.isArray) ?? [];

/** The statements of the two routes, as db/ writes them; an unknown one fails the bench. */
const answers = (memory: Memory): readonly (readonly [RegExp, (values: readonly unknown[]) => readonly Row[]])[] => {
  const found = (rows: ReadonlyMap<string, Row>, key: unknown): readonly Row[] => {
    const row = rows.get(String(key));
    return row ? [copyOf(row)] : [];
  };
  return [
    [
      /from accept_deposits/,
      ([deposits]) =>
        (deposits as Json).map(({ id, requested_amount: amount }) => ({
          id,
          amount,
          outcome: 'ACCEPTED',
        })),
    ],
    [/k.lookup_hash = any/, (values) => listIn(values).flatMap((hash) => found(memory.merchants, hash))],
    [/cross join lateral account_use/, () => memory.accounts.map(copyOf)],
    // All deposits of the bench go to accounts.
    [/cross join lateral channel_use/, () => []],
    [/jsonb_to_recordset/, ([scopes]) => (scopes as Json).map(() => ({ count: 0 }))],
    [
      /join lateral \(\s+select \* from deposit_orders/,
      ([, orderNos]) =>
        (orderNos as string[]).flatMap((orderNo, n) =>
          found(memory.deposits, orderNo).map((row) => ({ ...row, place: n + 1 })),
        ),
    ],
    [/^select 1$/, () => [{}]],
  ];
};

/** A database that answers from a copy of the real one. */
export async function memoryDatabase(url: string): Promise<Database> {
  const real = openDatabase({ url, applicationName: 'causeway-bench-floor', max: 1 });
  const memory = await remember(real);
  await real.close();
  const known = answers(memory);
  const answer: Answer = (text, values) => {
    const entry = known.find(([pattern]) => pattern.test(text));
    if (!entry) throw new Error(`the floor has no answer to: ${text}`);
    return entry[1](values);
  };
  const sql = Object.assign(
    (strings: readonly string[], ...parts: unknown[]) => new Statement(strings, parts, answer),
    {
      json: (value: unknown) => value,
      // A relay would receive it; there is none here.
      notify: async () => {
        await Promise.resolve();
      },
      unsafe: (text: string, values: readonly unknown[]) =>
        new Statement([text, ...values.map(() => '')], values, answer),
    },
  );
  const absent = (): never => {
    throw new Error('the floor has no transactions and no readers');
  };
  return {
    sql: sql as unknown as Sql,
    transaction: absent,
    get read(): never {
      return absent();
    },
    measure: sql as unknown as Sql,
    patience: 1,
    pooler: false,
    close: async () => {
      await Promise.resolve();
    },
  };
}
