import { Simulator } from '../../simulator/server';
import { CHANNEL_KEY, createTestChannel, type TestChannel } from '../support/channel-tenant';
import { depositBody, type MerchantClient, Platform } from '../support/platform';
import { Receiver } from '../support/receiver';
import { devServer, type TestTemporal } from '../support/temporal';
import { until } from '../support/until';
import { expectWholeLedger } from '../support/whole-ledger';
import { startWorkers, type TestWorkers } from '../support/workers';

type Fields = Readonly<Record<string, unknown>>;

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/) as unknown;
const ORDER_NO = expect.stringMatching(/^D\d{8}[0-9A-HJKMNP-TV-Z]{12}$/) as unknown;
const REMARK = expect.stringMatching(/^[2-9A-HJKMNP-Z]{8}$/) as unknown;

/** One currency per kind, so that each route is the only one. */
const IN = {
  remark: 'USD',
  float: 'EUR',
  page: 'AUD',
  details: 'CAD',
  bound: 'THB',
  mock: 'SGD',
  wallet: 'BDT',
  cashier: 'NZD',
} as const;
type Kind = keyof typeof IN;

const BANK = {
  bank_code: 'TESTBANK',
  bank_name: 'Test Bank',
  bank_branch: 'Old Town',
  account_no: '001-234',
  account_holder: 'Causeway',
};
const MOCK_BANK = {
  bank_code: 'MOCK',
  bank_name: 'Mock Bank',
  bank_branch: 'Sandbox',
  account_no: '0000000000',
  account_holder: 'Mock Channel',
};

/** The details of a channel, without those that it leaves out. */
const textsOf = (info: Fields): Fields =>
  Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null));

/** Each kind of order over HTTP, in each of its states: every field of the create and of the query, exactly. */
describe('every field of a deposit', () => {
  let temporal: TestTemporal;
  let platform: Platform;
  let workers: TestWorkers;
  let receiver: Receiver;
  let upstream: Simulator;
  let merchant: MerchantClient;
  /** With the other of the two wallets. */
  let nagad: MerchantClient;
  const accounts = new Map<Kind, { readonly id: string; readonly account_no: string }>();
  const channels = new Map<Kind | 'nagad', TestChannel>();

  const COST = { percent: '1', fixed: '0.5' };
  const takes = (kind: Kind, more: Fields = {}): Fields => ({
    currencies: [IN[kind]],
    deposits: { currencies: [IN[kind]], cost: COST, ...more },
  });

  beforeAll(async () => {
    [temporal, platform, receiver] = await Promise.all([devServer(), Platform.open(), Receiver.listen()]);
    const { tenant } = platform;
    workers = await startWorkers(tenant, temporal);
    workers.relay.start();
    platform.openWithin(30_000);
    upstream = new Simulator(CHANNEL_KEY);
    const address = { baseUrl: await upstream.listen(), ...CHANNEL_KEY };
    const outside = async (kind: Kind, more: Fields = {}): Promise<TestChannel> =>
      await createTestChannel(tenant, { kind: 'HTTP' }, { address, ...takes(kind, more) });
    const account = async (kind: Kind, more: Fields = {}): Promise<void> => {
      const account_no = `001-234-${kind}`;
      const id = await platform.account({
        currencyCode: IN[kind],
        accountNo: account_no,
        bankBranch: 'Old Town',
        ...more,
      });
      accounts.set(kind, { id, account_no });
    };
    await account('remark');
    await account('float', { mode: 'FLOAT', float: { step: '0.01', up: '0.50', down: '0' } });
    await account('bound');
    await account('cashier');
    channels.set('page', await outside('page'));
    channels.set('details', await outside('details'));
    channels.set('mock', await createTestChannel(tenant, { kind: 'MOCK', mockOutcome: 'PENDING' }, takes('mock')));
    const accountId = accounts.get('bound')?.id;
    channels.set(
      'bound',
      await createTestChannel(
        ...([tenant, { kind: 'MOCK', mockOutcome: 'PENDING' }, takes('bound', { accountId })] as const),
      ),
    );
    channels.set('wallet', await outside('wallet', { walletKind: 'BKASH' }));
    channels.set('nagad', await outside('wallet', { walletKind: 'NAGAD' }));
    const open = async (wallet: Kind | 'nagad'): Promise<MerchantClient> => {
      const made = await platform.merchant({ allowInsecureCallbacks: true });
      await tenant.operate('UpdateMerchant', {
        id: made.id,
        reason: 'test',
        currencies: Object.values(IN).map((currencyCode) => ({
          currencyCode,
          depositFee: { percent: '2' },
          ...(currencyCode === IN.wallet && { walletChannelId: channels.get(wallet)?.id }),
          ...(currencyCode === IN.cashier && { cashierAmounts: { denominations: ['100'] } }),
        })),
      });
      return made;
    };
    [merchant, nagad] = [await open('wallet'), await open('nagad')];
    for (const { id, channelCode } of channels.values()) {
      const url = `http://127.0.0.1:${platform.port}/channels/${channelCode}/webhook`;
      if (id === channels.get('details')?.id) upstream.configure({ webhookUrl: url });
    }
  });
  afterAll(async () => {
    await expectWholeLedger(platform.tenant);
    await workers.stop();
    await Promise.all([upstream.close(), receiver.close()]);
    await platform.close();
    await temporal.stop();
  });

  /** The common fields of all kinds, before any payment. */
  const plain = (sender: MerchantClient, number: string, currency: string): Fields => ({
    id: ID,
    order_no: ORDER_NO,
    merchant_order_no: number,
    merchant_id: sender.id,
    account_id: null,
    requested_amount: '100.0000',
    amount: '100.0000',
    fee: '2.0000',
    actual_amount: '0.0000',
    currency_code: currency,
    expected_remark: null,
    status: 'pending',
    expire_at: TIME,
    matched_at: null,
    completed_at: null,
    created_at: TIME,
    updated_at: TIME,
    callback_url: receiver.url,
    callback_status: null,
    callback_count: 0,
    user_id: 'u1',
    order_type: 'direct',
    cashier_session_id: null,
    payer_bank_code: 'THEIRBANK',
    payer_account_last4: '3210',
    channel_id: null,
    channel_order_no: null,
    payment_url: null,
    estimated_channel_cost: null,
    estimated_profit: null,
    actual_channel_cost: null,
    actual_profit: null,
    payment_snapshot: {},
    merchant: { id: sender.id, merchant_code: sender.merchantCode, name: 'Test merchant' },
    account: null,
    channel: null,
  });
  const ofAccount = (kind: Kind, more: Fields): Fields => {
    const { id, account_no } = accounts.get(kind) ?? { id: '', account_no: '' };
    const { bank_code, bank_name, account_holder } = BANK;
    const shown = { ...BANK, account_no, amount: more['amount'] ?? '100.0000' };
    return {
      account_id: id,
      payment_snapshot: {
        ...shown,
        currency_code: IN[kind],
        ...('expected_remark' in more && { remark: more['expected_remark'] }),
      },
      account: { id, account_no, name: 'Test account', bank_code, bank_name, account_holder },
      ...more,
    };
  };
  const ofChannel = (kind: Kind | 'nagad', snapshot: Fields, more: Fields = {}): Fields => {
    const { id, channelCode } = channels.get(kind) ?? { id: '', channelCode: '' };
    return {
      channel_id: id,
      channel_order_no: expect.any(String) as unknown,
      estimated_channel_cost: '1.5000',
      estimated_profit: '0.5000',
      payment_snapshot: {
        amount: '100.0000',
        currency_code: IN[kind === 'nagad' ? 'wallet' : kind],
        ...snapshot,
      },
      channel: { id, channel_code: channelCode, channel_name: channelCode },
      ...more,
    };
  };
  const query = async (sender: MerchantClient, number: string): Promise<Fields> =>
    (await sender.signed('GET', `/query/deposit?merchant_order_no=${number}`)).body.data ?? {};
  const SENT = { user_id: 'u1', bank_code: 'THEIRBANK', account_no: '9876543210' };
  async function create(currency: string, sender = merchant) {
    const sent = depositBody({ ...SENT, currency_code: currency, callback_url: receiver.url });
    const { status, body } = await sender.signed('POST', '/orders/deposit', sent);
    expect(status).toBe(201);
    return { number: sent.merchant_order_no, data: body.data ?? {} };
  }
  /** Waits for a state, and for the end of its callback; then checks every field. */
  async function expectState(number: string, expected: Fields, sender = merchant): Promise<void> {
    await until(`${number} is ${String(expected['status'])}`, async () => {
      const { status, callback_status: callback } = await query(sender, number);
      return status === expected['status'] && callback === expected['callback_status'];
    });
    const order = await query(sender, number);
    expect(order).toEqual(expected);
    // Both queries answer the same.
    const path = `/query/deposit/${String(order['order_no'])}`;
    expect((await sender.signed('GET', path)).body.data).toEqual(order);
  }
  const MATCHED = { status: 'matched', matched_at: TIME };
  const COMPLETED = {
    status: 'completed',
    matched_at: TIME,
    completed_at: TIME,
    callback_status: 'success',
    callback_count: 1,
  };
  const RECEIVED = { actual_amount: '100.0000' };
  const CHARGED = { actual_channel_cost: '1.5000', actual_profit: '0.5000' };
  const pay = async (kind: Kind, fields: Fields): Promise<unknown> =>
    await platform.tenant.notify({
      accountId: accounts.get(kind)?.id,
      currencyCode: IN[kind],
      memo: '',
      bankReference: `B-${kind}`,
      ...fields,
    });
  const setMock = async (number: string, outcome: string): Promise<unknown> => {
    const orderNo = (await query(merchant, number))['order_no'];
    return await platform.tenant.operate('SetMockDepositOutcome', {
      orderNo,
      outcome,
      reason: 'test',
    });
  };
  const cancel = async (number: string): Promise<unknown> => {
    const orderNo = (await query(merchant, number))['order_no'];
    return await platform.tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
  };
  const expire = async (number: string): Promise<unknown> =>
    await platform.tenant.database.sql`
    select hurry_deposit(id, now()) from deposit_orders where merchant_order_no = ${number}`;
  const created = (currency: string, more: Fields): Fields => ({
    order_no: ORDER_NO,
    requested_amount: '100.0000',
    amount: '100.0000',
    currency_code: currency,
    expire_at: TIME,
    ...more,
  });

  test('to an account, by its remark', async () => {
    const { number, data } = await create(IN.remark);
    const { account_no } = accounts.get('remark') ?? {};
    expect(data).toEqual(created(IN.remark, { ...BANK, account_no, remark: REMARK }));
    const remark = data['remark'];
    const order = {
      ...plain(merchant, number, IN.remark),
      ...ofAccount('remark', { expected_remark: remark }),
    };
    await expectState(number, order);
    await pay('remark', { memo: String(remark) });
    await expectState(number, { ...order, ...COMPLETED, ...RECEIVED });

    const cancelled = await create(IN.remark);
    await cancel(cancelled.number);
    await expectState(cancelled.number, {
      ...plain(merchant, cancelled.number, IN.remark),
      ...ofAccount('remark', { expected_remark: cancelled.data['remark'] }),
      status: 'cancelled',
    });
    const late = await create(IN.remark);
    await expire(late.number);
    await expectState(late.number, {
      ...plain(merchant, late.number, IN.remark),
      ...ofAccount('remark', { expected_remark: late.data['remark'] }),
      status: 'expired',
    });
  });

  test('to an account, by its amount', async () => {
    await create(IN.float);
    const { number, data } = await create(IN.float);
    const amount = String(data['amount']);
    expect(amount).toMatch(/^100\.\d{2}00$/);
    expect(amount).not.toBe('100.0000');
    const { account_no } = accounts.get('float') ?? {};
    expect(data).toEqual(created(IN.float, { ...BANK, account_no, amount, remark: null }));
    const order = { ...plain(merchant, number, IN.float), ...ofAccount('float', { amount }) };
    await expectState(number, order);
    await pay('float', { amount });
    await expectState(number, { ...order, ...COMPLETED, actual_amount: amount });
  });

  test('to the page of a channel', async () => {
    upstream.configure({ faults: { pageRate: 1, unpaidRate: 1 } });
    const { number, data } = await create(IN.page);
    const [deposit] = upstream.deposits.all().slice(-1);
    if (!deposit) throw new Error('nothing was opened');
    const payment_url = `https://pay.example/${deposit.channelOrderNo}`;
    expect(data).toEqual(created(IN.page, { payment_url, payment_info: null }));
    const of = { channel_order_no: deposit.channelOrderNo, payment_url };
    const order = {
      ...plain(merchant, number, IN.page),
      ...ofChannel('page', { payment_url }, of),
    };
    await expectState(number, order);
    await expire(number);
    await expectState(number, { ...order, status: 'expired' });
  });

  test('to the details of a channel', async () => {
    upstream.configure({ faults: { pageRate: 0, unpaidRate: 1 } });
    const { number, data } = await create(IN.details);
    const [deposit] = upstream.deposits.all().slice(-1);
    if (!deposit) throw new Error('nothing was opened');
    const info = data['payment_info'] as Fields;
    const { bank_code, bank_name, account_no, account_holder } = info;
    expect(account_no).toBe('9876543210');
    // Only our own mock marks its output.
    expect(Object.keys(info)).not.toContain('mock');
    const mirrored = Object.fromEntries(Object.entries(textsOf(info)).filter(([name]) => name in BANK));
    expect(mirrored).toMatchObject({ bank_code, bank_name, account_holder });
    expect(data).toEqual(created(IN.details, { payment_url: null, payment_info: info, ...mirrored }));
    const order = {
      ...plain(merchant, number, IN.details),
      ...ofChannel('details', textsOf(info), { channel_order_no: deposit.channelOrderNo }),
    };
    await expectState(number, order);
    upstream.payIn(deposit);
    await expectState(number, { ...order, ...COMPLETED, ...RECEIVED, ...CHARGED });

    const failing = await create(IN.details);
    const [second] = upstream.deposits.all().slice(-1);
    if (second) upstream.move(second, 'failed', 'the payer gave up');
    await expectState(failing.number, {
      ...plain(merchant, failing.number, IN.details),
      ...ofChannel('details', textsOf(failing.data['payment_info'] as Fields)),
      status: 'failed',
    });
  });

  test('to an account that a channel reports on', async () => {
    const { number, data } = await create(IN.bound);
    const { account_no } = accounts.get('bound') ?? {};
    expect(data).toEqual(created(IN.bound, { ...BANK, account_no, remark: REMARK }));
    await until('its channel knows it', async () => {
      return (await query(merchant, number))['channel_order_no'] !== null;
    });
    const order = {
      ...plain(merchant, number, IN.bound),
      ...ofChannel('bound', {}),
      ...ofAccount('bound', { expected_remark: data['remark'] }),
    };
    await expectState(number, order);
    await setMock(number, 'MATCHED');
    await expectState(number, { ...order, ...MATCHED });
    await setMock(number, 'COMPLETED');
    await expectState(number, { ...order, ...COMPLETED, ...RECEIVED, ...CHARGED });
  });

  test('to the mock channel, with its flag', async () => {
    const { number, data } = await create(IN.mock);
    const payment_info = { mock: true, ...MOCK_BANK };
    expect(data).toEqual(created(IN.mock, { payment_url: null, payment_info, ...MOCK_BANK }));
    const order = {
      ...plain(merchant, number, IN.mock),
      ...ofChannel('mock', { ...MOCK_BANK, mock: 'true' }),
    };
    await expectState(number, order);
    await setMock(number, 'MATCHED');
    await expectState(number, { ...order, ...MATCHED });
    await setMock(number, 'COMPLETED');
    await expectState(number, { ...order, ...COMPLETED, ...RECEIVED, ...CHARGED });

    for (const end of ['failed', 'cancelled', 'expired'] as const) {
      const other = await create(IN.mock);
      if (end === 'failed') await setMock(other.number, 'FAILED');
      else await (end === 'cancelled' ? cancel : expire)(other.number);
      await expectState(other.number, {
        ...plain(merchant, other.number, IN.mock),
        ...ofChannel('mock', { ...MOCK_BANK, mock: 'true' }),
        status: end,
      });
    }
  });

  test.each(['wallet', 'nagad'] as const)('to a mobile wallet: %s', async (kind) => {
    const sender = kind === 'wallet' ? merchant : nagad;
    upstream.configure({ faults: { pageRate: 1, unpaidRate: 1 } });
    const { number, data } = await create(IN.wallet, sender);
    const [deposit] = upstream.deposits.all().slice(-1);
    const payment_url = `https://pay.example/${deposit?.channelOrderNo ?? ''}`;
    expect(data).toEqual(created(IN.wallet, { payment_url, payment_info: null }));
    const of = { channel_order_no: deposit?.channelOrderNo, payment_url };
    await expectState(number, { ...plain(sender, number, IN.wallet), ...ofChannel(kind, { payment_url }, of) }, sender);
  });

  test('through the cashier', async () => {
    const { number } = { number: 'by-the-cashier' };
    const { status, body } = await merchant.signed('POST', '/orders/deposit/cashier', {
      merchant_order_no: number,
      amount: '100',
      currency_code: IN.cashier,
      user_id: 'u1',
      callback_url: receiver.url,
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      cashier_url: expect.stringContaining(String(body.data?.['cashier_token'])) as unknown,
      cashier_token: expect.any(String) as unknown,
      session_id: ID,
      expire_at: TIME,
    });
    const { expected_remark: remark } = await query(merchant, number);
    expect(remark).toEqual(REMARK);
    const order = {
      ...plain(merchant, number, IN.cashier),
      payer_bank_code: null,
      payer_account_last4: null,
      order_type: 'cashier',
      cashier_session_id: body.data?.['session_id'],
      ...ofAccount('cashier', { expected_remark: remark }),
    };
    await expectState(number, order);
    await pay('cashier', { memo: String(remark) });
    await expectState(number, { ...order, ...COMPLETED, ...RECEIVED });
  });
});
