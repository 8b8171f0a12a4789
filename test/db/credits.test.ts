import { uuidv7 } from 'uuidv7';
import { depositCredit } from '../../domain/ledger';
import { formatMoney, money } from '../../domain/money';
import { type Credit, creditDeposit, creditDeposits, CreditWriter } from '../../db/deposits/credits';
import { balanceFaults } from '../support/whole-ledger';
import { Tenant, type TestMerchant } from '../support/tenant';

describe('crediting many deposits at once', () => {
  let tenant: Tenant;
  let merchants: TestMerchant[];
  let accountId: string;
  beforeAll(async () => {
    tenant = await Tenant.create();
    merchants = [await tenant.merchant(), await tenant.merchant()];
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** A deposit whose money has arrived, and every row that crediting it writes. */
  async function matched(merchant: TestMerchant, changes: Partial<Credit> = {}): Promise<Credit> {
    const { orderNo, expectedRemark } = await tenant.deposit(merchant);
    await tenant.notify({ accountId, memo: expectedRemark, bankReference: uuidv7() });
    const [row] = await tenant.database.sql<{ id: string; status: string }[]>`
      select id, status from deposit_orders where order_no = ${orderNo}`;
    expect(row?.status).toBe('MATCHED');
    const [actual, fee] = [money('100'), money('1.5')];
    return {
      depositId: row?.id ?? '',
      merchantId: merchant.id,
      actual,
      fee,
      postings: depositCredit(merchant.id, actual, fee),
      callbackBody: `{"order_no":"${orderNo}"}`,
      now: new Date(Date.now() + 1000),
      ...changes,
    };
  }

  /** The rows of a deposit: status, ledger transfers, events, callbacks and outbox. */
  const written = async ({ depositId }: Credit): Promise<unknown> => {
    const [row] = await tenant.database.sql`
      select d.status, d.actual_amount, d.fee,
        (select count(*)::int from ledger_transfers where order_id = d.id) as transfers,
        (select count(*)::int from order_events where order_id = d.id and type = 'completed') as events,
        (select array_agg(request_body) from notification_logs where order_id = d.id) as bodies,
        (select count(*)::int from outbox where noun = 'callback'
          and key = 'callback:' || d.order_no || ':deposit_completed') as outbox
      from deposit_orders d where id = ${depositId}`;
    return row;
  };
  const complete = ({ callbackBody, actual, fee }: Credit): unknown => ({
    status: 'COMPLETED',
    actualAmount: formatMoney(actual),
    fee: formatMoney(fee),
    transfers: 1,
    events: 1,
    bodies: [callbackBody],
    outbox: 1,
  });

  it('writes the same rows for each deposit as crediting it alone', async () => {
    const [hot, other] = merchants;
    if (!hot || !other) throw new Error('no merchants');
    const credits = [await matched(hot), await matched(other), await matched(hot)];
    expect(await creditDeposits(tenant.database, credits)).toEqual([true, true, true]);
    for (const credit of credits) expect(await written(credit)).toEqual(complete(credit));
    expect(await creditDeposits(tenant.database, credits)).toEqual([false, false, false]);
    const alone = await matched(hot);
    expect(await creditDeposit(tenant.database, alone)).toBe(true);
    expect(await written(alone)).toEqual(complete(alone));
    expect(await creditDeposit(tenant.database, alone)).toBe(false);
  });

  it('gives each deposit its own verdict, although its neighbours are refused', async () => {
    const [hot, other] = merchants;
    if (!hot || !other) throw new Error('no merchants');
    const good = [await matched(hot), await matched(other), await matched(hot)];
    const [twice] = good;
    const cancelled = await matched(hot);
    await tenant.database.sql`
      update deposit_orders set status = 'CANCELLED' where id = ${cancelled.depositId}`;
    // A fee that exceeds the amount, and lines that do not sum to zero.
    const eaten = await matched(hot, { fee: money('100') });
    const lopsided = await matched(hot);
    const credits = [
      // This one is credited at once and alone; the merchant's others wait for it and are credited together.
      await matched(hot),
      ...good,
      cancelled,
      eaten,
      { ...lopsided, postings: lopsided.postings.slice(1) },
      ...(twice ? [twice] : []),
    ];

    const writer = new CreditWriter(tenant.database);
    const settled = await Promise.allSettled(credits.map((credit) => writer.credit(credit)));
    const verdicts = settled.map((s) => (s.status === 'fulfilled' ? s.value : 'refused'));
    expect(verdicts.slice(0, 1)).toEqual([true]);
    // Of two calls for one deposit, either one credited it.
    expect([verdicts[1], verdicts[7]].sort()).toEqual([false, true]);
    expect(verdicts.slice(2, 7)).toEqual([true, true, false, 'refused', 'refused']);
    for (const credit of good) expect(await written(credit)).toEqual(complete(credit));
    expect(await written(cancelled)).toMatchObject({ status: 'CANCELLED', transfers: 0 });
    for (const credit of [eaten, lopsided])
      expect(await written(credit)).toMatchObject({ status: 'MATCHED', transfers: 0, outbox: 0 });
    expect(await balanceFaults(tenant.database)).toEqual([]);
  });
});
