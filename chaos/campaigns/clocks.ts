import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Arena } from '../arena';
import type { Campaign } from '../campaign';
import type { Member } from '../member';
import { OtherOrders } from '../other-orders';
import type { Platform } from '../platform';
import { until } from '../until';

const BY_MS = 10 * 60_000;
/** Longer than the interval at which roles measure their clocks. */
const MOVED_FOR_MS = 20_000;
const RIGHT_FOR_MS = 10_000;
const NOTICED_WITHIN_MS = 5_000;
/** Roles measure the database's clock every 15 s. */
const MEASURED_WITHIN_MS = 25_000;
/** The time for a worker to start again on a busy machine. */
const SERVES_WITHIN_MS = 60_000;
const ORDERS_A_SECOND = 2;
/** To this many deposits there is one withdrawal and one cashier session. */
const OTHERS_EVERY = 4;

type Moves = readonly (readonly [member: Member | undefined, byMs: number])[];

const isReady = async (url: string): Promise<boolean> => {
  const { statusCode, body } = await request(`${url}/health/ready`);
  await body.dump();
  return statusCode === 200;
};

/** Moves PostgreSQL's clock for a while: meanwhile each role takes no work, although its own clock is right. */
async function moveDatabase({ platform, found, say }: Arena, what: string, byMs: number): Promise<void> {
  say(what);
  const { postgresClock, workers } = platform;
  if (!postgresClock) throw new Error("PostgreSQL's clock cannot be moved");
  const ended = workers.map(({ ends }) => ends);
  postgresClock.move(byMs);
  const refuse = until(async () => {
    const ready = await Promise.all(platform.gatewayUrls.map(isReady));
    return !ready.some(Boolean) && workers.every(({ ends }, n) => ends > (ended[n] ?? 0));
  }, MEASURED_WITHIN_MS);
  if (!(await refuse)) found.breaches.push(`${what}: a role takes work`);
  postgresClock.move(0);
  await allServe(platform, what, found.breaches);
  await sleep(RIGHT_FOR_MS);
}

async function allServe(platform: Platform, what: string, breaches: string[]): Promise<void> {
  const serve = until(async () => {
    const ready = await Promise.all(platform.gatewayUrls.map(isReady));
    return ready.every(Boolean) && platform.workers.every((worker) => worker.isServing);
  }, SERVES_WITHIN_MS);
  if (!(await serve)) breaches.push(`${what}: a role takes no work although its clock is right`);
}

/** Moves these processes' clocks for a while. A gateway refuses work meanwhile, a worker ends and waits. */
async function move({ platform, found, say }: Arena, what: string, moves: Moves): Promise<void> {
  say(what);
  const workers = platform.workers.map((worker) => ({ worker, ends: worker.ends }));
  for (const [member, byMs] of moves) if (member) platform.moveClock(member, byMs);
  const isMoved = (one: Member | undefined): boolean => moves.some(([member]) => member === one);
  for (const [n, gateway] of platform.gateways.entries()) {
    const url = platform.gatewayUrls[n] ?? '';
    const refuses = async (): Promise<boolean> => !(await isReady(url));
    if (isMoved(gateway) && !(await until(refuses, NOTICED_WITHIN_MS)))
      found.breaches.push(`${what}: ${gateway.name} takes work`);
    if (!isMoved(gateway) && !(await isReady(url))) found.breaches.push(`${what}: ${gateway.name} takes no work`);
  }
  await sleep(MOVED_FOR_MS);
  for (const { worker, ends } of workers)
    if (isMoved(worker) !== worker.ends > ends)
      found.breaches.push(`${what}: ${worker.name} ${isMoved(worker) ? 'works on' : 'ended'}`);
  for (const [member] of moves) if (member) platform.moveClock(member, 0);
  await allServe(platform, what, found.breaches);
  await sleep(RIGHT_FOR_MS);
}

export const clocks: Campaign = {
  name: 'clocks',
  about:
    'moves the clocks of gateways, workers and PostgreSQL by ten minutes, back and forth, one by one and all at once, under deposits, cashier sessions and payouts; needs cc on Linux',
  size: { gateways: 2, workers: 2, movesClocks: true },
  orders: 300,
  run: async (arena) => {
    const { platform, load, ledger, orders, found } = arena;
    const [[gateway1, gateway2], [worker1, worker2]] = [platform.gateways, platform.workers];
    const all = (byMs: number): Moves => platform.members.map((member) => [member, byMs]);
    const began = new Date();
    for (const worker of platform.workers) worker.mayEnd = true;
    const others = await OtherOrders.provision(arena);
    const comingMs = (orders / ORDERS_A_SECOND) * 1_000;
    const coming = Promise.all([
      load.start(orders, comingMs),
      others.start(Math.ceil(orders / OTHERS_EVERY), comingMs),
    ]);
    // A failure shows below, where it is awaited; until then it must not end this process.
    coming.catch(() => undefined);
    await sleep(RIGHT_FOR_MS);
    await move(arena, 'gateway-1 ten minutes ahead, worker-1 ten behind', [
      [gateway1, BY_MS],
      [worker1, -BY_MS],
    ]);
    await move(arena, 'gateway-2 ten minutes behind, worker-2 ten ahead', [
      [gateway2, -BY_MS],
      [worker2, BY_MS],
    ]);
    await move(arena, 'all ten minutes ahead, as if the database were behind', all(BY_MS));
    await move(arena, 'all ten minutes behind, as if the database were ahead', all(-BY_MS));
    await moveDatabase(arena, "PostgreSQL's clock ten minutes ahead", BY_MS);
    await moveDatabase(arena, "PostgreSQL's clock ten minutes behind", -BY_MS);
    await coming;
    await others.finish(arena);
    const wrong = await ledger.timesOutside(began);
    if (wrong > 0) found.breaches.push(`${wrong} events or postings have the time of a moved clock`);
  },
};
