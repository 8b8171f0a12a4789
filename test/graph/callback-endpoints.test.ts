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

  it('are counted, and the failed ones are resent together', async () => {
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
      endpoint: a,
      delivered: 1,
      failed: 2,
      waiting: 1,
      merchant: { id: one.id },
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

  interface Resent {
    readonly id: string;
    readonly callback: { readonly status: string; readonly attemptCount: number } | null;
    readonly code: string | null;
  }
  const idOf = async (orderNo: string): Promise<string> => {
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from notification_logs where order_no = ${orderNo}`;
    return row?.id ?? '';
  };
  const actsOf = async (action: string): Promise<string[]> =>
    (
      await tenant.database.sql<{ subject: string }[]>`
        select subject from audit_log where action = ${action} order by seq`
    ).map(({ subject }) => subject);

  it('are resent together, each with a result and an audit row, once for a key', async () => {
    const [one, two] = merchants;
    const failed = await idOf(await callback(one, 'https://d.example/', 'FAILED'));
    const delivered = await idOf(await callback(two, 'https://d.example/', 'SUCCESS'));
    const busy = await idOf(await callback(one, 'https://d.example/', 'FAILED'));
    // An attempt is under way.
    await tenant.database.sql`
      update notification_logs set status = 'SENDING', lease_until = ${new Date(Date.now() + 60_000)},
        next_attempt_at = null where id = ${busy}`;
    const unknown = '00000000-0000-7000-8000-000000000000';
    const ids = [failed, busy, unknown, delivered];
    const before = await actsOf('resendCallbacks');
    const variables = { ids, reason: 'they asked', idempotencyKey: 'a key' };
    const results = await tenant.operate<Resent[]>('ResendCallbacks', variables);
    expect(results).toMatchObject([
      { id: failed, callback: { status: 'WAITING_RETRY', attemptCount: 0 }, code: null },
      { id: busy, callback: null, code: 'BUSINESS_ERROR' },
      { id: unknown, callback: null, code: 'NOT_FOUND' },
      { id: delivered, callback: { status: 'WAITING_RETRY', attemptCount: 0 }, code: null },
    ]);
    const acts = (await actsOf('resendCallbacks')).slice(before.length);
    expect(acts.sort()).toEqual([`callback:${failed}`, `callback:${delivered}`].sort());
    // A repeat of the request changes nothing more.
    await tenant.operate('ResendCallbacks', variables);
    const generations = await tenant.database.sql<{ generation: number }[]>`
      select generation from notification_logs where id in (${failed}, ${delivered})`;
    expect(generations.map(({ generation }) => generation)).toEqual([2, 2]);
    const [repeat] = await tenant.list<Record<string, unknown>>('AuditLog', {
      filter: { action: ['resendCallbacks'] },
    });
    expect(repeat).toMatchObject({ subject: null, reason: 'they asked', after: { ids } });

    const refused = { kind: 'INVALID_FIELD' };
    for (const wrong of [[], Array.from({ length: 101 }, (_, n) => `${unknown.slice(0, -3)}${100 + n}`)])
      await expect(tenant.operate('ResendCallbacks', { ids: wrong, reason: 'they asked' })).rejects.toMatchObject(
        refused,
      );
  });

  it('are visible for the operator’s merchants only', async () => {
    const [one, two] = merchants;
    const person = await tenant.person('bob-of-one', ['support']);
    const bob = { ...person, operator: { ...person.operator, merchantIds: [one.id] } };
    const [own, other] = [
      await idOf(await callback(one, 'https://e.example/', 'FAILED')),
      await idOf(await callback(two, 'https://e.example/', 'FAILED')),
    ];
    const reason = 'they asked';
    expect(await tenant.operate('ResendCallbacks', { ids: [own, other], reason }, bob)).toMatchObject([
      { id: own, code: null },
      { id: other, callback: null, code: 'NOT_FOUND' },
    ]);
    const asked = { since, endpoint: 'https://e.example', reason };
    expect(await tenant.operate('ResendFailedCallbacks', asked, bob)).toMatchObject({ resent: 0 });
    expect(await tenant.operate('ResendFailedCallbacks', asked)).toMatchObject({ resent: 1 });
  });

  it('are found by the host of their address, with any port, path and letter case', async () => {
    const [one] = merchants;
    const sent = [
      await callback(one, 'https://host.example/a', 'SUCCESS'),
      await callback(one, 'https://host.example:8443/b?c', 'SUCCESS'),
      await callback(one, 'http://host.example', 'SUCCESS'),
    ];
    for (const url of [
      'https://www.host.example/',
      'https://host.example.org/',
      'https://nothost.example/',
      'https://x.example/?to=host.example',
      'https://x.example/host.example',
    ])
      await callback(one, url, 'SUCCESS');
    const found = async (host: readonly string[]): Promise<string[]> =>
      (
        await tenant.list<{ orderNo: string }>('Callbacks', {
          filter: { merchantId: [one.id], host },
        })
      ).map(({ orderNo }) => orderNo);
    expect((await found(['host.example'])).sort()).toEqual([...sent].sort());
    expect((await found(['HOST.example'])).sort()).toEqual([...sent].sort());
    expect(await found(['www.host.example', 'nothost.example'])).toHaveLength(2);
    expect(await found(['host%'])).toEqual([]);
    expect(await found([])).toEqual([]);
  });

  it('are never reported as done when they failed', async () => {
    const orderNo = await callback(merchants[0], 'https://c.example/', 'FAILED');
    const { callbacks } = await tenant.operate<{
      callbacks: { workflow: { waitsFor: string | null } }[];
    }>('Deposit', { orderNo });
    expect(callbacks).toMatchObject([{ workflow: { waitsFor: 'an operator to resend it: its delivery failed' } }]);
  });
});
