import path from 'node:path';
import { Decimal } from 'decimal.js';
import { loadSecrets } from '../local/secrets';
import type { Arena } from './arena';
import { Bank } from './bank';
import { platformBreaches } from './breaches';
import type { Campaign } from './campaign';
import { Gateways } from './gateways';
import { LedgerReader } from './ledger-book';
import { Load } from './load';
import { Merchants } from './merchant';
import { onOwnPlatform } from './own-platform';
import type { Platform } from './platform';
import { CURRENCY, FEE, provision } from './provision';
import { Random } from './random';
import { Receiver } from './receiver';
import { type CampaignOptions, type Outcome, outcomeOf } from './outcome';
import { details, findings, neverPassed } from './report';
import { until } from './until';
import { type Books, judge, together } from './verdict';

/** From the last order to the last callback: five attempts with their pauses, an expiry, and a margin. */
const SETTLES_WITHIN_MS = 240_000;
/** The additional time for each order, if there are thousands: a small machine ends some ten a second. */
const SETTLES_WITHIN_MS_EACH = 100;
const CONTRACT_TIMEOUT_SECONDS = 10;

/** Runs a campaign on a platform of its own, and judges it. */
export async function runCampaign(campaign: Campaign, options: CampaignOptions): Promise<Outcome> {
  return await onOwnPlatform(
    options,
    campaign.size,
    async (platform) => await unlessAborted(onPlatform(campaign, options, platform), options.signal),
  );
}

async function onPlatform(
  campaign: Campaign,
  { folder, orders, seed, say }: CampaignOptions,
  platform: Platform,
): Promise<Outcome> {
  // A separate random sequence for each, so that one does not affect the others.
  const [random, ofLoad, ofFaults] = [new Random(seed), new Random(seed + 1), new Random(seed + 2)];
  const { OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password } = loadSecrets(folder, {});
  const parties = await provision(
    platform.graphqlUrl,
    { login, password },
    campaign.callbackTimeoutSeconds ?? CONTRACT_TIMEOUT_SECONDS,
  );
  const receiver = await Receiver.listen(() => campaign.fault?.(ofFaults) ?? 'none');
  for (const merchant of parties.merchants) receiver.knows(merchant);
  const gateways = new Gateways(platform.gatewayUrls);
  const ledger = new LedgerReader(platform.databaseUrl);
  const merchants = new Merchants(gateways, receiver.url, CURRENCY);
  const bank = new Bank(gateways, parties.accounts, parties.agent, CURRENCY);
  const arena: Arena = {
    platform,
    orders,
    gateways,
    receiver,
    ledger,
    random,
    say,
    load: new Load(parties.merchants, merchants, bank, ofLoad),
    operator: parties.operator,
    rearmed: new Map(),
    others: 0,
    found: { double: [], lost: [], stuck: [], breaches: [] },
    counts: [],
  };
  try {
    await campaign.run(arena);
    await arena.load.done();
    say('every order was answered and every payment reported; waiting for the rest');
    await settle(arena);
    const books = {
      asked: merchants.book,
      payments: bank.book,
      arrivals: receiver.book,
      rearmed: arena.rearmed,
      ledger: await ledger.read(),
      fee: new Decimal(FEE),
    };
    return await conclude(arena, books);
  } finally {
    await Promise.allSettled([receiver.close(), gateways.close(), ledger.close()]);
  }
}

/** Waits until nothing is open, or until the rest counts as stuck. */
async function settle({ ledger, orders, say }: Arena): Promise<void> {
  let reportedAt = 0;
  await until(
    async () => {
      const { orders, callbacks, outbox } = await ledger.open();
      if (Date.now() - reportedAt > 15_000 && orders + callbacks + outbox > 0) {
        reportedAt = Date.now();
        say(`open: ${orders} orders, ${callbacks} callbacks, ${outbox} outbox rows`);
      }
      return orders + callbacks + outbox === 0;
    },
    SETTLES_WITHIN_MS + orders * SETTLES_WITHIN_MS_EACH,
  );
}

async function conclude(arena: Arena, books: Books): Promise<Outcome> {
  const { platform, gateways, others, found, counts, say } = arena;
  const verdict = together([found, judge(books)]);
  const breaches = [
    ...found.breaches,
    ...neverPassed(platform.failpoints).map((step) => `no process ever passed ${step}`),
    ...(await platformBreaches(platform)),
  ];
  for (const line of findings(verdict, breaches)) say(line);
  say(details(books, gateways.answers, platform.members, platform.failpoints));
  const { line, good } = outcomeOf(books.asked.length + others, verdict, breaches);
  return { line: [line, ...counts].join(' '), good };
}

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('stopped early'));
    });
  });
  return await Promise.race([work, aborted]);
}

/** Where a campaign's logs and data are. */
export const campaignFolder = (dataDir: string, name: string): string => path.join(dataDir, 'chaos', name);
