import { readFileSync } from 'node:fs';
import path from 'node:path';
import postgres, { type Sql } from 'postgres';
import { makeDatabase, type Steps } from '../servers';
import { type Accounts, type Amounts, type PeerLedger, transfersOf } from './peer-ledger';

/** The files of a checkout, in the order in which its README runs them. */
const FILES = [
  'vendor/scoville-pgsql-ulid/ulid-to-uuid.sql',
  'vendor/scoville-pgsql-ulid/uuid-to-ulid.sql',
  'pgledger.sql',
];
/** As many as the platform has for single statements. */
const CONNECTIONS = 16;

/**
 * pgledger, a ledger in SQL (github.com/pgr0ss/pgledger), in a database of its own on the bench's PostgreSQL. A request
 * is one call, and one transaction.
 */
export class Pgledger implements PeerLedger {
  readonly name = 'pgledger';
  readonly atLeast = 1;
  /** Only PostgreSQL. */
  readonly watched = [];

  private constructor(
    private readonly sql: Sql,
    private readonly closing: Steps,
  ) {}

  /** @param folder a checkout of it */
  static async open(databaseUrl: string, folder: string): Promise<Pgledger> {
    const closing: Steps = [];
    const url = await makeDatabase(databaseUrl, closing);
    const sql = postgres(url, { onnotice: () => undefined, max: CONNECTIONS });
    for (const file of FILES) await sql.unsafe(readFileSync(path.join(folder, file), 'utf8'));
    return new Pgledger(sql, closing);
  }

  async accounts(merchants: number, currency: string): Promise<readonly Accounts[]> {
    return await this.sql<Accounts[]>`
      select (pgledger_create_account('suspense ' || n, ${currency})).id as suspense,
        (pgledger_create_account('balance ' || n, ${currency})).id as balance,
        (pgledger_create_account('fees ' || n, ${currency})).id as fees
      from generate_series(1, ${merchants}) n`;
  }

  async credit(credited: readonly Accounts[], amounts: Amounts): Promise<void> {
    const of = credited.flatMap((accounts) => transfersOf(accounts, amounts));
    const made = await this.sql`
      select id from pgledger_create_transfers(
        (select array_agg((t.from_id, t.to_id, t.amount)::transfer_request)
         from unnest(${of.map(({ from }) => from)}::text[], ${of.map(({ to }) => to)}::text[],
           ${of.map(({ amount }) => amount.toFixed())}::numeric[]) as t(from_id, to_id, amount)),
        now(), null::jsonb)`;
    if (made.length !== of.length) throw new Error('pgledger made fewer transfers than asked');
  }

  async close(): Promise<void> {
    await this.sql.end();
    for (const step of this.closing.reverse()) await step();
  }
}
