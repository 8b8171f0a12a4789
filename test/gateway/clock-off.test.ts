import { randomUUID } from 'node:crypto';
import { type Agent, depositBody, type MerchantClient, Platform } from '../support/platform';

describe("a gateway whose machine's clock is off", () => {
  let platform: Platform;
  let merchant: MerchantClient;
  let agent: Agent;
  let accountId: string;
  let isOff = false;

  beforeAll(async () => {
    platform = await Platform.open({ deps: { isClockOff: () => isOff } });
    accountId = await platform.account();
    merchant = await platform.merchant();
    agent = await platform.agent([accountId]);
  });
  afterAll(async () => {
    await platform.close();
  });

  it.each([
    [false, 0, 201],
    [false, 600, 401],
    [true, 0, 503],
    [true, 600, 503],
  ])('off: %s. A timestamp that is %i s ahead of it gets %i', async (off, ahead, status) => {
    isOff = off;
    const timestamp = platform.timestamp(ahead);
    const created = await merchant.signed('POST', '/orders/deposit', depositBody(), { timestamp });
    expect(created.status).toBe(status);
    const notice = {
      account_id: accountId,
      amount: '1.01',
      currency_code: 'USD',
      memo: 'of nobody',
      bank_time: '2026-01-02T09:04:05Z',
      bank_reference: randomUUID(),
    };
    const reported = await platform.notify(agent, notice, { timestamp });
    expect(reported.status).toBe(status);
  });
});
