import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena';
import type { Campaign } from '../campaign';
import { OtherOrders } from '../other-orders';
import type { ServerName } from '../platform';
import { Tables } from '../tables';
import { until } from '../until';

const MEGABYTES = 500;
const FULL_MS = 20_000;
const CALM_MS = 10_000;
const FULL_TIMES = 3;
/** The time for PostgreSQL to start after a crash, and for a worker, which ends while Temporal is down. */
const RECOVERS_WITHIN_MS = 30_000;
const ALTOGETHER_MS = FULL_TIMES * (FULL_MS + CALM_MS) + CALM_MS;
/** To this many deposits there is one withdrawal and one cashier session. */
const OTHERS_EVERY = 4;
/** Files that PostgreSQL keeps ready for its log. */
const LOG_FILES = 40;

/**
 * Fills a server's disk for a while. Meanwhile requests are refused by 503, and afterwards everything continues without
 * help.
 */
async function full(
  { platform, gateways, found, say }: Arena,
  server: ServerName,
  what: string,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const began = Date.now();
  platform.diskOf(server).fill();
  await meanwhile();
  await sleep(Math.max(0, began + FULL_MS - Date.now()));
  const freed = Date.now();
  platform.diskOf(server).free();
  const ended = await platform.restartIfEnded(server);
  const isGood = ({ at, status }: { at: number; status: number }): boolean => at > freed && status === 201;
  if (!(await until(() => gateways.answers.some(isGood), RECOVERS_WITHIN_MS)))
    found.breaches.push(`${what}: no recovery within ${RECOVERS_WITHIN_MS} ms`);
  const recoveredMs = Date.now() - freed;
  const during = gateways.answers.filter(({ at }) => at >= began && at < freed);
  const count = (status: number): number => during.filter((one) => one.status === status).length;
  say(
    `${what}: ${during.length} answers, ${count(503)} of them 503, ${count(500)} 500; ` +
      `${ended ? 'it ended, and was started again; ' : ''}recovered ${(recoveredMs / 1000).toFixed(1)} s after its end`,
  );
  if (count(500) > 0) found.breaches.push(`${what}: ${count(500)} requests were answered 500`);
  if (server === 'postgres' && count(503) === 0) found.breaches.push(`${what}: nothing was answered 503`);
  await sleep(CALM_MS);
}

/**
 * Uses up PostgreSQL's log files, so that it crashes. @param tables connected before, because later nothing can connect
 */
async function useUpLog(tables: Tables, { found }: Pick<Arena, 'found'>): Promise<void> {
  try {
    for (let n = 0; n < LOG_FILES; n++) await tables.switchLog();
    found.breaches.push('PostgreSQL wrote on although its disk was full');
  } catch {
    // It has crashed: it cannot run without its log.
  }
}

/** Whether PostgreSQL has logged that it could not write. */
const hasCrashed = (folder: string): boolean =>
  readFileSync(path.join(folder, 'logs', 'postgres.log'), 'utf8').includes('PANIC:');

export const diskFull: Campaign = {
  name: 'disk-full',
  about:
    "fills PostgreSQL's disk under deposits, cashier sessions and payouts, for its tables and then for its log, and Temporal's disk; needs root on Linux",
  size: { gateways: 1, workers: 1, disk: MEGABYTES },
  orders: 300,
  run: async (arena) => {
    const { platform, load, orders, found } = arena;
    const tables = new Tables(platform.databaseUrl);
    await tables.switchLog();
    const others = await OtherOrders.provision(arena);
    const coming = Promise.all([
      load.start(orders, ALTOGETHER_MS),
      others.start(Math.ceil(orders / OTHERS_EVERY), ALTOGETHER_MS),
    ]);
    // A failure shows below, where it is awaited; until then it must not end this process.
    coming.catch(() => undefined);
    await sleep(CALM_MS);
    await full(arena, 'postgres', 'no room for its tables');
    await full(arena, 'postgres', 'no room for its log', () => useUpLog(tables, arena));
    await tables.close();
    if (!hasCrashed(platform.folder)) found.breaches.push('PostgreSQL never crashed');
    await full(arena, 'temporal', "no room on Temporal's disk");
    await coming;
    await others.finish(arena);
  },
};
