import { creditedDeposit } from '../support/deposits';
import { Tenant, type TestMerchant } from '../support/tenant';

interface Endpoint {
  readonly endpoint: string;
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
  readonly oldestWaitingAt: string | null;
  readonly merchant: { readonly id: string };
}

describe('callbacks by endpoint', () => {
  let tenant: Tenant;
  let accountId: string;
  let merchants: readonly [TestMerchant, TestMerchant];
  const since = new Date(Date.now() - 3_600_000).toISOString();

  beforeAll(async () => {
    tenant = await Tenant.create();
    accountId = await tenant.account();
    merchants = [await tenant.merchant(), await tenant.merchant()];
  });
  afterAll(async () => {
    await tenant.close();
  });

  async function callback(merchant: TestMerchant, url: string, status: string): Promise<string> {
    const { orderNo } = await creditedDeposit(tenant, merchant, accountId, { callbackUrl: url });
    await tenant.database.sql`
      update notification_logs set status = ${status}, attempt_count = 5,
        next_attempt_at = ${status === 'WAITING_RETRY' ? tenant.now() : null}
      where order_no = ${orderNo}`;
    return orderNo;
  }

  it('are counted, and those that failed are sent again as one act', async () => {
    const [one, two] = merchants;
    const a = 'https://a.example';
    const failed = [
      await callback(one, `${a}/x`, 'FAILED'),
      await callback(one, `${a}/y?z`, 'FAILED'),
      await callback(one, 'https://b.example/x', 'FAILED'),
      await callback(two, `${a}/x`, 'FAILED'),
    ];
    await callback(one, `${a}/x`, 'SUCCESS');
    await callback(one, `${a}/x`, 'WAITING_RETRY');
    const endpoints = async (variables = {}): Promise<Endpoint[]> =>
      await tenant.operate<Endpoint[]>('CallbackEndpoints', { since, ...variables });
    const [most, ...others] = await endpoints();
    expect(most).toMatchObject({
      ...{ endpoint: a, delivered: 1, failed: 2, waiting: 1, merchant: { id: one.id } },
      oldestWaitingAt: expect.anything() as unknown,
    });
    expect(others).toHaveLength(2);
    expect(await endpoints({ merchantId: two.id })).toMatchObject([
      { endpoint: a, failed: 1, waiting: 0, oldestWaitingAt: null },
    ]);

    const resend = async (variables: object): Promise<unknown> =>
      await tenant.operate('ResendFailedCallbacks', { since, reason: 'they asked', ...variables });
    expect(await resend({ merchantId: one.id, endpoint: a })).toEqual({ resent: 2, more: false });
    const armed = await tenant.database.sql<{ orderNo: string; generation: number }[]>`
      select order_no, generation from notification_logs
      where generation = 2 and status = 'WAITING_RETRY' and attempt_count = 0 order by id`;
    expect(armed.map(({ orderNo }) => orderNo)).toEqual(failed.slice(0, 2));
    expect(await resend({})).toEqual({ resent: 2, more: false });
    expect(await resend({})).toEqual({ resent: 0, more: false });
    const [{ acts } = { acts: 0 }] = await tenant.database.sql<{ acts: number }[]>`
      select count(*)::integer as acts from audit_log where action = 'resendFailedCallbacks'`;
    expect(acts).toBe(3);
    const late = new Date(Date.now() - 40 * 86_400_000).toISOString();
    await expect(endpoints({ since: late })).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
  });

  it('never say of a failed one that nothing is left to do', async () => {
    const orderNo = await callback(merchants[0], 'https://c.example/', 'FAILED');
    const { callbacks } = await tenant.operate<{
      callbacks: { workflow: { waitsFor: string | null } }[];
    }>('Deposit', { orderNo });
    expect(callbacks).toMatchObject([
      { workflow: { waitsFor: 'an operator to resend it: its delivery failed' } },
    ]);
  });
});
