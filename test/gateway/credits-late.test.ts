import { WINDOW_MS } from '../../gateway/batch-window';
import { CreditWatch } from '../../steps/deposits/credit-watch';
import { createLogger } from '../../runtime/log';
import { depositBody, type MerchantClient, Platform } from '../support/platform';
import { until } from '../support/until';

/** The age of a credit from which on requests are gathered, and from which on creates are refused. */
const LATE_MS = 500;
const LIMIT_MS = 120_000;

describe('while paid deposits wait for their credit', () => {
  let platform: Platform;
  let merchant: MerchantClient;
  let accountId: string;

  beforeAll(async () => {
    platform = await Platform.open();
    accountId = await platform.account();
    merchant = await platform.cashierMerchant();
  });
  afterAll(async () => {
    await platform.close();
  });

  const create = async (number?: string) =>
    await merchant.signed(
      'POST',
      '/orders/deposit',
      depositBody(number === undefined ? {} : { merchant_order_no: number }),
    );
  const look = async (): Promise<void> => {
    await platform.tenant.graph.core.creditWatch.look();
  };

  it('creates continue for 2 minutes, then get 503 with Retry-After, and leave their numbers free', async () => {
    const { tenant } = platform;
    let now = Date.now();
    tenant.now = () => new Date(now);
    const { body } = await create();
    // No worker credits it.
    await tenant.notify({
      accountId,
      currencyCode: 'USD',
      memo: String(body.data?.['remark']),
    });
    now += LATE_MS;
    await look();
    expect(tenant.graph.areCreditsLate()).toBe(false);
    now += 1;
    await look();
    expect(tenant.graph.areCreditsLate()).toBe(true);
    const began = performance.now();
    expect(await create()).toMatchObject({ status: 201 });
    // Gathered with others: a clock of whole milliseconds may be one short.
    expect(performance.now() - began).toBeGreaterThan(WINDOW_MS - 2);

    now += LIMIT_MS - LATE_MS - 1;
    await look();
    expect(await create()).toMatchObject({ status: 201 });

    now += 1_000;
    await look();
    const number = 'shed';
    const refused = await create(number);
    expect(refused).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { success: false, code: 'SERVICE_UNAVAILABLE', data: null },
    });
    const cashier = await merchant.signed('POST', '/orders/deposit/cashier', {
      merchant_order_no: 'a cashier order',
      currency_code: 'USD',
      amount: '100',
    });
    expect(cashier).toMatchObject({ status: 503 });
    expect(await merchant.signed('GET', `/query/deposit/${String(body.data?.['order_no'])}`)).toMatchObject({
      status: 200,
    });

    // Until credits are late, each request may cause a reading; then the timer reads.
    const watch = new CreditWatch({
      database: tenant.database,
      clock: () => tenant.now(),
      log: createLogger('test', 'silent'),
    });
    const looks = jest.spyOn(watch, 'look');
    expect(watch.areLate()).toBe(false);
    expect(looks).not.toHaveBeenCalled();
    watch.start();
    expect([watch.areLate(), watch.areLate()]).toEqual([false, false]);
    expect(looks).toHaveBeenCalledTimes(1);
    await until('the credit to be late', () => watch.areLate());
    watch.stop();

    // A parked row waits for a person: it says nothing about the others.
    await tenant.database.sql`update outbox set parked_at = ${tenant.now()}`;
    await look();
    expect(await create(number)).toMatchObject({ status: 201 });
  });
});
