import { Simulator } from '../../simulator/server';
import type { Deposit } from '../../simulator/deposits';
import { matchChannelDeposit, recheckDeposits } from '../../db/deposits/channel-deposits';
import { DEPOSIT_RECHECK_AFTER_SECONDS } from '../../domain/channel-deposit';
import { money } from '../../domain/money';
import { CHANNEL_KEY, createTestChannel } from '../support/channel-tenant';
import { type Answer, depositBody, type MerchantClient, Platform } from '../support/platform';
import { Receiver } from '../support/receiver';
import { devServer, type TestTemporal } from '../support/temporal';
import { until } from '../support/until';
import { expectWholeLedger } from '../support/whole-ledger';
import { startWorkers, type TestWorkers } from '../support/workers';

/** One currency for each kind of order, so that each has only one route. */
const MOCKED = 'USD';
const PAID_OUTSIDE = 'EUR';
const BOUND = 'THB';
const WALLETS = 'BDT';

/** Over HTTP from end to end: merchants by signed requests, an upstream by its own server, real workflows. */
describe('deposits through channels', () => {
  let temporal: TestTemporal;
  let platform: Platform;
  let workers: TestWorkers;
  let merchant: MerchantClient;
  let upstream: Simulator;
  let other: Simulator;
  let mock: { readonly id: string; readonly channelCode: string };
  let first: { readonly id: string; readonly channelCode: string };

  const take = (currency: string, more: Readonly<Record<string, unknown>> = {}) => ({
    currencies: [currency],
    deposits: { currencies: [currency], cost: { percent: '1', fixed: '0.5' }, ...more },
  });
  const http = async (
    simulator: Simulator,
    settings: Readonly<Record<string, unknown>>,
  ): Promise<{ id: string; channelCode: string }> => {
    const address = { baseUrl: await simulator.listen(), ...CHANNEL_KEY };
    const channel = await createTestChannel(
      platform.tenant,
      { kind: 'HTTP' },
      { address, timeoutSeconds: 1, ...settings },
    );
    simulator.configure({
      webhookUrl: `http://127.0.0.1:${platform.port}/channels/${channel.channelCode}/webhook`,
    });
    return channel;
  };

  beforeAll(async () => {
    [temporal, platform] = await Promise.all([devServer(), Platform.open()]);
    const { tenant } = platform;
    workers = await startWorkers(tenant, temporal);
    workers.relay.start();
    merchant = await platform.merchant();
    await tenant.operate('UpdateMerchant', {
      id: merchant.id,
      currencies: [PAID_OUTSIDE, BOUND, WALLETS].map((currencyCode) => ({
        currencyCode,
        depositFee: { percent: '1' },
      })),
      reason: 'test',
    });
    mock = await createTestChannel(
      tenant,
      { kind: 'MOCK', mockOutcome: 'PENDING' },
      take(MOCKED, { acceptsContact: true }),
    );
    [upstream, other] = [new Simulator(CHANNEL_KEY), new Simulator(CHANNEL_KEY)];
    first = await http(upstream, { ...take(PAID_OUTSIDE), priority: 1 });
    await http(other, { ...take(PAID_OUTSIDE, { acceptsContact: true }), priority: 2 });
  });
  afterAll(async () => {
    await expectWholeLedger(platform.tenant);
    await workers.stop();
    await Promise.all([upstream.close(), other.close()]);
    await platform.close();
    await temporal.stop();
  });
  afterEach(() => {
    for (const one of [upstream, other])
      one.configure({
        faults: {
          refuseRate: 0,
          lostAnswerRate: 0,
          errorRate: 0,
          unpaidRate: 0,
          pageRate: 0,
          failRate: 0,
          silentRate: 0,
          cost: null,
        },
      });
  });

  const create = async (fields: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
    await merchant.signed('POST', '/orders/deposit', depositBody(fields));
  const query = async (orderNo: unknown): Promise<Record<string, unknown>> =>
    (await merchant.signed('GET', `/query/deposit/${String(orderNo)}`)).body.data ?? {};
  const byNumber = async (number: unknown): Promise<Record<string, unknown>> =>
    (await merchant.signed('GET', `/query/deposit?merchant_order_no=${String(number)}`)).body.data ?? {};
  async function untilStatus(orderNo: unknown, status: string): Promise<Record<string, unknown>> {
    await until(`${String(orderNo)} is ${status}`, async () => {
      const order = await query(orderNo);
      return order['status'] === status;
    });
    return await query(orderNo);
  }
  const setMock = async (orderNo: unknown, outcome: string): Promise<unknown> =>
    await platform.tenant.operate('SetMockDepositOutcome', { orderNo, outcome, reason: 'test' });
  const at = (simulator: Simulator, orderNo: unknown): Deposit[] =>
    simulator.deposits.all().filter(({ reference }) => reference.startsWith(`${String(orderNo)}-`));

  it('answers with the details of a mock channel, and every field of its query', async () => {
    const sent = depositBody({ mobile: '0800', email: 'a@b.example' });
    const answer = await merchant.signed('POST', '/orders/deposit', sent);
    expect(answer.status).toBe(201);
    const details = {
      bank_code: 'MOCK',
      bank_name: 'Mock Bank',
      bank_branch: 'Sandbox',
      account_no: '0000000000',
      account_holder: 'Mock Channel',
    };
    expect(answer.body.data).toEqual({
      order_no: expect.stringMatching(/^D/) as unknown,
      requested_amount: '100.0000',
      amount: '100.0000',
      currency_code: MOCKED,
      expire_at: expect.any(String) as unknown,
      payment_url: null,
      payment_info: { mock: true, ...details },
      ...details,
    });
    const orderNo = answer.body.data?.['order_no'];
    const order = await query(orderNo);
    expect(order).toMatchObject({
      account_id: null,
      account: null,
      status: 'pending',
      expected_remark: null,
      channel_id: mock.id,
      payment_url: null,
      channel_order_no: expect.stringMatching(`^mock-${String(orderNo)}-1-0-`) as unknown,
      estimated_channel_cost: '1.5000',
      estimated_profit: '-0.5000',
      actual_channel_cost: null,
      actual_profit: null,
      payment_snapshot: { ...details, amount: '100.0000', currency_code: MOCKED, mock: 'true' },
      channel: { id: mock.id, channel_code: mock.channelCode, channel_name: mock.channelCode },
    });
    await setMock(orderNo, 'MATCHED');
    expect((await untilStatus(orderNo, 'matched'))['completed_at']).toBeNull();
    await setMock(orderNo, 'COMPLETED');
    expect(await untilStatus(orderNo, 'completed')).toMatchObject({
      actual_amount: '100.0000',
      fee: '1.0000',
      actual_channel_cost: '1.5000',
      actual_profit: '-0.5000',
      account_id: null,
    });
  });

  it('follows the outcome of a mock channel at once, also for open orders', async () => {
    const { data } = (await create()).body;
    await platform.tenant.operate('SetMockOutcome', {
      id: mock.id,
      outcome: 'FAILED',
      reason: 'test',
    });
    await untilStatus(data?.['order_no'], 'failed');
    const next = await create();
    expect(next.status).toBe(201);
    await untilStatus(next.body.data?.['order_no'], 'failed');
    await platform.tenant.operate('SetMockOutcome', {
      id: mock.id,
      outcome: 'PENDING',
      reason: 'test',
    });
  });

  it('goes to the next channel if one refuses, and is kept as failed if none accepts it', async () => {
    upstream.configure({ faults: { refuseRate: 1 } });
    const answer = await create({ currency_code: PAID_OUTSIDE, mobile: '0800' });
    expect(answer).toMatchObject({ status: 201, body: { data: { account_no: '9876543210' } } });
    const info = answer.body.data?.['payment_info'] as Record<string, unknown>;
    // Only our own mock marks its output.
    expect(info['mock']).toBeUndefined();
    const orderNo = answer.body.data?.['order_no'];
    await untilStatus(orderNo, 'completed');
    expect([at(upstream, orderNo).length, at(other, orderNo).length]).toEqual([1, 1]);
    expect(at(upstream, orderNo)[0]?.asked).toMatchObject({ contact_mobile: null });
    expect(at(other, orderNo)[0]?.asked).toMatchObject({ contact_mobile: '0800' });

    other.configure({ faults: { refuseRate: 1 } });
    const number = 'refused-by-all';
    const refused = await create({ currency_code: PAID_OUTSIDE, merchant_order_no: number });
    expect(refused).toMatchObject({ status: 400, body: { code: 'BUSINESS_ERROR' } });
    expect(await byNumber(number)).toMatchObject({ status: 'failed', channel_order_no: null });
    const again = await create({ currency_code: PAID_OUTSIDE, merchant_order_no: number });
    expect(again).toMatchObject({ status: 409 });
  });

  it('answers 503 while a channel is silent, and never asks it to open a second one', async () => {
    await platform.tenant.operate('UpdateChannel', {
      id: mock.id,
      settings: { deposits: { mockOpening: 'SILENT' } },
      reason: 'test',
    });
    const number = 'unanswered';
    const answer = await create({ merchant_order_no: number });
    expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    const order = await byNumber(number);
    expect(order).toMatchObject({ status: 'pending', channel_order_no: null });
    await platform.tenant.operate('UpdateChannel', {
      id: mock.id,
      settings: { deposits: { mockOpening: 'OPEN' } },
      reason: 'test',
    });
    await setMock(order['order_no'], 'COMPLETED');
    await untilStatus(order['order_no'], 'completed');
  });

  it('queries after a lost answer, and returns the page of the upstream', async () => {
    upstream.configure({ faults: { lostAnswerRate: 1, pageRate: 1, unpaidRate: 1 } });
    const answer = await create({ currency_code: PAID_OUTSIDE });
    expect(answer).toMatchObject({ status: 201 });
    const orderNo = answer.body.data?.['order_no'];
    const [deposit] = at(upstream, orderNo);
    expect(deposit).toMatchObject({ opened: 1 });
    const url = `https://pay.example/${deposit?.channelOrderNo ?? ''}`;
    expect(answer.body.data).toMatchObject({ payment_url: url, payment_info: null });
    expect(Object.keys(answer.body.data ?? {})).not.toContain('account_no');
    expect(await query(orderNo)).toMatchObject({
      payment_url: url,
      channel_id: first.id,
      channel_order_no: deposit?.channelOrderNo,
    });
    if (!deposit) return;
    // A webhook alone proves nothing; the query does.
    upstream.payIn(deposit);
    await untilStatus(orderNo, 'completed');
    upstream.move(deposit, 'failed');
    await until('an alert', async () => {
      const rows = await platform.tenant.database.sql`
        select from alerts where kind = 'DEPOSIT_CONTRADICTED'`;
      return rows.length === 1;
    });
    expect(await query(orderNo)).toMatchObject({ status: 'completed' });
  });

  it('lets an account order that a channel reports on be paid by either, once', async () => {
    const accountId = await platform.account({ currencyCode: BOUND });
    const channel = await createTestChannel(
      platform.tenant,
      { kind: 'MOCK', mockOutcome: 'PENDING' },
      take(BOUND, { accountId }),
    );
    const answer = await create({ currency_code: BOUND });
    expect(answer).toMatchObject({ status: 201 });
    expect(Object.keys(answer.body.data ?? {})).not.toContain('payment_url');
    const { order_no: orderNo, remark } = answer.body.data ?? {};
    expect(remark).toEqual(expect.any(String));
    await until('it is known to the channel', async () => (await query(orderNo))['channel_order_no'] !== null);
    expect(await query(orderNo)).toMatchObject({ account_id: accountId, channel_id: channel.id });
    await platform.tenant.notify({
      accountId,
      amount: '100.00',
      currencyCode: BOUND,
      memo: String(remark),
      bankReference: 'B1',
    });
    await untilStatus(orderNo, 'completed');

    const second = (await create({ currency_code: BOUND })).body.data ?? {};
    await until(
      'it is known to the channel',
      async () => (await query(second['order_no']))['channel_order_no'] !== null,
    );
    await setMock(second['order_no'], 'COMPLETED');
    expect(await untilStatus(second['order_no'], 'completed')).toMatchObject({
      account_id: accountId,
      channel_id: channel.id,
      actual_channel_cost: '1.5000',
    });
    const posted = await platform.tenant.database.sql<{ account: string }[]>`
      select split_part(e.account, ':', 1) as account from ledger_entries e
      join ledger_transfers t on t.id = e.transfer_id join deposit_orders d on d.id = t.order_id
      where d.order_no = ${String(second['order_no'])} order by t.type desc, e.line`;
    expect(posted.map(({ account }) => account)).toEqual([
      ...['channel', 'merchant', 'fee_income', 'channel_cost', 'channel'],
    ]);
  });

  it('waits for people where its channel reports a payment that they credited late', async () => {
    const { tenant } = platform;
    const { order_no: orderNo, remark } = (await create({ currency_code: BOUND })).body.data ?? {};
    await until('it is known to the channel', async () => (await query(orderNo))['channel_order_no'] !== null);
    const { account_id: accountId } = await query(orderNo);
    const { transfer } = await tenant.notify({
      accountId,
      amount: '99.00',
      currencyCode: BOUND,
      memo: String(remark),
      bankReference: 'late',
    });
    const said = { reason: 'test', evidence: { text: "the bank's statement" } };
    const late = { transferId: transfer.id, merchantId: merchant.id, ...said };
    const { postings } = await tenant.operate<{ postings: { id: string }[] }>('CreditLateMoney', late);
    await setMock(orderNo, 'COMPLETED');
    await until('an alert', async () => {
      const rows = await tenant.database.sql`
        select from alerts where kind = 'DEPOSIT_CONTRADICTED' and about ->> 'orderNo' = ${String(orderNo)}`;
      return rows.length === 1;
    });
    expect(await query(orderNo)).toMatchObject({ status: 'matched', actual_amount: '0.0000' });
    await tenant.operate('ReversePosting', { id: postings[0]?.id, ...said });
    expect(await untilStatus(orderNo, 'completed')).toMatchObject({ actual_amount: '100.0000' });
  });

  it("serves BDT only by the merchant's wallet, with the platform's contact", async () => {
    await platform.account({ currencyCode: WALLETS });
    const account = await create({ currency_code: WALLETS });
    expect(account.body.data).toHaveProperty('remark');

    const bkash = new Simulator(CHANNEL_KEY);
    const contact = { acceptsContact: true, contactMobile: '+8801', contactEmail: 'us@we.example' };
    const wallet = await http(bkash, take(WALLETS, { walletKind: 'BKASH', ...contact }));
    await expect(
      createTestChannel(platform.tenant, { kind: 'MOCK' }, take(WALLETS, { walletKind: 'ROCKET' })),
    ).rejects.toThrow();
    // Without a merchant yet: it takes nothing.
    expect((await create({ currency_code: WALLETS })).body.data).toHaveProperty('remark');
    await platform.tenant.operate('UpdateMerchant', {
      id: merchant.id,
      currencies: [{ currencyCode: WALLETS, walletChannelId: wallet.id }],
      reason: 'test',
    });
    const answer = await create({
      currency_code: WALLETS,
      bank_code: 'NAGAD',
      mobile: '0800',
      email: 'payer@b.example',
    });
    expect(answer).toMatchObject({ status: 201 });
    const orderNo = answer.body.data?.['order_no'];
    expect((await query(orderNo))['channel_id']).toBe(wallet.id);
    const [asked] = at(bkash, orderNo);
    expect(asked?.asked).toMatchObject({
      contact_mobile: '+8801',
      contact_email: 'us@we.example',
    });
    expect(JSON.stringify(asked?.asked)).not.toMatch(/0800|payer@b|NAGAD/);
    await untilStatus(orderNo, 'completed');

    await platform.tenant.operate('SetChannelEnabled', {
      id: wallet.id,
      enabled: false,
      reason: 'test',
    });
    await until('the wallet is off', async () => (await create({ currency_code: WALLETS })).status === 400);
    await bkash.close();
  });

  const lateAlerts = async (): Promise<number> =>
    (
      await platform.tenant.database.sql`
        select from alerts where kind = 'LATE_CHANNEL_DEPOSIT'`
    ).length;

  /** What was posted for an order, by type: the account of each line before its id, and its amount. */
  const postedFor = async (orderNo: unknown): Promise<string[]> =>
    (
      await platform.tenant.database.sql<{ line: string }[]>`
        select t.type || ' ' || split_part(e.account, ':', 1) || ' ' || trim_scale(e.amount) as line
        from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
        join deposit_orders d on d.id = t.order_id
        where d.order_no = ${String(orderNo)} order by t.at, t.type desc, e.line`
    ).map(({ line }) => line);
  /** An order that was cancelled, and whose payer paid at the channel afterwards. */
  async function paidAfterCancel(): Promise<unknown> {
    upstream.configure({ faults: { unpaidRate: 1 } });
    const before = await lateAlerts();
    const orderNo = (await create({ currency_code: PAID_OUTSIDE })).body.data?.['order_no'];
    await platform.tenant.operate('CancelDeposit', { orderNo, reason: 'the payer changed plans' });
    await untilStatus(orderNo, 'cancelled');
    const [deposit] = at(upstream, orderNo);
    if (deposit) upstream.payIn(deposit);
    await until('an alert', async () => (await lateAlerts()) === before + 1);
    return orderNo;
  }
  const RECEIVED_LATE = [
    ...['LATE_RECEIVED channel -100', 'LATE_RECEIVED suspense 100'],
    ...['CHANNEL_COST channel_cost -1.5', 'CHANNEL_COST channel 1.5'],
  ];

  it('costs what was agreed where the channel reports more than the deposit itself', async () => {
    upstream.configure({ faults: { cost: '5000' } });
    const orderNo = (await create({ currency_code: PAID_OUTSIDE })).body.data?.['order_no'];
    expect(await untilStatus(orderNo, 'completed')).toMatchObject({
      actual_channel_cost: '1.5000',
    });
    const late = await paidAfterCancel();
    expect(await postedFor(late)).toEqual(RECEIVED_LATE);
    await until('an alert of each', async () => {
      const alerts = await platform.tenant.database.sql<{ orderNo: string }[]>`
        select about ->> 'orderNo' as order_no from alerts where kind = 'COST_ABOVE_BOUND'`;
      return alerts.length === 2 && new Set(alerts.map((one) => one.orderNo)).size === 2;
    });
  });

  const lateMoney = async (
    orderNo: unknown,
  ): Promise<readonly { readonly channelId: string; readonly rest: string }[]> =>
    (
      await platform.tenant.operate<{
        lateReceipts: { channelId: string; rest: string }[];
      }>('Deposit', { orderNo })
    ).lateReceipts;
  const AGREED = { reason: 'test', evidence: { text: "the channel's statement" } };

  it('stays cancelled when its channel has the money, which waits in the books until people resolve it', async () => {
    const { tenant } = platform;
    const orderNo = await paidAfterCancel();
    expect(await query(orderNo)).toMatchObject({ status: 'cancelled', actual_amount: '0.0000' });
    expect(await postedFor(orderNo)).toEqual(RECEIVED_LATE);
    expect(await lateMoney(orderNo)).toMatchObject([{ channelId: first.id, rest: '100.0000' }]);

    // Another message about the same deposit changes nothing.
    const [deposit] = at(upstream, orderNo);
    if (deposit) upstream.payIn(deposit);
    await until('nothing doubts it', async () => {
      const doubted = await tenant.database.sql`
        select from deposit_attempts a join deposit_orders d on d.id = a.deposit_id
        where d.order_no = ${String(orderNo)} and a.doubted_at is not null`;
      const waking = await tenant.database.sql`select from outbox`;
      return doubted.length + waking.length === 0;
    });
    expect(await postedFor(orderNo)).toEqual(RECEIVED_LATE);

    const part = { orderNo, amount: '30', ...AGREED };
    const { postings } = await tenant.operate<{ postings: { id: string }[] }>('ReturnLateMoney', part);
    expect(await lateMoney(orderNo)).toMatchObject([{ rest: '70.0000' }]);
    await expect(tenant.operate('CreditLateMoney', { orderNo, amount: '71', ...AGREED })).rejects.toMatchObject({
      kind: 'BUSINESS_ERROR',
    });
    await tenant.operate('ReversePosting', { id: postings[0]?.id, ...AGREED });
    await tenant.operate('CreditLateMoney', { orderNo, ...AGREED });
    expect(await lateMoney(orderNo)).toMatchObject([{ rest: '0.0000' }]);
    expect((await postedFor(orderNo)).slice(RECEIVED_LATE.length)).toEqual([
      'LATE_CREDIT suspense -100',
      'LATE_CREDIT merchant 99',
      'LATE_CREDIT fee_income 1',
    ]);
    for (const [again, more] of [
      ['CreditLateMoney', {}],
      ['WriteOffMoney', {}],
      ['ReturnLateMoney', {}],
    ] as const)
      await expect(tenant.operate(again, { orderNo, ...more, ...AGREED })).rejects.toMatchObject({
        kind: 'BUSINESS_ERROR',
      });
    expect(await query(orderNo)).toMatchObject({ status: 'cancelled', actual_amount: '0.0000' });
    await expectWholeLedger(tenant);
  });

  it('is queried again after its end, because a channel may receive money and not report it', async () => {
    const { database } = platform.tenant;
    upstream.configure({ faults: { unpaidRate: 1, silentRate: 1 } });
    const orderNo = (await create({ currency_code: PAID_OUTSIDE })).body.data?.['order_no'];
    await platform.tenant.operate('CancelDeposit', { orderNo, reason: 'the payer changed plans' });
    await untilStatus(orderNo, 'cancelled');
    const [deposit] = at(upstream, orderNo);
    if (!deposit) throw new Error('nothing was opened');
    const dueIn = async (): Promise<(number | null)[]> =>
      (
        await database.sql<{ seconds: number | null }[]>`
          select round(extract(epoch from a.recheck_at - d.updated_at))::int as seconds
          from deposit_attempts a join deposit_orders d on d.id = a.deposit_id
          where d.order_no = ${String(orderNo)}`
      ).map(({ seconds }) => seconds);
    const recheckAfter = async (seconds: number): Promise<string[]> => {
      const [{ end } = { end: new Date() }] = await database.sql<{ end: Date }[]>`
        select updated_at as end from deposit_orders where order_no = ${String(orderNo)}`;
      const now = new Date(end.getTime() + seconds * 1000);
      const due = await recheckDeposits(database, DEPOSIT_RECHECK_AFTER_SECONDS, 100, now);
      // The row is due later; the relay sends what is due now.
      await database.sql`
        update outbox set due_at = ${platform.tenant.now()} where key = ${`deposit:${String(orderNo)}`}`;
      return due.map((one) => one.orderNo).filter((one) => one === orderNo);
    };
    expect(await dueIn()).toEqual([60]);
    expect(await recheckAfter(59)).toEqual([]);
    const asked = deposit.queried;
    expect(await recheckAfter(60)).toEqual([orderNo]);
    expect(await dueIn()).toEqual([600]);
    await until('its channel is asked', () => Promise.resolve(deposit.queried > asked));
    // No money came, and no alert is raised.
    expect(await lateMoney(orderNo)).toEqual([]);
    const before = await lateAlerts();

    upstream.payIn(deposit);
    expect(await recheckAfter(600)).toEqual([orderNo]);
    await until('an alert', async () => (await lateAlerts()) === before + 1);
    expect(await lateMoney(orderNo)).toMatchObject([{ rest: '100.0000' }]);
    // After one finding it is no longer queried.
    expect(await dueIn()).toEqual([null]);
    expect(await recheckAfter(90_000)).toEqual([]);
  });

  it('keeps the money that its channel had when it was cancelled', async () => {
    const { tenant } = platform;
    upstream.configure({ faults: { unpaidRate: 1 } });
    const orderNo = (await create({ currency_code: PAID_OUTSIDE })).body.data?.['order_no'];
    // Matched by what the channel received, and not credited yet.
    const [attempt] = await tenant.database.sql<{ id: string }[]>`
      select a.id from deposit_attempts a join deposit_orders d on d.id = a.deposit_id
      where d.order_no = ${String(orderNo)} and a.status = 'OPEN'`;
    const receipt = { received: money('100'), charge: money('1'), cost: money('1.5') };
    await tenant.database.transaction(async (tx) => {
      const inTx = { ...tenant.database, sql: tx as unknown as typeof tenant.database.sql };
      await matchChannelDeposit(inTx, attempt?.id ?? '', null, receipt, null, tenant.now());
      await tx`
        select cancel_deposit(id, 'system', 'test', null, ${tenant.now()}) from deposit_orders
        where order_no = ${String(orderNo)}`;
    });
    expect(await query(orderNo)).toMatchObject({ status: 'cancelled' });
    expect(await postedFor(orderNo)).toEqual(RECEIVED_LATE);
    await tenant.operate('WriteOffMoney', { orderNo, ...AGREED });
    expect(await lateMoney(orderNo)).toMatchObject([{ rest: '0.0000' }]);
  });

  it('does not change when its channel repeats a report', async () => {
    const { database } = platform.tenant;
    upstream.configure({ faults: { unpaidRate: 1 } });
    const orderNo = (await create({ currency_code: PAID_OUTSIDE })).body.data?.['order_no'];
    const [attempt] = await database.sql<{ id: string }[]>`
      select a.id from deposit_attempts a join deposit_orders d on d.id = a.deposit_id
      where d.order_no = ${String(orderNo)} and a.status = 'OPEN'`;
    const matchedAt = async (seconds: number): Promise<unknown> => {
      const at = new Date(platform.tenant.now().getTime() + seconds * 1_000);
      await matchChannelDeposit(database, attempt?.id ?? '', null, null, null, at);
      const { status, updated_at: updated } = await query(orderNo);
      return { status, updated };
    };
    const matched = await matchedAt(1);
    expect(matched).toMatchObject({ status: 'matched' });
    expect(await matchedAt(2)).toEqual(matched);
  });

  it('captures the fee of a merchant that prepays, and returns it if the channel fails', async () => {
    const { tenant } = platform;
    const prepaying = await platform.merchant();
    await tenant.operate('UpdateMerchant', {
      id: prepaying.id,
      reason: 'test',
      currencies: [{ currencyCode: MOCKED, depositFee: { percent: '1' }, prepaid: true }],
    });
    await tenant.operate('TopUpBalance', {
      merchantId: prepaying.id,
      currencyCode: MOCKED,
      amount: '2',
      ...AGREED,
    });
    const ask = async (): Promise<Answer> => await prepaying.signed('POST', '/orders/deposit', depositBody());
    const [paid, failed] = [await ask(), await ask()].map(({ body }) => body.data?.['order_no']);
    expect((await ask()).body.code).toBe('INSUFFICIENT_MERCHANT_BALANCE');
    await setMock(paid, 'COMPLETED');
    await setMock(failed, 'FAILED');
    const statusOf = async (orderNo: unknown): Promise<unknown> =>
      (await prepaying.signed('GET', `/query/deposit/${String(orderNo)}`)).body.data?.['status'];
    await until('one is paid', async () => (await statusOf(paid)) === 'completed');
    await until('one has failed', async () => (await statusOf(failed)) === 'failed');
    const [row] = await tenant.database.sql`
      select trim_scale(available)::text as available, trim_scale(frozen)::text as frozen
      from merchant_balances where merchant_id = ${prepaying.id} and currency_code = ${MOCKED}`;
    // The fee of 1 is kept of the 2; the credit is in full.
    expect(row).toEqual({ available: '101', frozen: '0' });
  });

  it('notifies a merchant with that setting that a channel sees the payment to an account', async () => {
    const receiver = await Receiver.listen();
    try {
      const { tenant } = platform;
      const settings = { notifyDepositMatched: true, allowInsecureCallbacks: true };
      const listener = await platform.merchant(settings);
      await tenant.operate('UpdateMerchant', {
        id: listener.id,
        reason: 'test',
        currencies: [{ currencyCode: BOUND, depositFee: { percent: '1' } }],
      });
      const sent = depositBody({ currency_code: BOUND, callback_url: receiver.url });
      const { data } = (await listener.signed('POST', '/orders/deposit', sent)).body;
      const orderNo = data?.['order_no'];
      const asked = async (): Promise<Record<string, unknown>> =>
        (await listener.signed('GET', `/query/deposit/${String(orderNo)}`)).body.data ?? {};
      await until('it is known to the channel', async () => (await asked())['channel_order_no'] !== null);
      await setMock(orderNo, 'MATCHED');
      await until('the first callback', () => Promise.resolve(receiver.received.length === 1));
      await setMock(orderNo, 'COMPLETED');
      await until('the second callback', () => Promise.resolve(receiver.received.length === 2));
      const [matched, completed] = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
      expect(matched).toMatchObject({
        event: 'deposit.matched',
        order_no: orderNo,
        status: 'matched',
        merchant_order_no: sent.merchant_order_no,
      });
      expect(completed).toMatchObject({ event: 'deposit.completed', order_no: orderNo });
    } finally {
      await receiver.close();
    }
  });

  it('shows the same fields of every kind of order, and no costs to merchants from whom they are hidden', async () => {
    const { tenant } = platform;
    const hidden = await platform.merchant({ hideCosts: true });
    const sent = depositBody();
    const created = (await hidden.signed('POST', '/orders/deposit', sent)).body.data ?? {};
    const theirs = (await hidden.signed('GET', `/query/deposit/${String(created['order_no'])}`)).body.data;
    expect(theirs).toMatchObject({
      channel_id: mock.id,
      estimated_channel_cost: null,
      estimated_profit: null,
      actual_channel_cost: null,
      actual_profit: null,
    });
    // The kinds: to a channel, to an account, to an account that a channel reports on.
    const account = await platform.merchant();
    await tenant.operate('UpdateMerchant', {
      id: account.id,
      reason: 'test',
      currencies: [{ currencyCode: 'JPY', depositFee: { percent: '1' } }],
    });
    await platform.account({ currencyCode: 'JPY' });
    const plain = await account.signed(
      ...(['POST', '/orders/deposit', depositBody({ currency_code: 'JPY' })] as const),
    );
    const keysOf = async (sender: MerchantClient, orderNo: unknown): Promise<readonly (readonly string[])[]> => {
      const order = (await sender.signed('GET', `/query/deposit/${String(orderNo)}`)).body.data ?? {};
      return [Object.keys(order).sort()];
    };
    const bound = (await create({ currency_code: BOUND })).body.data?.['order_no'];
    const kinds = [
      await keysOf(merchant, (await create()).body.data?.['order_no']),
      await keysOf(account, plain.body.data?.['order_no']),
      await keysOf(merchant, bound),
      await keysOf(hidden, created['order_no']),
    ];
    expect(kinds[0]?.[0]).toHaveLength(36);
    for (const kind of kinds) expect(kind).toEqual(kinds[0]);
  });

  it('go only to the channels of their merchant, by the API and by the cashier', async () => {
    const { tenant } = platform;
    const CURRENCY = 'AUD';
    const poolOf = async (name: string): Promise<{ poolId: string; channelId: string }> => {
      const channel = await createTestChannel(tenant, { kind: 'MOCK', mockOutcome: 'PENDING' }, take(CURRENCY));
      const input = { name, currencyCode: CURRENCY, accountIds: [], channelIds: [channel.id] };
      const { pool } = await tenant.operate<{ pool: { id: string } }>('PutPool', {
        input,
        reason: 'test',
      });
      return { poolId: pool.id, channelId: channel.id };
    };
    for (const { poolId, channelId } of [await poolOf('ours'), await poolOf('theirs')]) {
      const sender = await platform.merchant();
      await tenant.operate('UpdateMerchant', {
        id: sender.id,
        reason: 'test',
        currencies: [{ currencyCode: CURRENCY, poolId, cashierAmounts: { denominations: ['50'] } }],
      });
      const asked = async (orderNo: string): Promise<unknown> =>
        (await sender.signed('GET', `/query/deposit?merchant_order_no=${orderNo}`)).body.data?.['channel_id'];
      for (let n = 0; n < 4; n++) {
        const body = depositBody({ currency_code: CURRENCY });
        expect((await sender.signed('POST', '/orders/deposit', body)).status).toBe(201);
        expect(await asked(body.merchant_order_no)).toBe(channelId);
      }
      const { callback_url: _, ...body } = depositBody({ currency_code: CURRENCY, amount: '50' });
      expect((await sender.signed('POST', '/orders/deposit/cashier', body)).status).toBe(201);
      await until('its order', async () => (await asked(body.merchant_order_no)) === channelId);
    }
  });

  it('expires unpaid, and stays expired when the money comes late', async () => {
    upstream.configure({ faults: { unpaidRate: 1 } });
    const before = await lateAlerts();
    const { data } = (await create({ currency_code: PAID_OUTSIDE })).body;
    const orderNo = data?.['order_no'];
    await platform.tenant.database.sql`
      select hurry_deposit(id, now()) from deposit_orders where order_no = ${String(orderNo)}`;
    await untilStatus(orderNo, 'expired');
    const [deposit] = at(upstream, orderNo);
    if (deposit) upstream.payIn(deposit);
    await until('an alert', async () => (await lateAlerts()) === before + 1);
    expect(await query(orderNo)).toMatchObject({ status: 'expired', actual_amount: '0.0000' });
  });
});
