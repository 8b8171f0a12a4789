import { loadSecrets } from '../../local/secrets';
import { PAYOUT_FAILPOINTS } from '../../runtime/failpoints';
import { Askers } from '../askers';
import { platformBreaches } from '../breaches';
import { atSteps, cutBetween, Faults, missed } from '../faults';
import { Gateways } from '../gateways';
import type { Platform } from '../platform';
import { Random } from '../random';
import { findings } from '../report';
import { type CampaignOptions, type Outcome, outcomeOf } from '../outcome';
import { until, untilNone } from '../until';
import { type Upstreams, withUpstreams } from '../upstreams';
import { PayoutBooks } from './books';
import { judgePayouts } from './judge';
import { COST, PAYOUT_KIND, provisionPayouts } from './provision';

/** The faults of the upstream. */
const FAULTS = {
  lostAnswerRate: 0.2,
  lateSuccessRate: 0.1,
  duplicateRate: 0.3,
  reorderRate: 0.2,
  refuseRate: 0,
  errorRate: 0.02,
  silentRate: 0.1,
  settleMs: 200,
  lateMs: 12_000,
  cost: COST,
};
const STEPS = Object.keys(PAYOUT_FAILPOINTS) as [keyof typeof PAYOUT_FAILPOINTS];
const ORDERS_A_SECOND = 8;
/** At least the time for a kill and a cut at each step. */
const SHORTEST_MS = 180_000;
const FAULTS_WITHIN_MS = 120_000;
const CUT_EVERY_MS = 10_000;
/** The backlog shrinks within this: a failure's delay, the upstream's silence, and two queries 30 s apart. */
const MOVES_WITHIN_MS = 120_000;
/** The same with the sweep, which runs each minute and may have to query twice. */
const RECHECKED_WITHIN_MS = 150_000;

/** Its entry in the list of `npm run chaos`. */
export const PAYOUTS = {
  name: 'payouts',
  about:
    'pays through a simulated upstream that loses answers, pays after it reported failures and repeats itself; at each step of a payout kills the worker, and cuts its connections to PostgreSQL',
  orders: 1_000,
  run: runPayouts,
} as const;

/** Runs the campaign on a platform of its own, and judges it by the upstream's book. */
async function runPayouts(options: CampaignOptions): Promise<Outcome> {
  return await withUpstreams(
    ['simulated'],
    options,
    async (platform, upstreams) => await onPlatform(options, platform, upstreams),
  );
}

async function onPlatform(
  { orders, seed, folder, say, signal }: CampaignOptions,
  platform: Platform,
  upstreams: Upstreams,
): Promise<Outcome> {
  const { OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password } = loadSecrets(folder, {});
  const payers = await provisionPayouts(platform, { login, password }, upstreams.all);
  upstreams.misbehave(FAULTS, platform);
  const gateways = new Gateways(platform.gatewayUrls);
  const books = new PayoutBooks(platform.databaseUrl);
  const merchants = new Askers(gateways, payers, new Random(seed), PAYOUT_KIND);
  const [worker] = platform.workers;
  if (!worker) throw new Error('there is no worker');
  const faults = new Faults(platform, worker, STEPS, books, new Random(seed + 1), say);
  const [stopping, ending] = [new AbortController(), new AbortController()];
  signal.addEventListener('abort', () => {
    stopping.abort();
    ending.abort();
  });
  try {
    say('the platform serves; payouts begin');
    const forMs = Math.max(SHORTEST_MS, (orders / ORDERS_A_SECOND) * 1_000);
    const cutting = faults.cutWhereFrozen(ending.signal);
    const cuttingBetween = cutBetween(books, CUT_EVERY_MS, stopping.signal);
    const arming = faults.arm(stopping.signal);
    await merchants.askAll(orders, forMs, signal);
    // A slow machine keeps orders for every fault.
    await until(() => faults.areEverywhere || signal.aborted, FAULTS_WITHIN_MS);
    stopping.abort();
    const [between] = await Promise.all([cuttingBetween, arming]);
    say('every payout was requested; waiting for the rest');
    await untilNone(async () => await books.moving(), MOVES_WITHIN_MS);
    say('nothing is under way; failures are rechecked');
    const unasked = async (): Promise<number> => {
      await books.hasteRechecks();
      return (await books.unchecked()) + (await books.moving());
    };
    await untilNone(unasked, RECHECKED_WITHIN_MS);
    const rows = await books.orders();
    const evidence = {
      asked: merchants.book,
      orders: rows,
      payments: upstreams.payments,
      balances: await books.balances(),
      sums: await books.sums(),
    };
    ending.abort();
    await cutting;
    const verdict = judgePayouts(evidence);
    const steps = faults.counts();
    const breaches = [...missed(steps), ...(await platformBreaches(platform))];
    for (const line of findings(verdict, breaches)) say(line);
    for (const { step, kills, cuts } of steps) say(`${step.padEnd(15)} kills=${kills} cuts=${cuts}`);
    const count = (test: (row: (typeof rows)[number]) => boolean): number => rows.filter(test).length;
    say(
      `completed=${count(({ status }) => status === 'COMPLETED')} failed=${count(({ status }) => status === 'FAILED')} ` +
        `paid-after-failure=${count(({ latePaid }) => latePaid)} waiting-for-a-person=${count(({ intervention }) => intervention)} ` +
        `${atSteps(steps)} cuts-between=${between}`,
    );
    return outcomeOf(rows.length, verdict, breaches);
  } finally {
    stopping.abort();
    ending.abort();
    await Promise.allSettled([gateways.close(), books.close()]);
  }
}
