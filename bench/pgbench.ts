import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from './harness';

const run = promisify(execFile);

/** The statements of load-process.ts; pgbench cannot generate text, so a row's number is its id's. */
const SCRIPTS = {
  insertRows: `insert into bench_rows (id, merchant_order_no, amount, currency_code, created_at)
select id, id::text, 100.00, 'THB', now() from (select uuidv7() as id) made;
`,
  updateHotRow: `update bench_hot_row set amount = amount + 100.00, deposits = deposits + 1 where id = 1;
`,
} as const;

/** It opens its connections one by one within its time: on a small machine more clients do nothing else. */
const MOST_CLIENTS = 32;

/** Whether pgbench is on this machine. */
export async function hasPgbench(): Promise<boolean> {
  try {
    await run('pgbench', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/**
 * Prepared statements without Node.js: the database's own rate with this many clients. Their tables are there once the
 * load generator has run.
 */
export async function pgbench(
  kind: keyof typeof SCRIPTS,
  databaseUrl: string,
  folder: string,
  clients: number,
  seconds: number,
): Promise<Sample> {
  const script = path.join(folder, 'pgbench.sql');
  writeFileSync(script, SCRIPTS[kind]);
  const { stdout } = await run('pgbench', [
    ...['--no-vacuum', '--protocol', 'prepared', '--file', script],
    ...['--client', String(Math.min(clients, MOST_CLIENTS)), '--jobs', '1'],
    ...['--time', String(Math.max(1, Math.round(seconds))), databaseUrl],
  ]);
  const [done, rate] = [/processed: (\d+)/, /^tps = ([\d.]+)/m].map((pattern) => Number(pattern.exec(stdout)?.[1]));
  const latency = /^latency average = ([\d.]+) ms/m.exec(stdout)?.[1];
  if (!done || !rate) throw new Error(`pgbench did not say its rate:\n${stdout}`);
  return { done, seconds: done / rate, figures: { 'mean ms': Number(latency) } };
}
