import { setTimeout as sleep } from 'node:timers/promises';
import { type Failpoint, PAYOUT_FAILPOINTS } from '../../failpoints';
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
import { judgePayouts } from './judge';
import { Payers } from './payers';
import { COST, provisionPayouts } from './provision';

/** What `npm run chaos` says of it. */
export const PAYOUTS = {
  name: 'payouts',
  about:
    'pays through a simulated upstream that loses answers, pays after it told of failures and repeats itself; kills the worker at each step of a payout and cuts its connections',
  orders: 1_000,
} as const;

const KEY = { keyId: 'chaos', secret: 'only for this campaign' };
/** What the upstream does wrong. */
const FAULTS = {
  ...{ lostAnswerRate: 0.2, lateSuccessRate: 0.1, duplicateRate: 0.3, reorderRate: 0.2 },
  ...{ refuseRate: 0, errorRate: 0.02, silentRate: 0.1, settleMs: 200, lateMs: 12_000, cost: COST },
};
const ORDERS_A_SECOND = 8;
/** No shorter than what a kill at each step takes. */
const SHORTEST_MS = 150_000;
const CUT_EVERY_MS = 10_000;
const PASSED_WITHIN_MS = 20_000;
/** A failure's delay, the upstream's silence, and two questions 30 s apart. */
const SETTLES_WITHIN_MS = 240_000;
/** The net comes by each minute; its question may have to be asked twice. */
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
  const stopping = new AbortController();
  signal.addEventListener('abort', () => {
    stopping.abort();
  });
  try {
    say('the platform serves; payouts begin');
    const forMs = Math.max(SHORTEST_MS, (orders / ORDERS_A_SECOND) * 1_000);
    const cutting = cut(books, stopping.signal);
    const killing = killAtEachStep(platform, new Random(seed + 1), stopping.signal, say);
    await load(merchants, orders, forMs, signal);
    stopping.abort();
    const [cuts, missed] = await Promise.all([cutting, killing]);
    say(`every payout was asked for; ${cuts} connections were cut; waiting for the rest`);
    await until(async () => (await books.moving()) === 0, SETTLES_WITHIN_MS);
    say(`nothing moves; ${await books.hasteRechecks()} failures are asked for again`);
    const isAsked = async (): Promise<boolean> => (await books.unchecked()) === 0;
    await until(async () => (await isAsked()) && (await books.moving()) === 0, RECHECKED_WITHIN_MS);
    const rows = await books.orders();
    const evidence = {
      ...{ asked: merchants.book, orders: rows, payments: upstream.payments.all() },
      ...{ balances: await books.balances(), sums: await books.sums() },
    };
    const verdict = judgePayouts(evidence);
    const breaches = [
      ...missed.map((step) => `the worker was never killed at ${step}`),
      ...platform.members.flatMap(({ crashes }) => crashes.map((how) => `unasked end of ${how}`)),
      ...(await ledgerProblem(platform)),
    ];
    for (const line of findings(verdict, breaches)) say(line);
    const count = (test: (row: (typeof rows)[number]) => boolean): number =>
      rows.filter(test).length;
    say(
      `completed=${count(({ status }) => status === 'COMPLETED')} failed=${count(({ status }) => status === 'FAILED')} ` +
        `paid-after-failure=${count(({ latePaid }) => latePaid)} waiting-for-a-person=${count(({ intervention }) => intervention)} ` +
        `kills=${platform.workers.reduce((sum, { kills }) => sum + kills, 0)} cuts=${cuts}`,
    );
    const { double, lost, stuck } = verdict;
    return {
      line: `orders=${rows.length} double=${double.length} lost=${lost.length} stuck=${stuck.length}`,
      good: double.length + lost.length + stuck.length + breaches.length === 0,
    };
  } finally {
    stopping.abort();
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

/** Cuts the worker's connections every some seconds, until it is told to stop. @returns how many */
async function cut(books: PayoutBooks, stop: AbortSignal): Promise<number> {
  let cuts = 0;
  while (await pause(CUT_EVERY_MS, stop)) cuts += await books.cutWorkers();
  return cuts;
}

/** Kills the worker at each step in turn, again and again until it is told to stop. @returns the steps that it missed */
async function killAtEachStep(
  { workers, failpoints }: Platform,
  random: Random,
  stop: AbortSignal,
  say: (line: string) => void,
): Promise<Failpoint[]> {
  const steps = Object.keys(PAYOUT_FAILPOINTS) as (keyof typeof PAYOUT_FAILPOINTS)[];
  const armed: { readonly step: Failpoint; readonly fired: () => boolean }[] = [];
  const [worker] = workers;
  const turns: (typeof steps)[number][] = [];
  while (worker && (await pause(1_000, stop))) {
    if (turns.length === 0) turns.push(...random.shuffle(steps));
    const step = turns.pop() ?? 'payout.marked';
    const { life } = worker;
    const fired = failpoints.arm({ step, action: 'kill', after: random.int(0, 3) });
    await until(() => fired() || stop.aborted, PASSED_WITHIN_MS);
    // One that nothing passes yet stays armed.
    armed.push({ step, fired });
    if (!fired()) continue;
    say(`killed at ${step}`);
    await worker.serves(life);
  }
  return steps.filter((step) => !armed.some((one) => one.step === step && one.fired()));
}

/** @returns false once it is told to stop */
async function pause(ms: number, stop: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
  return !stop.aborted;
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
