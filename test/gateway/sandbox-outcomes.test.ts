import { ensureChannels } from '../../local/demo-channels';
import type { OperatorClient } from '../../local/operator-client';
import { depositBody, type MerchantClient, Platform } from '../support/platform';
import { Receiver } from '../support/receiver';
import { devServer, type TestTemporal } from '../support/temporal';
import { until } from '../support/until';
import { expectWholeLedger } from '../support/whole-ledger';
import { startWorkers, type TestWorkers } from '../support/workers';

/** The promises of docs/channels.md to merchants' engineers: each amount leads to its outcome, without an operator. */
describe('a sandbox, without an operator', () => {
  let temporal: TestTemporal;
  let platform: Platform;
  let workers: TestWorkers;
  let merchant: MerchantClient;
  let receiver: Receiver;

  beforeAll(async () => {
    [temporal, platform, receiver] = await Promise.all([devServer(), Platform.open(), Receiver.listen()]);
    const { tenant } = platform;
    workers = await startWorkers(tenant, temporal);
    workers.relay.start();
    platform.openWithin(30_000);
    // Like the demo tenant, but a failure is final after one second instead of ten.
    const operator = {
      run: async (name: string, variables: Record<string, unknown>) => {
        const text = JSON.stringify(variables);
        const sooner = text.replaceAll('"failureFinalDelaySeconds":10', '"failureFinalDelaySeconds":1');
        return await tenant.operate(name, JSON.parse(sooner) as Record<string, unknown>);
      },
    } as unknown as OperatorClient;
    await ensureChannels(operator, ['THB', 'VND'], 'the demo');
    await platform.account({ currencyCode: 'THB' });
    await tenant.operate('PutBanks', {
      currencyCode: 'VND',
      reason: 'test',
      banks: [{ bankCode: 'VCB', name: 'Vietcombank' }],
    });
    merchant = await platform.merchant({ canWithdraw: true, allowInsecureCallbacks: true });
    await tenant.operate('UpdateMerchant', {
      id: merchant.id,
      reason: 'test',
      currencies: ['THB', 'VND'].map((currencyCode) => ({
        currencyCode,
        depositFee: { percent: '1.5' },
      })),
    });
  });
  afterAll(async () => {
    await expectWholeLedger(platform.tenant);
    await workers.stop();
    await platform.close();
    await receiver.close();
    await temporal.stop();
  });

  type Order = Readonly<Record<string, unknown>>;
  const deposit = async (amount: string, currency: string) => {
    const sent = depositBody({ amount, currency_code: currency, callback_url: receiver.url });
    const { status, body } = await merchant.signed('POST', '/orders/deposit', sent);
    return { number: sent.merchant_order_no, status, code: body.code };
  };
  const queried = async (kind: 'deposit' | 'withdrawal', number: string): Promise<Order> =>
    (await merchant.signed('GET', `/query/${kind}?merchant_order_no=${number}`)).body.data ?? {};
  const untilIs = async (kind: 'deposit' | 'withdrawal', number: string, state: string): Promise<Order> =>
    await until(`${number} is ${state}`, async () => {
      const order = await queried(kind, number);
      return order['status'] === state && order;
    });
  const callbacksOf = (order: Order): string[] =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as Record<string, string>)
      .filter((body) => body['order_no'] === order['order_no'])
      .map((body) => body['event'] ?? '');
  /** The time to pay is over. */
  const hurry = async (number: string): Promise<unknown> =>
    await platform.tenant.database.sql`
    select hurry_deposit(id, now()) from deposit_orders where merchant_order_no = ${number}`;

  /** The outcomes of a currency's amounts, by their last digit. */
  const OUTCOMES: Readonly<Record<number, (made: Awaited<ReturnType<typeof deposit>>) => unknown>> = {
    // PENDING, then EXPIRED.
    1: async ({ number, status }) => {
      expect(status).toBe(201);
      expect(await queried('deposit', number)).toMatchObject({ status: 'pending' });
      await hurry(number);
      await untilIs('deposit', number, 'expired');
    },
    // MATCHED, and no more.
    2: async ({ number }) => {
      const order = await untilIs('deposit', number, 'matched');
      expect(order).toMatchObject({ completed_at: null, actual_amount: '0.0000' });
      expect(callbacksOf(order)).toEqual([]);
    },
    // COMPLETED, with its callback.
    3: async ({ number }) => {
      const order = await untilIs('deposit', number, 'completed');
      expect(order['actual_amount']).toBe(order['requested_amount']);
      await until('its callback', () => Promise.resolve(callbacksOf(order).length > 0));
      expect(callbacksOf(order)).toEqual(['deposit.completed']);
    },
    // FAILED after the opening.
    4: async ({ number, status }) => {
      expect(status).toBe(201);
      await untilIs('deposit', number, 'failed');
    },
    // Refused, and FAILED for the query.
    5: async ({ number, ...answer }) => {
      expect(answer).toEqual({ status: 400, code: 'BUSINESS_ERROR' });
      expect(await queried('deposit', number)).toMatchObject({ status: 'failed' });
    },
    // No answer: PENDING, then EXPIRED.
    6: async ({ number, ...answer }) => {
      expect(answer).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' });
      expect(await queried('deposit', number)).toMatchObject({ status: 'pending' });
      await hurry(number);
      await untilIs('deposit', number, 'expired');
    },
  };

  it('ends deposits of THB and VND by their amounts', async () => {
    const all = Object.entries(OUTCOMES).flatMap(([n, check]) => [
      { n, currency: 'THB', amount: `1313.0${n}`, check },
      { n, currency: 'VND', amount: `13130${n}`, check },
    ]);
    const played: string[] = [];
    const play = async (some: typeof all): Promise<void> => {
      await Promise.all(
        some.map(async ({ currency, amount, check }) => {
          await check(await deposit(amount, currency));
          played.push(amount);
        }),
      );
    };
    await play(all.filter(({ n }) => n !== '6'));
    // Amounts that no channel answers: merchants wait no longer than necessary.
    platform.openWithin(500);
    await play(all.filter(({ n }) => n === '6'));
    platform.openWithin(30_000);
    expect(played.sort()).toEqual(all.map(({ amount }) => amount).sort());
  });

  it('routes any other amount to an account', async () => {
    const { number, status } = await deposit('1313.07', 'THB');
    expect(status).toBe(201);
    expect(await queried('deposit', number)).toMatchObject({ channel_id: null });
  });

  it('fills a balance, from which withdrawals reach each of their outcomes', async () => {
    const filled = await deposit('13130300', 'VND');
    await untilIs('deposit', filled.number, 'completed');
    const withdraw = async (amount: string): Promise<string> => {
      const { callback_url: _, ...sent } = depositBody({ amount, currency_code: 'VND' });
      const to = {
        beneficiary_name: 'Ngân',
        beneficiary_account: '1',
        beneficiary_bank_code: 'VCB',
      };
      const { status } = await merchant.signed('POST', '/orders/withdrawal', { ...sent, ...to });
      expect(status).toBe(201);
      return sent.merchant_order_no;
    };
    const [underWay, failing, paid, waiting] = await Promise.all(
      ['131301', '131304', '1000000', '1000001'].map(withdraw),
    );
    expect(await queried('withdrawal', waiting ?? '')).toMatchObject({
      status: 'pending',
      is_auto_approved: false,
    });
    await untilIs('withdrawal', paid ?? '', 'completed');
    const failed = await untilIs('withdrawal', failing ?? '', 'failed');
    expect(failed).toMatchObject({ actual_amount: '0.0000', completed_at: null });
    expect(await queried('withdrawal', underWay ?? '')).toMatchObject({
      status: 'approved',
      is_auto_approved: true,
      payout_method: 'channel',
    });
    const { data } = (await merchant.signed('GET', '/balance')).body;
    const items = data?.['items'] as { currency_code: string; frozen_balance: string }[];
    // Withdrawals under way, and those that wait for a person.
    expect(items.find(({ currency_code: code }) => code === 'VND')).toMatchObject({
      frozen_balance: '1131302.0000',
    });
  });
});
