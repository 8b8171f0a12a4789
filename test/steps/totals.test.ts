import { uuidv7 } from 'uuidv7';
import { preparePayout } from '../../db/payouts/payouts';
import { money } from '../../domain/money';
import { Totals } from '../../steps/ledger/totals';
import { createTestChannel } from '../support/channel-tenant';
import { Scrape } from '../support/prometheus';
import { ownTime } from '../support/stopwatch';
import { Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

describe('the totals', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  const began = new Date();

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => began;
    merchant = await tenant.merchant();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const totals = (): Totals => new Totals(tenant.graph.core);
  const read = async (from = totals()): Promise<Scrape> => new Scrape(await from.text());

  it('are zero without open work', async () => {
    const scraped = await read();
    expect(scraped.distinct('causeway_total_readable')).toEqual([1]);
    for (const state of ['due', 'later', 'parked']) expect(scraped.value('causeway_outbox_rows', { state })).toBe(0);
    for (const status of ['WAITING_RETRY', 'SENDING'])
      expect(scraped.value('causeway_open_callbacks', { status })).toBe(0);
    for (const state of ['UNROUTED', 'PREPARED', 'SENT', 'UNKNOWN', 'OPEN'])
      expect(scraped.value('causeway_open_payouts', { state })).toBe(0);
    expect(scraped.value('causeway_unpublished_events_oldest_seconds')).toBe(0);
    expect(scraped.value('causeway_open_deposits')).toBeUndefined();
    const accounts = { status: 'ACTIVE', currency: 'THB' };
    expect(scraped.value('causeway_bank_accounts', accounts)).toBe(1);
  });

  it('show the number, the amount and the age of open work', async () => {
    const [pending, matched, paid] = await Promise.all(
      [100, 200, 300].map(async (amount) => await tenant.deposit(merchant, { amount: `${amount}.25` })),
    );
    await tenant.notify({ accountId, amount: '200.25', memo: matched?.expectedRemark });
    await tenant.notify({ accountId, amount: '0.5', memo: 'nobody', bankReference: uuidv7() });
    const { sql } = tenant.database;
    await sql`delete from outbox`;
    await sql`select wake_deposit(d, ${began}) from deposit_orders d where order_no = ${pending?.orderNo ?? ''}`;
    await sql`select raise_alert('LOW_BALANCE', 'one', null, '{}', ${began})`;
    await sql`update merchant_balances set available = 12345678901.2345, frozen = 10`;
    await sql`
      insert into notification_logs (id, order_id, order_no, merchant_id, notification_type, target_url, request_body,
        status, attempt_count, total_attempts, generation, next_attempt_at, created_at, updated_at)
      select ${uuidv7()}, id, order_no, merchant_id, 'deposit_completed', 'https://a', '{}',
        'WAITING_RETRY', 0, 0, 1, ${began}, ${began}, ${began}
      from deposit_orders where order_no = ${paid?.orderNo ?? ''}`;

    // A thousand seconds later: a hundred after the expiry of the unpaid ones.
    tenant.now = () => new Date(began.getTime() + 1_000_000);
    const scraped = await read();
    const open = { status: 'PENDING', currency: 'THB' };
    expect(scraped.value('causeway_open_deposits', open)).toBe(2);
    expect(scraped.value('causeway_open_deposits_amount', open)).toBe(400.5);
    expect(scraped.value('causeway_open_deposits_overdue_seconds', open)).toBe(100);
    expect(scraped.value('causeway_open_deposits', { status: 'MATCHED' })).toBe(1);
    expect(scraped.value('causeway_open_deposits_overdue_seconds', { status: 'MATCHED' })).toBe(1_000);
    expect(scraped.value('causeway_unmatched_transfers', { currency: 'THB' })).toBe(1);
    expect(scraped.value('causeway_unmatched_transfers_amount', { currency: 'THB' })).toBe(0.5);
    expect(scraped.value('causeway_unmatched_transfers_oldest_seconds')).toBe(1_000);
    const balance = scraped.value('causeway_merchant_available_amount', { currency: 'THB' });
    expect(balance).toBe(12345678901.2345);
    expect(scraped.value('causeway_merchant_frozen_amount', { currency: 'THB' })).toBe(10);
    expect(scraped.value('causeway_merchant_receivable_amount', { currency: 'THB' })).toBe(0);
    expect(scraped.value('causeway_open_alerts', { kind: 'LOW_BALANCE' })).toBe(1);
    expect(scraped.value('causeway_open_alerts_oldest_seconds', { kind: 'LOW_BALANCE' })).toBe(1_000);
    expect(scraped.value('causeway_open_callbacks', { status: 'WAITING_RETRY' })).toBe(1);
    expect(scraped.value('causeway_open_callbacks_overdue_seconds')).toBe(1_000);
    expect(scraped.value('causeway_outbox_rows', { state: 'due' })).toBe(1);
    expect(scraped.value('causeway_outbox_oldest_seconds', { state: 'due' })).toBe(1_000);
    expect(scraped.value('causeway_unpublished_events')).toBe(4);
    expect(scraped.value('causeway_unpublished_events_oldest_seconds')).toBe(1_000);
  });

  it('are read once for all scrapes within some seconds', async () => {
    const one = totals();
    // The clock does not advance, so they are not read again.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const [first, beside] = await Promise.all([read(one), read(one)]);
    await tenant.deposit(merchant);
    const later = await read(one);
    clock.mockRestore();
    for (const scraped of [first, beside, later])
      expect(scraped.value('causeway_open_deposits', { status: 'PENDING' })).toBe(2);
    expect((await read()).value('causeway_open_deposits', { status: 'PENDING' })).toBe(3);
  });

  it('omit one that times out, and show it again afterwards', async () => {
    const one = totals();
    let scraped: Scrape | undefined;
    await tenant.database.transaction(async (tx) => {
      await tx`lock table merchant_balances in access exclusive mode`;
      const { result, ms } = await ownTime(async () => await read(one));
      scraped = result;
      expect(ms).toBeLessThan(3_500);
    });
    const unreadable = scraped?.samples.filter(({ name, value }) => name === 'causeway_total_readable' && value === 0);
    expect(unreadable?.map(({ labels }) => labels['total'])).toEqual(['balances']);
    expect(scraped?.value('causeway_merchant_available_amount')).toBeUndefined();
    expect(scraped?.value('causeway_outbox_rows', { state: 'parked' })).toBe(0);
    expect((await read()).value('causeway_merchant_frozen_amount')).toBe(10);
  });

  it('show the states of payouts, and their ages', async () => {
    tenant.now = () => began;
    const funded = await fundedMerchant(tenant);
    const { id: channelId } = await createTestChannel(tenant, { kind: 'MOCK' });
    const { id } = await approvedWithdrawal(tenant, funded);
    await approvedWithdrawal(tenant, funded);
    const preparedAt = new Date(began.getTime() + 9_000);
    await preparePayout(tenant.database, uuidv7(), id, channelId, money('1'), preparedAt);

    tenant.now = () => new Date(began.getTime() + 1_000_000);
    const scraped = await read();
    const of = (state: string): (number | undefined)[] =>
      ['causeway_open_payouts', 'causeway_oldest_payout_seconds'].map((name) => scraped.value(name, { state }));
    expect(of('PREPARED')).toEqual([1, 991]);
    expect(of('UNROUTED')).toEqual([1, 1_000]);
    expect(of('SENT')).toEqual([0, 0]);
  });
});
