import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from './harness';

const run = promisify(execFile);

/** The row of load-process.ts; pgbench cannot generate text, so the number is the id's. */
const SCRIPT = `insert into bench_rows (id, merchant_order_no, amount, currency_code, created_at)
select id, id::text, 100.00, 'THB', now() from (select uuidv7() as id) made;
`;

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

/** Prepared single-row inserts without Node.js: the database's own rate with this many clients. */
export async function pgbench(
  databaseUrl: string,
  folder: string,
  clients: number,
  seconds: number,
): Promise<Sample> {
  const script = path.join(folder, 'pgbench.sql');
  writeFileSync(script, SCRIPT);
  const { stdout } = await run('pgbench', [
    ...['--no-vacuum', '--protocol', 'prepared', '--file', script],
    ...['--client', String(Math.min(clients, MOST_CLIENTS)), '--jobs', '1'],
    ...['--time', String(Math.max(1, Math.round(seconds))), databaseUrl],
  ]);
  const [done, rate] = [/processed: (\d+)/, /^tps = ([\d.]+)/m].map((pattern) =>
    Number(pattern.exec(stdout)?.[1]),
  );
  const latency = /^latency average = ([\d.]+) ms/m.exec(stdout)?.[1];
  if (!done || !rate) throw new Error(`pgbench did not say its rate:\n${stdout}`);
  return { done, seconds: done / rate, figures: { 'mean ms': Number(latency) } };
}
