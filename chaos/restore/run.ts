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
import { findings as problems } from '../report';
import { type CampaignOptions, type Outcome, outcomeOf } from '../outcome';
import { Sessions, SESSIONS_OF } from '../sessions';
import { OpenWorkReader } from '../temporal-lost/open-work';
import { untilNone } from '../until';
import { type Upstreams, withUpstreams } from '../upstreams';
import { together } from '../verdict';
import { judgeRestore, listsNumber } from './judge';
import { RecoveryDesk } from './recovery';

/** Payouts end at once, later, or without a message; some are only known to the channel when the disk is lost. */
const FAULTS = {
  lostAnswerRate: 0.1,
  silentRate: 0.3,
  duplicateRate: 0.2,
  reorderRate: 0,
  errorRate: 0,
  lateSuccessRate: 0,
  refuseRate: 0.1,
  settleMs: 3_000,
  lateMs: 0,
  cost: COST,
};
/** Orders of each kind, per second. */
const ORDERS_A_SECOND = 9;
const SHORTEST_MS = 10_000;
/** The last commits before the loss may be lost under way. */
const LOST_MS = 5_000;
const NOTICED_WITHIN_MS = 60_000;
/** A round of queries after 90 s, each 15 s. */
const ASKED_WITHIN_MS = 240_000;
const PATIENCE_MS = 60_000;
/** From the return, or a later match, to the credit: a sweep each minute. */
const CREDITED_WITHIN_SECONDS = 90;
/** The backlog shrinks at least this often: five attempts at a callback, an expiry, a sweep. */
const MOVES_WITHIN_MS = 180_000;

/** Its entry in the list of `npm run chaos`. */
export const RESTORE = {
  name: 'restore',
  about:
    'puts PostgreSQL back to an earlier moment, from a base backup and its archived log, under deposits, cashier sessions and payouts at two channels; operators follow docs/disaster.md',
  orders: 300,
  run: runRestore,
} as const;

/** Runs the campaign on a platform of its own, and judges it by the records of all outside actors. */
async function runRestore(options: CampaignOptions): Promise<Outcome> {
  return await withUpstreams(
    ['channel-a', 'channel-b'],
    options,
    async (platform, upstreams) => await onPlatform(options, platform, upstreams),
    { gateways: 1, workers: 1, archives: true },
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
  const desk = new RecoveryDesk(parties.operator);
  const [ledger, books, open] = [
    new LedgerReader(platform.databaseUrl),
    new PayoutBooks(platform.databaseUrl),
    new OpenWorkReader(platform.databaseUrl),
  ];
  const breaches: string[] = [];
  try {
    const each = Math.ceil(orders / 3);
    const part = Math.ceil(each / 3);
    const comingMs = Math.max(SHORTEST_MS, (part * 3 * 1_000) / ORDERS_A_SECOND);
    const asked: Promise<void>[] = [];
    const come = async (many: number): Promise<void> => {
      const others = async (): Promise<void> => {
        for (let n = 0; n < many && !signal.aborted; n++) {
          asked.push(withdrawals.ask(), sessions.open());
          await sleep(comingMs / many);
        }
      };
      await Promise.all([load.start(many, comingMs), others()]);
    };
    say('orders come, and a base backup is taken of the running PostgreSQL');
    await Promise.all([come(part), platform.backups.takeBase(platform.databaseUrl)]);
    await come(part);
    say('what commits from now on will be lost');
    const lostFrom = Date.now();
    const moment = await platform.backups.moment(platform.databaseUrl);
    await Promise.all([come(each - 2 * part), sleep(LOST_MS)]);
    const before = await open.read();
    const segments = await platform.backups.archiveNow(platform.databaseUrl);
    say(`PostgreSQL is lost under ${JSON.stringify(before)}`);
    const lostUntil = Date.now();
    await platform.putBackPostgres(moment);
    say(`it is as it was at ${moment.toISOString()}, by the backup and ${segments} segments of log`);
    const restored = Date.now();
    const seconds = (from: number): string => ((Date.now() - from) / 1000).toFixed(1);
    if (!(await desk.begins(NOTICED_WITHIN_MS))) breaches.push('no recovery began');
    const times = [
      `lost-time=${((lostUntil - lostFrom) / 1000).toFixed(1)}s`,
      `restored-after=${((restored - lostUntil) / 1000).toFixed(1)}s`,
      `noticed-after=${seconds(restored)}s`,
    ];
    say('RECOVERY began by itself; agents report again, merchants query their numbers');
    await Promise.all([load.done(), ...asked]);
    await bank.reportAllAgain(PATIENCE_MS);
    times.push(`reported-again-after=${seconds(restored)}s`);
    for (const one of merchants.book)
      if (await merchants.isLost(one)) await desk.enterLost(one.merchant.id, one.number);
    const there = await open.sessions();
    for (const number of sessions.book) if (!there.has(number)) await desk.enterLost(sessions.merchantId, number);

    if (!(await desk.isAsked(ASKED_WITHIN_MS))) breaches.push('the channels were not queried');
    const found = await desk.findings();
    const sentSince = upstreams.payments.filter(({ askedAt }) => askedAt > restored);
    if (sentSince.length > 0) breaches.push(`${sentSince.length} payouts were sent in RECOVERY`);
    // An order that a channel has is not created again: its operator informs the merchant.
    const again = [];
    for (const one of withdrawals.book) {
      if (one.orderNo === null || !(await withdrawals.isLost(one))) continue;
      if (found.some((line) => line.includes(`${one.orderNo ?? ''}-`))) {
        one.lost.push(one.orderNo);
        one.orderNo = null;
        continue;
      }
      await desk.enterLost(one.asker.id, one.number);
      again.push(withdrawals.askAgain(one));
    }
    await Promise.all(again);
    await desk.end();
    times.push(`ended-after=${seconds(restored)}s`);
    say(`two people end it: ${again.length} withdrawals are created again; waiting for the rest`);
    await untilNone(async () => {
      const { orders: deposits, callbacks, outbox } = await ledger.open();
      return deposits + callbacks + outbox + (await open.read()).sessions + (await books.moving());
    }, MOVES_WITHIN_MS);

    const listed = await desk.findings();
    const rows = await books.orders();
    const present = new Set(rows.map(({ orderNo }) => orderNo));
    const payerIds = new Set(payers.map(({ id }) => id));
    const verdict = together([
      judgeRestore({
        deposits: merchants.book,
        payments: bank.book,
        withdrawals: withdrawals.book,
        payouts: upstreams.payments,
        arrivals: receiver.book,
        ledger: await ledger.read(),
        findings: listed,
        fee: new Decimal(FEE),
        lost: { from: lostFrom, until: restored },
      }),
      judgePayouts({
        asked: withdrawals.book.filter(({ orderNo }) => orderNo !== null),
        orders: rows,
        payments: upstreams.payments.filter(({ reference }) => present.has(reference.split('-')[0] ?? '')),
        balances: (await books.balances()).filter(({ merchantId }) => payerIds.has(merchantId)),
        sums: await books.sums(),
      }),
      sessions.judge(
        await open.sessions(),
        new Set(sessions.book.filter((number) => listsNumber(listed, SESSIONS_OF, number))),
      ),
    ]);
    const slowest = await open.slowestCredit(new Date(restored));
    if (slowest > CREDITED_WITHIN_SECONDS) breaches.push(`a deposit was credited only after ${slowest.toFixed(1)} s`);
    breaches.push(...(await platformBreaches(platform)));
    for (const line of problems(verdict, breaches)) say(line);
    const kinds = new Map<string, number>();
    for (const line of listed) {
      const [kind = ''] = line.split(' ');
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    say([...kinds].map(([kind, count]) => `${kind}=${count}`).join(' '));
    say(`${times.join(' ')} slowest-credit=${slowest.toFixed(1)}s`);
    const all = merchants.book.length + withdrawals.book.length + sessions.book.length;
    return outcomeOf(all, verdict, breaches);
  } finally {
    await Promise.allSettled([...[receiver.close(), gateways.close(), ledger.close(), books.close(), open.close()]]);
  }
}
