import { setTimeout as sleep } from 'node:timers/promises';
import { loadSecrets } from '../local/secrets';
import type { Arena } from './arena';
import { type Asker, Askers } from './askers';
import { PayoutBooks } from './payouts/books';
import { judgePayouts } from './payouts/judge';
import { COST, PAYOUT_KIND, provisionPayouts } from './payouts/provision';
import { Random } from './random';
import { Sessions } from './sessions';
import { OpenWorkReader } from './temporal-lost/open-work';
import { untilNone } from './until';
import { Upstreams } from './upstreams';

/** Payouts are under way for long, and most end without a message. */
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
/** The backlog shrinks at least this often: an expiry, a sweep each minute. */
const MOVES_WITHIN_MS = 180_000;

/** Withdrawals at a channel and cashier sessions, beside the deposits of a campaign. */
export class OtherOrders {
  private readonly asked: Promise<void>[] = [];

  private constructor(
    private readonly upstreams: Upstreams,
    private readonly payers: readonly Asker[],
    private readonly withdrawals: Askers,
    private readonly sessions: Sessions,
    private readonly books: PayoutBooks,
    private readonly open: OpenWorkReader,
  ) {}

  static async provision({ platform, operator, gateways, random }: Arena): Promise<OtherOrders> {
    const { OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password } = loadSecrets(platform.folder, {});
    const upstreams = await Upstreams.listen(['simulated']);
    const payers = await provisionPayouts(platform, { login, password }, upstreams.all);
    upstreams.misbehave(FAULTS, platform);
    return new OtherOrders(
      upstreams,
      payers,
      new Askers(gateways, payers, new Random(random.int(1, 1_000_000)), PAYOUT_KIND),
      await Sessions.provision(operator, gateways),
      new PayoutBooks(platform.databaseUrl),
      new OpenWorkReader(platform.databaseUrl),
    );
  }

  /** Creates this many of each, spread evenly over a time. */
  async start(many: number, overMs: number): Promise<void> {
    for (let n = 0; n < many; n++) {
      this.asked.push(this.withdrawals.ask(), this.sessions.open());
      await sleep(overMs / many);
    }
  }

  /** What is open now: also all deposits and callbacks of the campaign. */
  async countOpen(): Promise<Readonly<Record<'withdrawals' | 'sessions' | 'deposits' | 'callbacks', number>>> {
    const { deposits, callbacks, sessions } = await this.open.read();
    const rows = await this.books.orders();
    const isOpen = ({ status }: { status: string }): boolean => status === 'PENDING' || status === 'APPROVED';
    return { withdrawals: rows.filter(isOpen).length, sessions, deposits, callbacks };
  }

  /** Waits for their end, and judges them beside the campaign's deposits. */
  async finish(arena: Arena): Promise<void> {
    await this.settle();
    arena.others += await this.judge(arena);
    await this.close();
  }

  /** Waits until all are answered, and until no more of them end. */
  private async settle(): Promise<void> {
    await Promise.all(this.asked);
    await untilNone(async () => (await this.open.read()).sessions + (await this.books.moving()), MOVES_WITHIN_MS);
  }

  /** Adds what is wrong to a campaign's findings. @returns how many orders were judged */
  private async judge({ found }: Pick<Arena, 'found'>): Promise<number> {
    const ids = new Set(this.payers.map(({ id }) => id));
    const verdicts = [
      judgePayouts({
        asked: this.withdrawals.book,
        orders: await this.books.orders(),
        payments: this.upstreams.payments,
        balances: (await this.books.balances()).filter(({ merchantId }) => ids.has(merchantId)),
        sums: await this.books.sums(),
      }),
      this.sessions.judge(await this.open.sessions()),
    ];
    for (const kind of ['double', 'lost', 'stuck'] as const)
      for (const verdict of verdicts) found[kind].push(...verdict[kind]);
    return this.withdrawals.book.length + this.sessions.book.length;
  }

  private async close(): Promise<void> {
    await Promise.allSettled([this.books.close(), this.open.close(), this.upstreams.close()]);
  }
}
