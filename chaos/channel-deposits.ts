import { setTimeout as sleep } from 'node:timers/promises';
import { loadSecrets } from '../local/secrets';
import { NO_FAULTS } from '../simulator/faults';
import type { Arena } from './arena';
import { type Asker, Askers } from './askers';
import { ChannelBooks } from './channels/books';
import { judgeChannels } from './channels/judge';
import { COST, depositsTo, provisionChannels } from './channels/provision';
import { Random } from './random';
import { Receiver } from './receiver';
import { untilNone } from './until';
import { Upstreams } from './upstreams';

/** Payers pay only when the campaign lets them; many payments are never reported, so that they must be queried. */
const FAULTS = {
  ...NO_FAULTS,
  unpaidRate: 1,
  lostAnswerRate: 0.1,
  silentRate: 0.3,
  duplicateRate: 0.2,
  cost: COST,
};
/** A currency of their own: its channel takes none of the campaign's deposits to accounts. */
const CURRENCY = 'CHF';
/** None expires while its workflow is blocked. */
const EXPIRE_MINUTES = 60;
/** The backlog shrinks at least this often: five attempts at a callback, a query each 30 s. */
const MOVES_WITHIN_MS = 180_000;

/** Deposits at a channel, beside those to accounts. */
export class ChannelDeposits {
  private readonly asked: Promise<void>[] = [];

  private constructor(
    private readonly upstreams: Upstreams,
    private readonly merchants: readonly Asker[],
    private readonly deposits: Askers,
    private readonly receiver: Receiver,
    private readonly books: ChannelBooks,
  ) {}

  static async provision({ platform, gateways, random }: Arena): Promise<ChannelDeposits> {
    const { OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password } = loadSecrets(platform.folder, {});
    const upstreams = await Upstreams.listen(['deposits']);
    const settings = { currencyCode: CURRENCY, expireMinutes: EXPIRE_MINUTES };
    const merchants = await provisionChannels(...([platform, { login, password }, upstreams.all, settings] as const));
    upstreams.misbehave(FAULTS, platform);
    const receiver = await Receiver.listen(() => 'none');
    for (const merchant of merchants) receiver.knows(merchant);
    const kind = depositsTo(receiver.url, CURRENCY);
    return new ChannelDeposits(
      ...([upstreams, merchants] as const),
      new Askers(gateways, merchants, new Random(random.int(1, 1_000_000)), kind),
      ...([receiver, new ChannelBooks(platform.databaseUrl)] as const),
    );
  }

  /** Creates this many, spread evenly over a time. Then every second payer of those that are open begins to pay. */
  async start(many: number, overMs: number): Promise<void> {
    for (let n = 0; n < many; n++) {
      this.asked.push(this.deposits.ask());
      await sleep(overMs / many);
    }
    const isChosen = oneIn(2);
    this.upstreams.payers('match', ({ state }) => state === 'opened' && isChosen());
  }

  /** The payers of a third of the open ones pay, whether they had begun or not. */
  payThird(): void {
    const isChosen = oneIn(3);
    this.upstreams.payers('pay', ({ paidAt }) => paidAt === null && isChosen());
  }

  /** Those that are open now. */
  async countOpen(): Promise<{ readonly opened: number; readonly matched: number }> {
    const rows = await this.books.orders();
    const count = (wanted: string): number => rows.filter(({ status }) => status === wanted).length;
    return { opened: count('PENDING'), matched: count('MATCHED') };
  }

  /** Lets all pay, waits for their end, and judges them beside the campaign's deposits. */
  async finish(arena: Arena): Promise<void> {
    await Promise.all(this.asked);
    await untilNone(async () => {
      // Some are opened only now, because their workflow was blocked.
      this.upstreams.payers('pay', ({ paidAt }) => paidAt === null);
      return await this.books.moving();
    }, MOVES_WITHIN_MS);
    const ids = new Set(this.merchants.map(({ id }) => id));
    const verdict = judgeChannels({
      asked: this.deposits.book,
      orders: await this.books.orders(),
      arrivals: this.receiver.book,
      deposits: this.upstreams.deposits,
      failedFirst: () => false,
      balances: (await this.books.balances()).filter(({ merchantId }) => ids.has(merchantId)),
      sums: await this.books.sums(CURRENCY),
    });
    for (const kind of ['double', 'lost', 'stuck'] as const) arena.found[kind].push(...verdict[kind]);
    arena.others += this.deposits.book.length;
    await Promise.allSettled([this.books.close(), this.receiver.close(), this.upstreams.close()]);
  }
}

/** A test that one call in so many passes, the first one too. */
function oneIn(many: number): () => boolean {
  let calls = 0;
  return () => calls++ % many === 0;
}
