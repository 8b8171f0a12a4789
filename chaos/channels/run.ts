import { loadSecrets } from '../../local/secrets';
import { CHANNEL_DEPOSIT_FAILPOINTS } from '../../runtime/failpoints';
import { meets, NO_FAULTS } from '../../simulator/faults';
import { Askers } from '../askers';
import { platformBreaches } from '../breaches';
import { atSteps, cutBetween, Faults, missed } from '../faults';
import { Gateways } from '../gateways';
import { groupBy } from '../group-by';
import type { Platform } from '../platform';
import { Random } from '../random';
import { Receiver } from '../receiver';
import { findings } from '../report';
import { type CampaignOptions, type Outcome, outcomeOf } from '../outcome';
import { until, untilNone } from '../until';
import { type Upstreams, withUpstreams } from '../upstreams';
import { ChannelBooks, type ChannelDepositRow } from './books';
import { judgeChannels } from './judge';
import { COST, depositsTo, provisionChannels } from './provision';

/** The faults of both channels. */
const FAULTS = {
  ...NO_FAULTS,
  errorRate: 0.2,
  lostAnswerRate: 0.1,
  refuseRate: 0.05,
  failRate: 0.05,
  unpaidRate: 0.05,
  lateSuccessRate: 0.05,
  duplicateRate: 0.2,
  reorderRate: 0.2,
  forgedRate: 0.2,
  silentRate: 0.1,
  settleMs: 1_500,
  lateMs: 12_000,
  cost: COST,
};
const STEPS = Object.keys(CHANNEL_DEPOSIT_FAILPOINTS) as [keyof typeof CHANNEL_DEPOSIT_FAILPOINTS];
const ORDERS_A_SECOND = 8;
/** No order may expire because a slow machine did not reach it: while this many are open, no more are created. */
const MOST_OPEN = 120;
const HELD_WITHIN_MS = 240_000;
/** At least the time for a kill and a cut at each step. */
const SHORTEST_MS = 120_000;
const FAULTS_WITHIN_MS = 120_000;
const CUT_EVERY_MS = 10_000;
/** The backlog shrinks within this: three minutes to an expiry, and a few queries. */
const MOVES_WITHIN_MS = 240_000;

/** Its entry in the list of `npm run chaos`. */
export const CHANNELS = {
  name: 'channels',
  about:
    'takes deposits through two simulated channels that answer with errors or not at all, fail, pay late, and repeat, reorder and forge their messages; at each step kills the worker, and cuts its connections to PostgreSQL',
  orders: 600,
  run: runChannels,
} as const;

/** Runs the campaign on a platform of its own, and judges it by the channels' books. */
async function runChannels(options: CampaignOptions): Promise<Outcome> {
  return await withUpstreams(
    ['channel-a', 'channel-b'],
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
  const merchants = await provisionChannels(platform, { login, password }, upstreams.all);
  upstreams.misbehave(FAULTS, platform);
  const receiver = await Receiver.listen(() => 'none');
  for (const merchant of merchants) receiver.knows(merchant);
  const gateways = new Gateways(platform.gatewayUrls);
  const books = new ChannelBooks(platform.databaseUrl);
  const askers = new Askers(gateways, merchants, new Random(seed), depositsTo(receiver.url));
  const [worker] = platform.workers;
  if (!worker) throw new Error('there is no worker');
  const faults = new Faults(platform, worker, STEPS, books, new Random(seed + 1), say);
  const [stopping, ending] = [new AbortController(), new AbortController()];
  signal.addEventListener('abort', () => {
    stopping.abort();
    ending.abort();
  });
  try {
    say('deposits begin');
    const cutting = faults.cutWhereFrozen(ending.signal);
    const cuttingBetween = cutBetween(books, CUT_EVERY_MS, stopping.signal);
    const arming = faults.arm(stopping.signal);
    const forMs = Math.max(SHORTEST_MS, (orders / ORDERS_A_SECOND) * 1_000);
    await askers.askAll(orders, forMs, signal, async () => {
      await until(async () => signal.aborted || (await books.moving()) < MOST_OPEN, HELD_WITHIN_MS);
    });
    await until(() => faults.areEverywhere || signal.aborted, FAULTS_WITHIN_MS);
    stopping.abort();
    const [between] = await Promise.all([cuttingBetween, arming]);
    say('every deposit was created; waiting for the rest');
    await untilNone(async () => await books.left(), MOVES_WITHIN_MS);
    ending.abort();
    await cutting;

    const rows = await books.orders();
    const verdict = judgeChannels({
      asked: askers.book,
      orders: rows,
      arrivals: receiver.book,
      deposits: upstreams.deposits,
      failedFirst: ({ reference }) => meets(FAULTS, 'lateSuccessRate', reference),
      balances: await books.balances(),
      sums: await books.sums(),
    });
    const steps = faults.counts();
    const forged = upstreams.forgeriesTaken;
    const breaches = [
      ...missed(steps),
      ...(forged > 0 ? [`${forged} forged messages were accepted`] : []),
      ...(await platformBreaches(platform)),
    ];
    for (const line of findings(verdict, breaches)) say(line);
    for (const { step, kills, cuts } of steps) say(`${step.padEnd(18)} kills=${kills} cuts=${cuts}`);
    say(`${describe(rows)} ${atSteps(steps)} cuts-between=${between} forged-taken=${forged}`);
    return outcomeOf(rows.length, verdict, breaches);
  } finally {
    stopping.abort();
    ending.abort();
    await Promise.allSettled([receiver.close(), gateways.close(), books.close()]);
  }
}

/** How the orders ended. */
const describe = (rows: readonly ChannelDepositRow[]): string =>
  [
    ...[...groupBy(rows, ({ status }) => status)].map(([status, those]) => `${status.toLowerCase()}=${those.length}`),
    `paid-too-late=${rows.filter(({ alerted }) => alerted).length}`,
  ].join(' ');
