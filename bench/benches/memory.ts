import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Finding } from '../bench';
import { memoryOf, secondsOf, type Watched } from '../cpu';
import type { Testbed } from '../testbed';
import { SeededOrders } from '../seed';

/** The figures are per this many orders, however many the bench opens. */
const PER_ORDERS = 10_000;
/** Orders that are opened at once: the relay takes no more at a time. */
const AT_ONCE = 200;
/** The start is over when the worker's CPU use, this many seconds apart, differs by less than this share of a core. */
const LEVEL_SECONDS = 3;
const LEVEL_SHARE = 0.05;
const MEGABYTE = 1024 * 1024;

interface Level {
  readonly processes: readonly (number | undefined)[];
  readonly database: number;
}

async function levelNow({ database }: Testbed, processes: readonly Watched[]): Promise<Level> {
  const [row] = await database.sql<{ size: string }[]>`
    select sum(pg_total_relation_size(oid))::text as size from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  return { processes: processes.map(memoryOf), database: Number(row?.size) };
}

/** Waits until the outbox is empty and, unless it is short, the worker's CPU use is level. */
async function allStarted({ database: { sql } }: Testbed, worker: Watched, short: boolean): Promise<void> {
  const apart = short ? LEVEL_SECONDS / 10 : LEVEL_SECONDS;
  for (let last = Infinity; ;) {
    const before = secondsOf(worker) ?? 0;
    await sleep(apart * 1000);
    const busy = ((secondsOf(worker) ?? 0) - before) / apart;
    const [row] = await sql<{ left: number }[]>`select count(*)::int as left from outbox`;
    if (row?.left === 0 && (short || Math.abs(busy - last) < LEVEL_SHARE)) return;
    last = busy;
  }
}

export const memory: Bench = {
  sentence: 'what 10,000 open orders take: memory of the worker and the Temporal server, disk',
  needs: { temporal: true, countStatements: false },
  async open(testbed, { orders = PER_ORDERS, short }) {
    const { database, servers } = testbed;
    const [merchant] = await testbed.merchants(1);
    const [accountId = ''] = await testbed.accounts(1);
    if (!merchant) throw new Error('there is no merchant');
    const worker = await testbed.startRole('worker');
    const [watchedWorker] = worker.watched;
    if (!watchedWorker) throw new Error("the worker's process was not found");
    const processes = [...worker.watched, ...servers.own.filter(({ family }) => family !== true)];
    const seeded = new SeededOrders(testbed, merchant, accountId, 'PENDING', '');

    const open = async (count: number): Promise<void> => {
      await seeded.fill(count);
      for (let opened = 0; opened < count; opened += AT_ONCE) {
        const ids = Array.from({ length: Math.min(AT_ONCE, count - opened) }, () => seeded.take());
        await database.transaction(async (tx) => {
          await tx`
            select wake_deposit(d, ${new Date()}) from deposit_orders d
            where id = any(${ids.map(({ depositId }) => depositId)})`;
          // Like the row of a new order, whose workflow has nothing to do before the expiry.
          await tx`
            update outbox o set rank = 3, start_at = d.expire_at from deposit_orders d
            where o.key = 'deposit:' || d.order_no`;
        });
      }
      await allStarted(testbed, watchedWorker, short);
    };

    return {
      heats: [],
      findings: async () => {
        // The first workflows load code into memory that stays there, however many follow.
        await open(AT_ONCE);
        const before = await levelNow(testbed, processes);
        await open(orders);
        const after = await levelNow(testbed, processes);
        const perOrders = (bytes: number): number => (bytes / MEGABYTE / orders) * PER_ORDERS;
        const findings: Finding[] = processes.flatMap(({ name }, n) => {
          const [from, to] = [before.processes[n], after.processes[n]];
          if (from === undefined || to === undefined) return [];
          return [
            { what: `${name}: before`, value: from / MEGABYTE, unit: 'MB' },
            {
              what: `${name}: more`,
              value: perOrders(to - from),
              unit: `MB for ${PER_ORDERS} open orders`,
            },
          ];
        });
        findings.push({
          what: 'tables and indexes: more',
          value: perOrders(after.database - before.database),
          unit: `MB for ${PER_ORDERS} open orders`,
        });
        return findings;
      },
    };
  },
};
