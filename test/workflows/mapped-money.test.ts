import { Simulator } from '../../simulator/server';
import { createTestChannel, type TestChannel } from '../support/channel-tenant';
import { depositBody, type MerchantClient, Platform } from '../support/platform';
import { type Provider, PROVIDERS } from '../support/providers';
import { devServer, type TestTemporal } from '../support/temporal';
import { until } from '../support/until';
import { expectWholeLedger } from '../support/whole-ledger';
import { startWorkers, type TestWorkers } from '../support/workers';

const reason = 'test';

/**
 * Money through providers with a mapping: tried, put in force, enabled; then a deposit and a withdrawal by the
 * merchant's API, real workflows, and the provider's own protocol over HTTP, including its reports.
 */
describe('a provider mapped', () => {
  let temporal: TestTemporal;
  let platform: Platform;
  let workers: TestWorkers;

  beforeAll(async () => {
    [temporal, platform] = await Promise.all([devServer(), Platform.open()]);
    workers = await startWorkers(platform.tenant, temporal);
    workers.relay.start();
    platform.openWithin(30_000);
    for (const currencyCode of new Set(PROVIDERS.map(({ currency }) => currency))) {
      const banks = [{ bankCode: 'OURBANK', name: 'Our Bank' }];
      await platform.tenant.operate('PutBanks', { currencyCode, banks, reason });
      const rules = { autoApproveUpTo: '1000', newBeneficiary: false, decideWithinMinutes: 60 };
      await platform.tenant.operate('PutReviewRules', { currencyCode, rules, reason });
    }
  });
  afterAll(async () => {
    await expectWholeLedger(platform.tenant);
    await workers.stop();
    await platform.close();
    await temporal.stop();
  });

  async function connect(provider: Provider, baseUrl: string): Promise<TestChannel> {
    const { tenant } = platform;
    const { currency, keyId, secret, mapping } = provider;
    const channel = await createTestChannel(
      tenant,
      { kind: 'HTTP', mapped: true },
      {
        currencies: [currency],
        failureFinalDelaySeconds: 1,
        timeoutSeconds: 5,
        address: { baseUrl, keyId, secret },
        banks: [{ currencyCode: currency, bankCode: 'OURBANK', channelBankCode: '004' }],
        deposits: { currencies: [currency], beforeAccounts: true },
      },
    );
    await tenant.operate('SaveChannelMapping', { channelId: channel.id, mapping, note: 'first' });
    const { trial } = await tenant.operate<{ trial: { checks: { passed: boolean }[] } }>('TryChannelMapping', {
      channelId: channel.id,
      version: 1,
    });
    expect(trial.checks.filter(({ passed }) => !passed)).toEqual([]);
    await tenant.operate('PutChannelMapping', { channelId: channel.id, version: 1, reason });
    await tenant.operate('SetChannelEnabled', { id: channel.id, enabled: true, reason });
    return channel;
  }

  async function merchantIn(currencyCode: string): Promise<MerchantClient> {
    const { tenant } = platform;
    const merchant = await platform.merchant({ canWithdraw: true });
    await tenant.operate('UpdateMerchant', {
      id: merchant.id,
      reason,
      currencies: [{ currencyCode, depositFee: { percent: '2' } }],
    });
    return merchant;
  }

  it.each(PROVIDERS.map((provider) => [provider.name, provider] as const))(
    'by %s takes a deposit and pays a withdrawal out',
    async (_name, provider) => {
      const { tenant } = platform;
      const upstream = new Simulator({ keyId: 'unused', secret: 'unused' }, provider.style);
      const channel = await connect(provider, await upstream.listen());
      try {
        const webhooks = `http://127.0.0.1:${platform.port}/channels/${channel.channelCode}`;
        upstream.configure({
          webhookUrl: `${webhooks}/webhook`,
          // Later than the answer: only its report or a query shows it.
          faults: { settleMs: 300, cost: '1.25', forgedRate: 1, duplicateRate: 1 },
          balances: { [provider.currency]: '1000' },
        });
        const merchant = await merchantIn(provider.currency);
        const create = async (kind: 'deposit' | 'withdrawal', fields: object) => {
          const sent = { ...depositBody({ currency_code: provider.currency }), ...fields };
          const { status, body } = await merchant.signed('POST', `/orders/${kind}`, sent);
          expect(status).toBe(201);
          const orderNo = String(body.data?.['order_no']);
          const order = await until(`${orderNo} is completed`, async () => {
            const found = await merchant.signed('GET', `/query/${kind}/${orderNo}`);
            return found.body.data?.['status'] === 'completed' && found.body.data;
          });
          return { created: body.data ?? {}, order, orderNo };
        };

        const paidIn = await create('deposit', { amount: '250.00' });
        const [deposit] = upstream.deposits.all();
        expect(paidIn.created['payment_url']).toMatch(/^https:/);
        expect(paidIn.order).toMatchObject({
          actual_amount: '250.0000',
          fee: '5.0000',
          channel_id: channel.id,
          actual_channel_cost: '1.2500',
          channel_order_no: deposit?.channelOrderNo,
        });
        expect(deposit).toMatchObject({ opened: 1 });
        expect(deposit?.reference).toMatch(paidIn.orderNo);

        const paidOut = await create('withdrawal', {
          amount: '100.00',
          beneficiary_name: 'Somchai & Co',
          beneficiary_account: '123',
          beneficiary_bank_code: 'OURBANK',
        });
        const [payment] = upstream.payments.all();
        expect(paidOut.order).toMatchObject({
          actual_amount: '100.0000',
          payout_method: 'channel',
          channel_id: channel.id,
          actual_channel_cost: '1.2500',
          channel_order_no: payment?.channelOrderNo,
        });
        expect(payment).toMatchObject({ asked: 1, paid: 1 });
        expect(payment?.reference).toMatch(paidOut.orderNo);

        const { data } = (await merchant.signed('GET', '/balance')).body;
        const items = data?.['items'] as { currency_code: string; total_balance: string }[];
        expect(items.find(({ currency_code: code }) => code === provider.currency)).toMatchObject({
          total_balance: '145.0000',
          frozen_balance: '0.0000',
        });
        const [book] = await tenant.database.sql<{ sum: string }[]>`
          select trim_scale(sum(amount))::text as sum from ledger_entries
          where account = ${`channel:${channel.id}`}`;
        // What it received less what it paid and charged: an asset, so negative.
        expect(book?.sum).toBe('-147.5');
        expect(upstream.forgeriesTaken).toBe(0);
      } finally {
        await tenant.operate('SetChannelEnabled', { id: channel.id, enabled: false, reason });
        await upstream.close();
      }
    },
  );
});
