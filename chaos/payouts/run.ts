import { setTimeout as sleep } from 'node:timers/promises';
import { loadSecrets } from '../../local/secrets';
import { Simulator } from '../../simulator/server';
import { takeFreshFolder } from '../fresh-folder';
import { Gateways } from '../gateways';
import { Platform } from '../platform';
import { Random } from '../random';
import { findings } from '../report';
import type { CampaignOptions, Outcome } from '../run-campaign';
import { until } from '../until';
import { PayoutBooks } from './books';
import { Faults, pause, type StepCount } from './faults';
import { judgePayouts } from './judge';
import { Payers } from './payers';
import { COST, provisionPayouts } from './provision';

/** Its entry in the list of `npm run chaos`. */
export const PAYOUTS = {
  name: 'payouts',
  about:
    'pays through a simulated upstream that loses answers, pays after it reported failures and repeats itself; at each step of a payout kills the worker, and cuts its connections to PostgreSQL',
  orders: 1_000,
} as const;

const KEY = { keyId: 'chaos', secret: 'only for this campaign' };
/** The faults of the upstream. */
const FAULTS = {
  ...{ lostAnswerRate: 0.2, lateSuccessRate: 0.1, duplicateRate: 0.3, reorderRate: 0.2 },
  ...{ refuseRate: 0, errorRate: 0.02, silentRate: 0.1, settleMs: 200, lateMs: 12_000, cost: COST },
};
const ORDERS_A_SECOND = 8;
/** At least the time of a kill and a cut at each step. */
const SHORTEST_MS = 180_000;
const FAULTS_WITHIN_MS = 120_000;
const CUT_EVERY_MS = 10_000;
/** What moves is less after this: a failure's delay, the upstream's silence, and two questions 30 s apart. */
const MOVES_WITHIN_MS = 120_000;
/** The same with the sweep, which runs each minute and may have to query twice. */
const RECHECKED_WITHIN_MS = 150_000;

/** Runs the campaign on a platform of its own, and judges it by the upstream's book. */
export async function runPayouts(options: CampaignOptions): Promise<Outcome> {
  const { folder, env, say, signal } = options;
  const release = await takeFreshFolder(folder);
  const upstream = new Simulator(KEY);
  try {
    const platform = await Platform.start(folder, env, { gateways: 1, workers: 1 }, signal);
    try {
      return await onPlatform(options, platform, upstream);
    } finally {
      await platform.stop();
      say('all is stopped');
    }
  } finally {
    await upstream.close();
    release();
  }
}

async function onPlatform(
  { orders, seed, folder, say, signal }: CampaignOptions,
  platform: Platform,
  upstream: Simulator,
): Promise<Outcome> {
  const { OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password } = loadSecrets(folder, {});
  const url = await upstream.listen();
  const operator = { login, password };
  const { payers, webhookPath } = await provisionPayouts(platform, operator, { ...KEY, url });
  upstream.configure({
    faults: FAULTS,
    webhookUrl: `${platform.gatewayUrls[0] ?? ''}${webhookPath}`,
  });
  const gateways = new Gateways(platform.gatewayUrls);
  const books = new PayoutBooks(platform.databaseUrl);
  const merchants = new Payers(gateways, payers, new Random(seed));
  const [worker] = platform.workers;
  if (!worker) throw new Error('nobody pays');
  const faults = new Faults(platform, worker, books, new Random(seed + 1), say);
  const [stopping, ending] = [new AbortController(), new AbortController()];
  signal.addEventListener('abort', () => {
    stopping.abort();
    ending.abort();
  });
  try {
    say('the platform serves; payouts begin');
    const forMs = Math.max(SHORTEST_MS, (orders / ORDERS_A_SECOND) * 1_000);
    const cutting = faults.cutWhereFrozen(ending.signal);
    const cuttingBetween = cutBetween(books, stopping.signal);
    const arming = faults.arm(stopping.signal);
    await load(merchants, orders, forMs, signal);
    // On a slow machine enough orders are left for every fault.
    await until(() => faults.areEverywhere || signal.aborted, FAULTS_WITHIN_MS);
    stopping.abort();
    const [between] = await Promise.all([cuttingBetween, arming]);
    say('every payout was asked for; waiting for the rest');
    await untilNone(async () => await books.moving(), MOVES_WITHIN_MS);
    say('nothing moves; failures are asked for again');
    const unasked = async (): Promise<number> => {
      await books.hasteRechecks();
      return (await books.unchecked()) + (await books.moving());
    };
    await untilNone(unasked, RECHECKED_WITHIN_MS);
    const rows = await books.orders();
    const evidence = {
      ...{ asked: merchants.book, orders: rows, payments: upstream.payments.all() },
      ...{ balances: await books.balances(), sums: await books.sums() },
    };
    ending.abort();
    await cutting;
    const verdict = judgePayouts(evidence);
    const steps = faults.counts();
    const breaches = [
      ...missed(steps),
      ...platform.members.flatMap(({ crashes }) => crashes.map((how) => `unasked end of ${how}`)),
      ...(await ledgerProblem(platform)),
    ];
    for (const line of findings(verdict, breaches)) say(line);
    for (const { step, kills, cuts } of steps)
      say(`${step.padEnd(15)} kills=${kills} cuts=${cuts}`);
    const count = (test: (row: (typeof rows)[number]) => boolean): number =>
      rows.filter(test).length;
    say(
      `completed=${count(({ status }) => status === 'COMPLETED')} failed=${count(({ status }) => status === 'FAILED')} ` +
        `paid-after-failure=${count(({ latePaid }) => latePaid)} waiting-for-a-person=${count(({ intervention }) => intervention)} ` +
        `${atSteps(steps)} cuts-between=${between}`,
    );
    const { double, lost, stuck } = verdict;
    return {
      line: `orders=${rows.length} double=${double.length} lost=${lost.length} stuck=${stuck.length}`,
      good: double.length + lost.length + stuck.length + breaches.length === 0,
    };
  } finally {
    stopping.abort();
    ending.abort();
    await Promise.allSettled([gateways.close(), books.close()]);
  }
}

/** Spreads the orders evenly over a time; all are answered when it comes back. */
async function load(
  merchants: Payers,
  orders: number,
  forMs: number,
  signal: AbortSignal,
): Promise<void> {
  const asked: Promise<void>[] = [];
  for (let n = 0; n < orders && !signal.aborted; n++) {
    asked.push(merchants.ask());
    await sleep(forMs / orders);
  }
  await Promise.all(asked);
}

/** Cuts the worker's connections every few seconds, wherever it is, until stopped. @returns how often */
async function cutBetween(books: PayoutBooks, stop: AbortSignal): Promise<number> {
  let cuts = 0;
  while (await pause(CUT_EVERY_MS, stop)) if ((await books.cutWorkers()) > 0) cuts += 1;
  return cuts;
}

/** Waits until nothing is left, or until the backlog has not shrunk for a while: then it is stuck. */
async function untilNone(count: () => Promise<number>, withinMs: number): Promise<void> {
  let least = Infinity;
  const isLess = async (): Promise<boolean> => {
    const left = await count();
    const less = left < least;
    least = Math.min(least, left);
    return less;
  };
  while (least > 0) if (!(await until(isLess, withinMs))) return;
}

/** The steps that lack one of the two faults. */
const missed = (counts: readonly StepCount[]): string[] =>
  counts.flatMap(({ step, kills, cuts }) => [
    ...(kills === 0 ? [`the worker was never killed at ${step}`] : []),
    ...(cuts === 0 ? [`the worker's connections were never cut at ${step}`] : []),
  ]);

/** Faults over all steps, and how many steps had both. */
function atSteps(counts: readonly StepCount[]): string {
  const kills = counts.reduce((sum, count) => sum + count.kills, 0);
  const cuts = counts.reduce((sum, count) => sum + count.cuts, 0);
  const both = counts.filter((count) => count.kills > 0 && count.cuts > 0).length;
  return `kills=${kills} cuts=${cuts} steps=${both}/${counts.length}`;
}

/** The platform's own check of its ledger, beside ours. */
async function ledgerProblem(platform: Platform): Promise<string[]> {
  try {
    await platform.runOnce('ledger:verify');
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
