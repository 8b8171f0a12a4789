import type { Sql } from 'postgres';
import { type Database, openDatabase } from '../../db/client';

/*
 * The floor under accepting and querying deposits: a database that answers from memory, at the seam of
 * `Database.sql`. Everything above it is the product's own: HTTP, signature, JSON, GraphQL, rules, the making of
 * ids and remarks. What it leaves out: postgres.js (pool, parameters, wire, rows), PostgreSQL, and the waiting.
 */

type Row = Readonly<Record<string, unknown>>;

/** Answers a statement by its text, in which each parameter is a `$`. */
type Answer = (text: string, values: readonly unknown[]) => readonly Row[];

/** A statement as postgres.js takes it: text between parameters, some of which are statements themselves. */
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
    // A turn later, as a database would: calls that arrive meanwhile form one batch.
    return new Promise<void>(setImmediate)
      .then(() => this.answer(this.text(), this.values()))
      .then(fulfilled, rejected);
  }
}

/** What the real database held when the floor began. */
interface Memory {
  readonly merchants: ReadonlyMap<string, Row>;
  readonly accounts: readonly Row[];
  readonly accountsById: ReadonlyMap<string, Row>;
  readonly deposits: ReadonlyMap<string, Row>;
}

const by = (rows: readonly Row[], key: string): Map<string, Row> =>
  new Map(rows.map((row) => [String(row[key]), row]));

async function remember({ sql }: Database): Promise<Memory> {
  const merchants = await sql<Row[]>`
    select m.*, k.id as api_key_id, k.lookup_hash,
      (select json_agg(json_build_object(
          'currencyCode', c.currency_code, 'enabled', c.enabled,
          'depositFeePercent', c.deposit_fee_percent::text,
          'depositFeeFixed', c.deposit_fee_fixed::text,
          'withdrawalFeePercent', c.withdrawal_fee_percent::text,
          'withdrawalFeeFixed', c.withdrawal_fee_fixed::text,
          'withdrawalMin', c.withdrawal_min::text,
          'withdrawalMax', c.withdrawal_max::text))
        from merchant_currencies c where c.merchant_id = m.id) as currencies
    from api_keys k join merchants m on m.id = k.merchant_id`;
  const accounts = await sql<Row[]>`select * from bank_accounts order by id`;
  const deposits = await sql<Row[]>`
    select d.*, null as callback_status, 0 as callback_count from deposit_orders d`;
  return {
    merchants: by(merchants, 'lookupHash'),
    accounts,
    accountsById: by(accounts, 'id'),
    deposits: by(deposits, 'orderNo'),
  };
}

/** Readers change a row in place, as if it were new. */
function copyOf(row: Row): Row {
  const { currencies } = row as { readonly currencies?: readonly Row[] };
  return { ...row, ...(currencies && { currencies: currencies.map((each) => ({ ...each })) }) };
}

type Json = Readonly<Record<string, unknown>>[];

/** The statements of the two routes, as db/ writes them: one that is not here fails the bench. */
const answers = (
  memory: Memory,
): readonly (readonly [RegExp, (values: readonly unknown[]) => readonly Row[]])[] => {
  const found = (rows: ReadonlyMap<string, Row>, key: unknown): readonly Row[] => {
    const row = rows.get(String(key));
    return row ? [copyOf(row)] : [];
  };
  return [
    [
      /from accept_deposits/,
      ([deposits]) =>
        (deposits as Json).map(({ id, requested_amount: amount }) => ({
          ...{ id, amount, outcome: 'ACCEPTED' },
        })),
    ],
    [
      /k.lookup_hash = any/,
      ([hashes]) => (hashes as string[]).flatMap((hash) => found(memory.merchants, hash)),
    ],
    [/left join account_days/, () => memory.accounts.map((row) => ({ ...row, todayAmount: '0' }))],
    [
      /from bank_accounts where id = any/,
      ([ids]) => (ids as string[]).flatMap((id) => found(memory.accountsById, id)),
    ],
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
    close: async () => {
      await Promise.resolve();
    },
  };
}
