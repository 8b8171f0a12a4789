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
import { CALM_MS, outage, OUTAGE_MS } from '../outage';
import { PayoutBooks } from '../payouts/books';
import { judgePayouts } from '../payouts/judge';
import { COST, PAYOUT_KIND, provisionPayouts } from '../payouts/provision';
import type { Platform } from '../platform';
import { CURRENCY, FEE, provision } from '../provision';
import { Random } from '../random';
import { Receiver } from '../receiver';
import { findings } from '../report';
import { type CampaignOptions, type Outcome, outcomeOf } from '../outcome';
import { Sessions } from '../sessions';
import { OpenWorkReader } from '../temporal-lost/open-work';
import { untilNone } from '../until';
import { type Upstreams, withUpstreams } from '../upstreams';
import { judge, together } from '../verdict';

/** Payouts are under way for a while, some without an answer or a message. */
const FAULTS = {
  lostAnswerRate: 0.2,
  silentRate: 0.3,
  duplicateRate: 0.2,
  reorderRate: 0,
  errorRate: 0,
  lateSuccessRate: 0,
  refuseRate: 0,
  settleMs: 3_000,
  lateMs: 0,
  cost: COST,
};
const RECOVERS_WITHIN_MS = 10_000;
const FAILOVERS = 2;
const ALTOGETHER_MS = FAILOVERS * (OUTAGE_MS + CALM_MS) + CALM_MS;
/** The backlog shrinks at least this often: an expiry, a sweep each minute. */
const MOVES_WITHIN_MS = 180_000;

/** Its entry in the list of `npm run chaos`. */
export const FAILOVER = {
  name: 'failover',
  about:
    'replaces the primary of PostgreSQL by its synchronous standby under deposits, cashier sessions and payouts: after a crash, and after it was made read-only',
  orders: 240,
  run: runFailover,
} as const;

/** Runs the campaign on a platform of its own, and judges it by everybody's records. */
async function runFailover(options: CampaignOptions): Promise<Outcome> {
  return await withUpstreams(
    ['simulated'],
    options,
    async (platform, upstreams) => await onPlatform(options, platform, upstreams),
    { gateways: 1, workers: 1, standby: true },
  );
}

async function onPlatform(
  { orders, seed, folder, say, signal }: CampaignOptions,
  platform: Platform,
  upstreams: Upstreams,
): Promise<Outcome> {
  const { OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password } = loadSecrets(folder, {});
  const parties = await provision(platform.graphqlUrl, { login, password }, 10);
  const payers = await provisionPayouts(platform, { login, password }, upstreams.all);
  upstreams.misbehave(FAULTS, platform);
  const receiver = await Receiver.listen(() => 'none');
  for (const merchant of parties.merchants) receiver.knows(merchant);
  const gateways = new Gateways(platform.gatewayUrls);
  const merchants = new Merchants(gateways, receiver.url, CURRENCY);
  const bank = new Bank(gateways, parties.accounts, parties.agent, CURRENCY);
  const load = new Load(parties.merchants, merchants, bank, new Random(seed));
  const withdrawals = new Askers(gateways, payers, new Random(seed + 1), PAYOUT_KIND);
  const sessions = await Sessions.provision(parties.operator, gateways);
  const [ledger, books, open] = [
    new LedgerReader(platform.databaseUrl),
    new PayoutBooks(platform.databaseUrl),
    new OpenWorkReader(platform.databaseUrl),
  ];
  const breaches: string[] = [];

  /** A third of the orders of each kind, spread over the whole time. */
  async function come(each: number): Promise<void> {
    const asked: Promise<void>[] = [];
    const others = async (): Promise<void> => {
      for (let n = 0; n < each && !signal.aborted; n++) {
        asked.push(withdrawals.ask(), sessions.open());
        await sleep(ALTOGETHER_MS / each);
      }
    };
    await Promise.all([load.start(each, ALTOGETHER_MS), others()]);
    await Promise.all([load.done(), ...asked]);
  }

  async function failOver(name: string, begin: () => Promise<void>): Promise<void> {
    const before = await open.read();
    say(`${name}, under ${JSON.stringify(before)}`);
    await outage(
      { gateways, breaches, say },
      {
        name,
        begin,
        end: () => platform.pair.failOver(),
        recoversWithinMs: RECOVERS_WITHIN_MS,
      },
    );
  }

  try {
    say('the standby follows; orders come');
    const coming = come(Math.ceil(orders / 3));
    await sleep(CALM_MS);
    await failOver('the primary crashes, and its standby is promoted', () => platform.pair.crashPrimary());
    await platform.pair.addStandby();
    await failOver('the primary is made read-only, and then replaced', () => platform.pair.makeReadOnly());
    await coming;
    say('every order was answered and every payment reported; waiting for the rest');
    await untilNone(async () => {
      const { orders: deposits, callbacks, outbox } = await ledger.open();
      return deposits + callbacks + outbox + (await open.read()).sessions + (await books.moving());
    }, MOVES_WITHIN_MS);

    if ((await parties.operator.run('RecoveryState')) !== null)
      breaches.push('a recovery began, though nothing was lost');
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
    ]);
    breaches.push(...(await platformBreaches(platform)));
    for (const line of findings(verdict, breaches)) say(line);
    say(
      `deposits=${merchants.book.length} withdrawals=${rows.length} sessions=${sessions.book.length} ` +
        `callbacks=${receiver.book.length}`,
    );
    return outcomeOf(merchants.book.length + rows.length + sessions.book.length, verdict, breaches);
  } finally {
    await Promise.allSettled(
      [receiver, gateways, ledger, books, open].map(async (one) => {
        await one.close();
      }),
    );
  }
}
