import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from 'decimal.js';
import type { OperatorClient } from '../../local/operator-client';
import { loadSecrets } from '../../local/secrets';
import { Bank, type Payment } from '../bank';
import { takeFreshFolder } from '../fresh-folder';
import { Gateways } from '../gateways';
import { LedgerReader } from '../ledger-book';
import { Merchants } from '../merchant';
import { Platform } from '../platform';
import { CURRENCY, provision } from '../provision';
import { Random } from '../random';
import { Receiver } from '../receiver';
import type { CampaignOptions, Outcome } from '../outcome';
import { until } from '../until';

/** How many orders race at the same time. */
const AT_ONCE = 10;
/** The report begins within this, and the cancel within about the time that a credit takes on this machine. */
const APART_MS = 120;
const LONGEST_MS = 5_000;
const ANSWERED_WITHIN_MS = 30_000;
const SETTLES_WITHIN_MS = 120_000;
const PAGE = 200;

interface Shown {
  readonly status: string;
  readonly evidence: {
    readonly answer: string;
    readonly sentence: string;
    readonly credits: readonly { readonly transfer: { readonly bankReference: string | null } }[];
  };
}
interface AlertPage {
  readonly nodes: readonly { readonly about: { readonly cancelledOrderNo?: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The orders for which an alert says that money came although they were cancelled. */
async function alerted(operator: OperatorClient): Promise<Set<string>> {
  const orders = new Set<string>();
  for (let after: string | null = null; ;) {
    const page: AlertPage = await operator.run('Alerts', {
      first: PAGE,
      after,
      filter: { kind: ['MONEY_OF_CANCELLED'] },
    });
    for (const { about } of page.nodes) orders.add(about.cancelledOrderNo ?? '');
    if (!page.pageInfo.hasNextPage) return orders;
    after = page.pageInfo.endCursor;
  }
}

/** What does not show the money of an order; null if everything does. */
function silence({ orderNo, reference }: Payment, shown: Shown, reported: Set<string>): string | null {
  const { status, evidence } = shown;
  if (status === 'COMPLETED') return reported.has(orderNo) ? 'credited, but an alert contradicts it' : null;
  if (status !== 'CANCELLED') return `it is ${status}`;
  const item = evidence.credits.find(({ transfer }) => transfer.bankReference === reference);
  if (!item) return 'its money is on no list';
  if (evidence.answer !== 'MONEY_WAITS' || !evidence.sentence.includes('the order is cancelled'))
    return `its page shows: ${evidence.sentence}`;
  return reported.has(orderNo) ? null : 'no alert reports its money';
}

async function race({ orders, seed, folder, say }: CampaignOptions, platform: Platform): Promise<Outcome> {
  const random = new Random(seed);
  const { OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password } = loadSecrets(folder, {});
  const parties = await provision(platform.graphqlUrl, { login, password }, 10);
  const receiver = await Receiver.listen(() => 'none');
  for (const merchant of parties.merchants) receiver.knows(merchant);
  const gateways = new Gateways(platform.gatewayUrls);
  const merchants = new Merchants(gateways, receiver.url, CURRENCY);
  const bank = new Bank(gateways, parties.accounts, parties.agent, CURRENCY);
  const ledger = new LedgerReader(platform.databaseUrl);
  const { operator } = parties;
  const [merchant] = parties.merchants;
  if (!merchant) throw new Error('no merchant');

  // If money wins, people are faster the next time, and vice versa: so both sometimes win on every machine.
  let patienceMs = APART_MS;
  const one = async (n: number): Promise<void> => {
    const amount = new Decimal(100 + n);
    const asked = await merchants.create(merchant, `race-${n}`, amount, false, ANSWERED_WITHIN_MS);
    const { promised } = asked;
    if (!promised) throw new Error(`order ${n} was not accepted`);
    const [ofBank, ofPerson] = [random.next() * APART_MS, random.next() * patienceMs];
    await Promise.all([
      sleep(ofBank).then(async () => {
        await bank.pay(promised, false, ANSWERED_WITHIN_MS);
      }),
      sleep(ofPerson).then(async () => {
        const cancel = { orderNo: promised.orderNo, reason: 'the payer changed its mind' };
        // A cancel that is too late is refused.
        try {
          await operator.run('CancelDeposit', cancel);
          patienceMs = Math.min(patienceMs * 1.05, LONGEST_MS);
        } catch (error) {
          if (!(error as Error).message.includes('final state')) throw error;
          patienceMs = Math.max(patienceMs * 0.95, APART_MS);
        }
      }),
    ]);
  };
  try {
    for (let n = 0; n < orders; n += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, orders - n) }, async (_, i) => {
          await one(n + i);
        }),
      );
    say('every order was paid and cancelled; waiting for the credits');
    await until(async () => (await ledger.open()).orders === 0, SETTLES_WITHIN_MS);
    const reported = await alerted(operator);
    const ends = { COMPLETED: 0, CANCELLED: 0 } as Record<string, number>;
    let silent = 0;
    for (const payment of bank.book) {
      const shown = await operator.run<Shown>('Deposit', { orderNo: payment.orderNo });
      ends[shown.status] = (ends[shown.status] ?? 0) + 1;
      const problem = payment.contradiction ?? silence(payment, shown, reported);
      if (problem === null) continue;
      silent++;
      say(`${payment.orderNo}: ${problem}`);
    }
    const [credited = 0, cancelled = 0] = [ends['COMPLETED'], ends['CANCELLED']];
    return {
      line: `races=${bank.book.length} credited=${credited} cancelled=${cancelled} silent=${silent}`,
      // It was a race: neither side won every order.
      good: silent === 0 && bank.book.length === orders && credited > 0 && cancelled > 0,
    };
  } finally {
    await Promise.allSettled([receiver.close(), gateways.close(), ledger.close()]);
  }
}

/** Runs the campaign on a platform of its own. */
async function run(options: CampaignOptions): Promise<Outcome> {
  const { folder, env, say, signal } = options;
  const release = await takeFreshFolder(folder);
  try {
    const platform = await Platform.start(folder, env, { gateways: 1, workers: 1 }, signal);
    try {
      return await race(options, platform);
    } finally {
      await platform.stop();
      say('all is stopped');
    }
  } finally {
    release();
  }
}

/** Its entry in the list of `npm run chaos`. */
export const CANCEL_RACE = {
  name: 'cancel-race',
  about: 'a person cancels each order while its money comes: an alert and a list show all money that is not credited',
  orders: 500,
  run,
} as const;
