import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from 'decimal.js';
import { loadSecrets } from '../../local/secrets';
import { Askers } from '../askers';
import { Bank } from '../bank';
import { platformBreaches } from '../breaches';
import { Gateways } from '../gateways';
import { LedgerReader } from '../ledger-book';
import { Load } from '../load';
import { Merchants } from '../merchant';
import { PayoutBooks } from '../payouts/books';
import { judgePayouts } from '../payouts/judge';
import { COST, PAYOUT_KIND, provisionPayouts } from '../payouts/provision';
import type { Platform } from '../platform';
import { CURRENCY, FEE, provision } from '../provision';
import { Random } from '../random';
import { Receiver } from '../receiver';
import { findings } from '../report';
import { type CampaignOptions, type Outcome, outcomeOf } from '../outcome';
import { until, untilNone } from '../until';
import { type Upstreams, withUpstreams } from '../upstreams';
import { judge, judgeRepeats, together } from '../verdict';
import { OpenWorkReader } from './open-work';
import { Sessions } from '../sessions';

/** Payouts are under way for long, some without an answer, and most without a message. */
const FAULTS = {
  lostAnswerRate: 0.2,
  silentRate: 0.5,
  duplicateRate: 0.2,
  reorderRate: 0,
  errorRate: 0,
  lateSuccessRate: 0,
  refuseRate: 0,
  settleMs: 20_000,
  lateMs: 0,
  cost: COST,
};
const CALLBACK_ERRORS = 0.3;
/** Orders of all three kinds come this fast, and for this long at least. */
const ORDERS_A_SECOND = 9;
const SHORTEST_MS = 20_000;
/** Payouts that pass the step before the worker is frozen there. */
const PASSES_BEFORE = 3;
const FROZEN_WITHIN_MS = 30_000;
/** What a merchant answered so shortly before the worker was frozen may not be recorded. */
const RECORDED_WITHIN_MS = 1_000;
/** The backlog shrinks at least this often: five attempts at a callback, an expiry, a sweep each minute. */
const MOVES_WITHIN_MS = 180_000;
/** From the return, or a later match, to the credit. */
const CREDITED_WITHIN_SECONDS = 90;

/** Its entry in the list of `npm run chaos`. */
export const TEMPORAL_LOST = {
  name: 'temporal-lost',
  about:
    'deletes all data of Temporal under open deposits, cashier sessions, callbacks and payouts; each continues by itself',
  orders: 60,
  run: runTemporalLost,
} as const;

/** Runs the campaign on a platform of its own, and judges it by everybody's records. */
async function runTemporalLost(options: CampaignOptions): Promise<Outcome> {
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
  const [ofLoad, ofPayers, ofFaults] = [0, 1, 2].map((n) => new Random(seed + n)) as [Random, Random, Random];
  const parties = await provision(platform.graphqlUrl, { login, password }, 10);
  const payers = await provisionPayouts(platform, { login, password }, upstreams.all);
  upstreams.misbehave(FAULTS, platform);
  const receiver = await Receiver.listen(() => (ofFaults.chance(CALLBACK_ERRORS) ? 'error' : 'none'));
  for (const merchant of parties.merchants) receiver.knows(merchant);
  const gateways = new Gateways(platform.gatewayUrls);
  const merchants = new Merchants(gateways, receiver.url, CURRENCY);
  const bank = new Bank(gateways, parties.accounts, parties.agent, CURRENCY);
  const load = new Load(parties.merchants, merchants, bank, ofLoad);
  const withdrawals = new Askers(gateways, payers, ofPayers, PAYOUT_KIND);
  const sessions = await Sessions.provision(parties.operator, gateways);
  const [ledger, books] = [new LedgerReader(platform.databaseUrl), new PayoutBooks(platform.databaseUrl)];
  const open = new OpenWorkReader(platform.databaseUrl);
  const [worker] = platform.workers;
  if (!worker) throw new Error('there is no worker');
  const breaches: string[] = [];
  try {
    say('the platform serves; orders come');
    // Half are paid at once, the others after the loss.
    const first = Math.ceil(orders / 2);
    const comingMs = Math.max(SHORTEST_MS, (orders * 3 * 1_000) / ORDERS_A_SECOND);
    const asked: Promise<void>[] = [];
    const ask = async (many: number): Promise<void> => {
      for (let n = 0; n < many && !signal.aborted; n++) {
        asked.push(withdrawals.ask(), sessions.open());
        await sleep(comingMs / orders);
      }
    };
    await Promise.all([load.start(first, comingMs / 2), ask(first)]);
    const letPay = load.holdPayments();
    const isFrozen = platform.failpoints.arm({
      ...({ step: 'payout.read', action: 'freeze' } as const),
      after: PASSES_BEFORE,
    });
    const stands = until(() => isFrozen() && worker.isFrozen, comingMs + FROZEN_WITHIN_MS);
    const unrecordedFrom = stands.then(() => Date.now() - RECORDED_WITHIN_MS);
    await Promise.all([load.start(orders - first, comingMs / 2), ask(orders - first)]);
    if (!(await stands)) breaches.push('the worker was not frozen before a payout was sent');

    const before = await open.read();
    for (const [kind, count] of Object.entries(before))
      if (count === 0) breaches.push(`no ${kind} were open when Temporal was lost`);
    say(`Temporal is lost under ${JSON.stringify(before)}`);
    const { life } = worker;
    await platform.loseTemporal();
    worker.kill();
    const back = new Date();
    const unrecorded = { from: await unrecordedFrom, until: back.getTime() };
    await worker.serves(life);
    say('Temporal is back, empty, with a new worker');
    letPay();
    await load.start(Math.ceil(orders / 4), comingMs / 4);
    await Promise.all([load.done(), ...asked]);
    say('every order was answered and every payment reported; waiting for the rest');

    await untilNone(async () => {
      const { orders: deposits, callbacks, outbox } = await ledger.open();
      return deposits + callbacks + outbox + (await open.read()).sessions + (await books.moving());
    }, MOVES_WITHIN_MS);
    const seconds = ((Date.now() - back.getTime()) / 1000).toFixed(0);
    const slowest = await open.slowestCredit(back);
    if (slowest > CREDITED_WITHIN_SECONDS) breaches.push(`a deposit was credited only after ${slowest.toFixed(1)} s`);

    const rows = await books.orders();
    const payerIds = new Set(payers.map(({ id }) => id));
    const verdict = together([
      judge({
        asked: merchants.book,
        payments: bank.book,
        arrivals: receiver.book,
        rearmed: new Map(),
        ledger: await ledger.read(),
        fee: new Decimal(FEE),
      }),
      judgePayouts({
        asked: withdrawals.book,
        orders: rows,
        payments: upstreams.payments,
        balances: (await books.balances()).filter(({ merchantId }) => payerIds.has(merchantId)),
        sums: await books.sums(),
      }),
      sessions.judge(await open.sessions()),
      judgeRepeats(receiver.book, unrecorded),
    ]);
    breaches.push(...(await platformBreaches(platform)));
    for (const line of findings(verdict, breaches)) say(line);
    const all = merchants.book.length + rows.length + sessions.book.length;
    say(
      `deposits=${merchants.book.length} withdrawals=${rows.length} sessions=${sessions.book.length} ` +
        `callbacks=${receiver.book.length} slowest-credit=${slowest.toFixed(1)}s ended-after=${seconds}s`,
    );
    return outcomeOf(all, verdict, breaches);
  } finally {
    await Promise.allSettled([...[receiver.close(), gateways.close(), ledger.close(), books.close(), open.close()]]);
  }
}
