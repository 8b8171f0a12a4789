import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openDatabase } from '../../db/client';
import { sealLedger } from '../../db/proof/seals';
import type { Bench, Finding } from '../bench';
import { loadOrders } from '../many-orders';
import type { Testbed } from '../testbed';

const run = promisify(execFile);

const ORDERS = 1_000_000;
const MERCHANTS = 500;
const ACCOUNTS = 60;
const DAYS = 90;
const MEGABYTE = 1024 * 1024;

interface Verified {
  readonly exit: number;
  readonly lines: readonly string[];
}

/** The command as an operator runs it, on the whole books. */
async function verify(url: string): Promise<Verified> {
  const env = { ...process.env, DATABASE_URL: url };
  try {
    const { stdout } = await run(process.execPath, ['dist/main.js', 'ledger:verify'], { env });
    return { exit: 0, lines: stdout.trim().split('\n') };
  } catch (error) {
    const { code, stdout } = error as { readonly code?: number; readonly stdout?: string };
    if (stdout === undefined) throw error;
    return { exit: code ?? 1, lines: stdout.trim().split('\n') };
  }
}

/** The number behind `name=` in the line of counts. */
function countIn({ lines }: Verified, name: string): number {
  const found = new RegExp(`\\b${name}=([\\d.]+)`).exec(lines[0] ?? '')?.[1];
  if (found === undefined) throw new Error(`ledger:verify does not say ${name}: ${lines[0]}`);
  return Number(found);
}

/** Bytes that PostgreSQL has written to temporary files of this database. */
async function temporaryBytes({ database }: Testbed): Promise<number> {
  const [row] = await database.sql<{ bytes: string }[]>`
    select pg_stat_force_next_flush(), temp_bytes::text as bytes from pg_stat_database
    where datname = current_database()`;
  return Number(row?.bytes);
}

/** One unit is taken from a posting in the middle of the books, with the triggers off. */
async function corrupt({ database }: Testbed): Promise<string> {
  return await database.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`;
    const [row] = await tx<{ id: string }[]>`
      update ledger_entries e set amount = amount - 0.0001
      where (transfer_id, line) = (
        select transfer_id, 1 from ledger_seals where seq = (select max(seq) / 2 from ledger_seals))
      returning transfer_id as id`;
    if (!row) throw new Error('no posting was sealed');
    return row.id;
  });
}

export const proof: Bench = {
  sentence: 'a whole proof of the books over 1,000,000 orders: time, memory, temporary files',
  needs: { temporal: false, countStatements: false },
  async open(testbed, { orders = ORDERS }) {
    const { databaseUrl: url } = testbed.servers;
    const now = new Date();
    await loadOrders(url, { orders, merchants: MERCHANTS, accounts: ACCOUNTS, days: DAYS, now });
    console.log(`${orders} orders loaded`);
    const database = openDatabase({ url, applicationName: 'causeway-bench-proof' });
    return {
      heats: [],
      async findings(): Promise<readonly Finding[]> {
        const begun = performance.now();
        const sealed = await sealLedger(database, true, now);
        const sealing = (performance.now() - begun) / 1000;
        const spilled = await temporaryBytes(testbed);
        const whole = await verify(url);
        for (const line of whole.lines.slice(0, 10)) console.log(line);
        if (whole.exit !== 0) throw new Error('books of whole orders did not add up');
        const spill = (await temporaryBytes(testbed)) - spilled;
        const posting = await corrupt(testbed);
        const corrupted = await verify(url);
        const named = corrupted.lines.some((line) => line.includes(posting));
        if (corrupted.exit !== 1 || !named)
          throw new Error(`a posting was corrupted, and the proof does not name it: ${posting}`);
        console.log(`corrupted posting named: ${corrupted.lines.at(-1)}`);
        return [
          { what: 'postings sealed', value: sealed, unit: 'postings' },
          { what: 'sealing', value: sealed / sealing, unit: 'postings a second' },
          { what: 'whole proof', value: countIn(whole, 'seconds'), unit: 's' },
          { what: 'memory of the process', value: countIn(whole, 'memory_mb'), unit: 'MB' },
          { what: 'temporary files', value: spill / MEGABYTE, unit: 'MB' },
        ];
      },
      async close() {
        await database.close();
      },
    };
  },
};
