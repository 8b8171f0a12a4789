import { readFileSync } from 'node:fs';
import path from 'node:path';
import postgres, { type Sql } from 'postgres';

/** The files of a checkout, in the order in which its README runs them. */
const FILES = [
  'vendor/scoville-pgsql-ulid/ulid-to-uuid.sql',
  'vendor/scoville-pgsql-ulid/uuid-to-ulid.sql',
  'pgledger.sql',
];
const DATABASE = 'pgledger';
/** As many as the platform has for single statements. */
const CONNECTIONS = 16;

/** What belongs to one merchant: nothing is shared, so that merchants wait for no common row. */
interface Accounts {
  readonly suspense: string;
  readonly balance: string;
  readonly fees: string;
}

/**
 * pgledger, a double-entry ledger in SQL of others (github.com/pgr0ss/pgledger), in a database of its own on the bench's
 * PostgreSQL. A credit is two transfers in one call: the merchant's part and the fee. It has no order, event or callback.
 */
export class Pgledger {
  private constructor(
    private readonly sql: Sql,
    private readonly admin: Sql,
  ) {}

  /** @param folder a checkout of it */
  static async open(databaseUrl: string, folder: string): Promise<Pgledger> {
    const quiet = { onnotice: () => undefined };
    const admin = postgres(databaseUrl, { ...quiet, max: 1 });
    await admin.unsafe(`drop database if exists ${DATABASE} with (force)`);
    await admin.unsafe(`create database ${DATABASE}`);
    const url = new URL(databaseUrl);
    url.pathname = `/${DATABASE}`;
    const sql = postgres(url.href, { ...quiet, max: CONNECTIONS });
    for (const file of FILES) await sql.unsafe(readFileSync(path.join(folder, file), 'utf8'));
    return new Pgledger(sql, admin);
  }

  async accounts(merchants: number, currency: string): Promise<readonly Accounts[]> {
    return await this.sql<Accounts[]>`
      select (pgledger_create_account('suspense ' || n, ${currency})).id as suspense,
        (pgledger_create_account('balance ' || n, ${currency})).id as balance,
        (pgledger_create_account('fees ' || n, ${currency})).id as fees
      from generate_series(1, ${merchants}) n`;
  }

  /** Credits each of these in one transaction. */
  async credit(
    credited: readonly Accounts[],
    amounts: { readonly part: string; readonly fee: string },
  ): Promise<void> {
    const of = credited.flatMap(({ suspense, balance, fees }) => [
      { from: suspense, to: balance, amount: amounts.part },
      { from: suspense, to: fees, amount: amounts.fee },
    ]);
    const made = await this.sql`
      select id from pgledger_create_transfers(
        (select array_agg((t.from_id, t.to_id, t.amount)::transfer_request)
         from unnest(${of.map(({ from }) => from)}::text[], ${of.map(({ to }) => to)}::text[],
           ${of.map(({ amount }) => amount)}::numeric[]) as t(from_id, to_id, amount)),
        now(), null::jsonb)`;
    if (made.length !== of.length) throw new Error('pgledger made fewer transfers than asked');
  }

  async close(): Promise<void> {
    await this.sql.end();
    await this.admin.unsafe(`drop database ${DATABASE} with (force)`);
    await this.admin.end();
  }
}
