import type { Finding } from '../bench';
import type { Watched } from '../cpu';
import type { Sample } from '../harness';
import { LoadGenerator } from '../load';
import { p50, p95, type Paid, Payments, type PaymentsPlace } from '../payments';
import { type BenchMerchant, CURRENCY, type Testbed } from '../testbed';

const ACCOUNTS = 8;
const PAID_AFTER_MS = 200;
const PATIENCE_MS = 60_000;
/**
 * A platform that has just started is slower: its code is compiled as it runs. After 400 orders at 20 a second compiling
 * still took a twelfth of all CPU in the first seconds of a rush. The floor is as fast from its first second on.
 */
const WARM = { seconds: 10, perSecond: 130, patienceMs: 150_000 };

/** A platform with one gateway and one worker, and merchants outside of it. */
export class PayingMerchants {
  private constructor(
    private readonly testbed: Testbed,
    /** Where any merchant's payers and the bank's agent send their requests. */
    private readonly place: Omit<PaymentsPlace, 'apiKey' | 'hangs'>,
    /** The merchant whose orders are paid and measured. */
    readonly payments: Payments,
    /** The merchant whose orders nobody pays. */
    readonly unpaid: readonly BenchMerchant[],
    private readonly generator: LoadGenerator,
    /** Its gateway and its worker. */
    readonly watched: readonly Watched[],
  ) {}

  static async open(testbed: Testbed, unpaid: { merchants: number; expireMinutes: number }): Promise<PayingMerchants> {
    const [merchant] = await testbed.merchants(1);
    if (!merchant) throw new Error('there is no merchant');
    const others = await testbed.merchants(unpaid.merchants, unpaid.expireMinutes);
    await testbed.accounts(ACCOUNTS);
    const gateway = await testbed.startRole('gateway');
    const worker = await testbed.startRole('worker');
    // Orders may go to any account, also to accounts of earlier benches.
    const numbers = await testbed.database.sql<{ id: string; accountNo: string }[]>`
      select id, account_no from bank_accounts`;
    const agent = await testbed.agent(numbers.map(({ id }) => id));
    const place = {
      gatewayUrl: gateway.url,
      currencyCode: CURRENCY,
      agent,
      accounts: Object.fromEntries(numbers.map(({ id, accountNo }) => [accountNo, id])),
    };
    const payments = await Payments.open({ ...place, apiKey: merchant.apiKey, hangs: false });
    const generator = LoadGenerator.start();
    const watched = [...gateway.watched, ...worker.watched];
    return new PayingMerchants(testbed, place, payments, others, generator, watched);
  }

  /** Another merchant, whose server hangs. The caller closes it. */
  async openHanging(): Promise<Payments> {
    const [merchant] = await this.testbed.merchants(1);
    if (!merchant) throw new Error('there is no merchant');
    return await Payments.open({ ...this.place, apiKey: merchant.apiKey, hangs: true });
  }

  /** Pays more orders a second than can be credited, so that the platform is as fast as one that has run for a while. */
  async warmUp(short: boolean): Promise<void> {
    const { seconds, perSecond, patienceMs } = WARM;
    await this.payments.run({
      orders: short ? 1 : seconds * perSecond,
      perSecond,
      paidAfterMs: PAID_AFTER_MS,
      queryEveryMs: null,
      patienceMs,
    });
  }

  /** Where signed requests go. */
  get gatewayUrl(): string {
    return this.place.gatewayUrl;
  }

  /** Orders from the create to the callback, by so many payers. @throws if one does not end */
  async keepPaying(payers: number, seconds: number): Promise<Sample> {
    const paid = await this.payments.run({
      payers,
      seconds,
      paidAfterMs: PAID_AFTER_MS,
      queryEveryMs: null,
      patienceMs: PATIENCE_MS,
    });
    requireExpected(paid);
    if (paid.late > 0) throw new Error(`${paid.late} orders did not end`);
    return {
      done: paid.callback.length,
      seconds: paid.seconds,
      figures: {
        'create, p95 ms': p95(paid.create),
        'bank report → callback, p50 ms': p50(paid.callback),
        'bank report → callback, p95 ms': p95(paid.callback),
      },
    };
  }

  /** Creates orders that nobody pays. @returns how long it took, seconds */
  async createUnpaid(orders: number, connections: number, perSecond = Infinity): Promise<number> {
    const { seconds } = await this.generator.run({
      kind: 'createDeposit',
      url: this.place.gatewayUrl,
      connections,
      seconds: 600,
      currencyCode: CURRENCY,
      orders,
      ...(Number.isFinite(perSecond) && { perSecond }),
      apiKeys: this.unpaid.map(({ apiKey }) => apiKey),
    });
    return seconds;
  }

  /** Starts that wait in the outbox. */
  async waitingStarts(): Promise<number> {
    const [row] = await this.testbed.database.sql<{ count: number }[]>`
      select count(*)::int as count from outbox where rank = 3`;
    return row?.count ?? 0;
  }

  /** Orders that were credited. */
  async completed(): Promise<number> {
    const [row] = await this.testbed.database.sql<{ count: number }[]>`
      select count(*)::int as count from deposit_orders where status = 'COMPLETED'`;
    return row?.count ?? 0;
  }

  /** Callbacks that their merchants acknowledged. */
  async acknowledged(): Promise<number> {
    const [row] = await this.testbed.database.sql<{ count: number }[]>`
      select count(*)::int as count from notification_logs where status = 'SUCCESS'`;
    return row?.count ?? 0;
  }

  /** Orders that are still PENDING after their expiry. */
  async overdue(): Promise<number> {
    const [row] = await this.testbed.database.sql<{ count: number }[]>`
      select count(*)::int as count from deposit_orders where status = 'PENDING' and expire_at <= now()`;
    return row?.count ?? 0;
  }

  close(): void {
    this.payments.close();
    this.generator.stop();
  }
}

/** @throws if a create or a query had another answer than a good one */
export function requireExpected(paid: Paid): void {
  const unexpected = Object.entries(paid.unexpected);
  if (unexpected.length > 0) throw new Error(unexpected.map(([what, times]) => `${times} x ${what}`).join(', '));
}

/** The times of orders, and those that are compared with the idle platform. */
export function paidFindings(when: string, paid: Paid, idle?: Paid): Finding[] {
  requireExpected(paid);
  const rows = [
    ['bank report → COMPLETED', paid.completed, idle?.completed],
    ['bank report → callback', paid.callback, idle?.callback],
    ['create', paid.create, idle?.create],
    ['query', paid.query, idle?.query],
  ] as const;
  return [
    ...rows.flatMap(([what, figures, before]) => [
      { what: `${when}: ${what}, p50`, value: p50(figures), unit: 'ms' },
      { what: `${when}: ${what}, p95`, value: p95(figures), unit: 'ms' },
      ...(before ? [{ what: `${when}: ${what}, p95 by idle`, value: p95(figures) / p95(before), unit: 'x' }] : []),
    ]),
    { what: `${when}: orders`, value: paid.completed.length, unit: '' },
    { what: `${when}: without COMPLETED or callback in time`, value: paid.late, unit: '' },
  ];
}
