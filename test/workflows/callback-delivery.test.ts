import { workflowId } from '../../domain/ids';
import { itInFull } from '../support/in-full';
import { answering, type Behaviour, Receiver } from '../support/receiver';
import { expectSeconds, stopwatch, type TestTemporal, timeSkipping } from '../support/temporal';
import { Tenant, type TestMerchant } from '../support/tenant';
import { until } from '../support/until';
import { startWorkers, type TestWorkers } from '../support/workers';

interface LogRow {
  id: string;
  status: string;
  attemptCount: number;
  totalAttempts: number;
  generation: number;
  lastError: string | null;
}

/** On the time-skipping server, with a real receiver. */
describe('the callback delivery workflow', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let accountId: string;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([timeSkipping(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    await readClock();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await workers.stop();
    await Promise.all(
      receivers.map(async (receiver) => {
        await receiver.close();
      }),
    );
    await tenant.close();
    await temporal.stop();
  });

  async function readClock(): Promise<Date> {
    const now = await temporal.clock();
    tenant.now = () => now;
    return now;
  }

  async function listen(behaviour: Behaviour): Promise<Receiver> {
    const receiver = await Receiver.listen(behaviour);
    receivers.push(receiver);
    return receiver;
  }

  /** A credited deposit whose callback is due. */
  async function completed(merchant: TestMerchant, callbackUrl: string): Promise<string> {
    await readClock();
    const { orderNo, expectedRemark } = await tenant.deposit(merchant, { callbackUrl });
    await tenant.notify({ accountId, memo: expectedRemark });
    await workers.relay.once();
    await temporal.env.client.workflow.getHandle(workflowId('deposit', orderNo)).result();
    return orderNo;
  }

  /** Runs the delivery to its end, skipping the waits. */
  async function delivered(orderNo: string): Promise<unknown> {
    await workers.relay.once();
    const id = workflowId('callback', `${orderNo}:deposit_completed`);
    return await temporal.env.client.workflow.getHandle(id).result();
  }

  async function row(orderNo: string): Promise<LogRow> {
    const [log] = await tenant.database.sql<LogRow[]>`
      select * from notification_logs where order_no = ${orderNo}`;
    if (!log) throw new Error('no callback');
    return log;
  }

  /** Expects each attempt this many seconds after the first, plus the time that the machine itself took. */
  async function expectAttemptsAt(orderNo: string, times: readonly number[], taken: number): Promise<void> {
    const attempts = await tenant.database.sql<{ startedAt: Date }[]>`
      select a.started_at from callback_attempts a
      join notification_logs n on n.id = a.notification_id
      where n.order_no = ${orderNo} order by a.generation, a.attempt`;
    expect(attempts).toHaveLength(times.length);
    const first = attempts[0]?.startedAt.getTime() ?? 0;
    for (const [n, { startedAt }] of attempts.entries())
      expectSeconds((startedAt.getTime() - first) / 1000, times[n] ?? 0, taken);
  }

  async function resend(orderNo: string): Promise<void> {
    await readClock();
    await tenant.operate('ResendCallback', { id: (await row(orderNo)).id, reason: 'they asked' });
  }

  /** A rotation whose overlap outlasts the test: the server skips years whenever nothing is due. */
  async function rotatedForLong(merchant: TestMerchant): Promise<string> {
    const { apiKey } = await tenant.operate<{ apiKey: string }>('RotateApiKey', {
      merchantId: merchant.id,
      overlapSeconds: 86_400,
      reason: 'rotation',
    });
    await tenant.database.sql`
      update api_keys set retires_at = retires_at + interval '900 years'
      where merchant_id = ${merchant.id} and retires_at is not null`;
    return apiKey;
  }

  it('attempts at exactly 0, 30, 60, 90 and 120 s when each fails at once, then gives up', async () => {
    const receiver = await listen(answering(503));
    const orderNo = await completed(await tenant.merchant(), receiver.url);
    const taken = stopwatch();
    await expect(delivered(orderNo)).resolves.toBe('FAILED');
    await expectAttemptsAt(orderNo, [0, 30, 60, 90, 120], taken());
    expect(receiver.received).toHaveLength(5);
    expect(await row(orderNo)).toMatchObject({ status: 'FAILED', attemptCount: 5 });
  });

  itInFull('attempts again 30 s after a hanging one ends, by the current timeout: 10 s, then 1 s', async () => {
    const merchant = await tenant.merchant();
    // The default is waited for once: these seconds are real.
    const shorten = async (): Promise<unknown> =>
      await tenant.operate('UpdateMerchant', {
        id: merchant.id,
        reason: 'test',
        settings: { callbackTimeoutSeconds: 1 },
      });
    let shortened: Promise<unknown> | undefined;
    const receiver = await listen(() => {
      shortened ??= shorten();
    });
    const orderNo = await completed(merchant, receiver.url);
    const taken = stopwatch();
    await expect(delivered(orderNo)).resolves.toBe('FAILED');
    await shortened;
    await expectAttemptsAt(orderNo, [0, 40, 71, 102, 133], taken() - 14);
    expect(receiver.received).toHaveLength(5);
    expect((await row(orderNo)).lastError).toMatch(/^timeout/);
  });

  it('sends the same bytes and signature at each attempt, with a fresh timestamp', async () => {
    const receiver = await listen((response, n) => {
      answering(n < 4 ? 500 : 204)(response, n);
    });
    const merchant = await tenant.merchant();
    const orderNo = await completed(merchant, receiver.url);
    const taken = stopwatch();
    await expect(delivered(orderNo)).resolves.toBe('SUCCESS');
    const sent = receiver.received;
    expect(sent).toHaveLength(5);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers['x-signature'])).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers['x-api-key']))).toEqual(new Set([merchant.apiKey]));
    const stamps = sent.map(({ headers }) => Number(headers['x-timestamp']));
    const apart = stamps.slice(1).map((stamp, i) => stamp - (stamps[i] ?? 0));
    // Whole seconds: an interval of 30 s may print as 31.
    for (const seconds of apart) expectSeconds(seconds, 30, 1 + taken());
  });

  it('raises an alert for a host that the merchant’s callbacks never used before', async () => {
    const receiver = await listen(answering(200));
    const merchant = await tenant.merchant();
    const elsewhere = receiver.url.replace('127.0.0.1', 'localhost');
    const hosts = async (): Promise<unknown[]> => {
      const rows = await tenant.database.sql<{ host: string; orderNo: string }[]>`
        select about ->> 'host' as host, about ->> 'orderNo' as order_no from alerts
        where kind = 'NEW_CALLBACK_HOST' and merchant_id = ${merchant.id}`;
      return rows.map(({ host, orderNo }) => [host, orderNo]);
    };
    await delivered(await completed(merchant, receiver.url));
    expect(await hosts()).toEqual([]);
    const other = await completed(merchant, elsewhere);
    await delivered(other);
    expect(await hosts()).toEqual([['localhost', other]]);
    await delivered(await completed(merchant, elsewhere));
    expect(await hosts()).toEqual([['localhost', other]]);
  });

  describe('with an allowlist of hosts', () => {
    const localhost = ({ url }: Receiver): string => url.replace('127.0.0.1', 'localhost');
    const allow = async ({ id }: TestMerchant, ...callbackHosts: string[]): Promise<void> => {
      await tenant.operate('UpdateMerchant', { id, settings: { callbackHosts }, reason: 'test' });
    };

    it('sends nothing to a host outside the list; a resend after the host was added succeeds', async () => {
      const receiver = await listen(answering(200));
      const merchant = await tenant.merchant({ callbackHosts: ['pay.example.com'] });
      const orderNo = await completed(merchant, localhost(receiver));
      await expect(delivered(orderNo)).resolves.toBe('FAILED');
      expect(receiver.received).toEqual([]);
      expect(await row(orderNo)).toMatchObject({
        status: 'FAILED',
        attemptCount: 1,
        lastError: expect.stringContaining('host_not_allowed') as string,
      });

      await allow(merchant, 'pay.example.com', 'localhost');
      await resend(orderNo);
      await expect(delivered(orderNo)).resolves.toBe('SUCCESS');
      expect(receiver.received).toHaveLength(1);
    });

    it('stops at the next attempt after the host was removed', async () => {
      const merchant = await tenant.merchant({ callbackHosts: ['localhost'] });
      const receiver = await listen((response, n) => {
        void allow(merchant, 'pay.example.com').finally(() => {
          answering(500)(response, n);
        });
      });
      const orderNo = await completed(merchant, localhost(receiver));
      await expect(delivered(orderNo)).resolves.toBe('FAILED');
      expect(receiver.received).toHaveLength(1);
      expect((await row(orderNo)).attemptCount).toBe(2);
    });
  });

  it.each([400, 401, 404, 410, 429, 301, 302, 307])('ends at once on %i', async (status) => {
    const receiver = await listen(answering(status));
    const orderNo = await completed(await tenant.merchant(), receiver.url);
    await expect(delivered(orderNo)).resolves.toBe('FAILED');
    expect(receiver.received).toHaveLength(1);
    expect(await row(orderNo)).toMatchObject({ status: 'FAILED', attemptCount: 1 });
  });

  it.each([200, 201, 204, 299])('succeeds on %i', async (status) => {
    const receiver = await listen(answering(status));
    const orderNo = await completed(await tenant.merchant(), receiver.url);
    await expect(delivered(orderNo)).resolves.toBe('SUCCESS');
    expect(receiver.received).toHaveLength(1);
  });

  it('keeps the first attempt’s key when the merchant gets a new one', async () => {
    const receiver = await listen((response, n) => {
      answering(n < 2 ? 500 : 200)(response, n);
    });
    const merchant = await tenant.merchant();
    const orderNo = await completed(merchant, receiver.url);
    await workers.relay.once();
    await until('the first attempt', () => receiver.received.length > 0);
    await readClock();
    await tenant.operate('RotateApiKey', {
      merchantId: merchant.id,
      overlapSeconds: 0,
      reason: 'rotation',
    });
    await expect(delivered(orderNo)).resolves.toBe('SUCCESS');
    expect(receiver.received.map(({ headers }) => headers['x-api-key'])).toEqual(Array(3).fill(merchant.apiKey));
  });

  it('reaches a server that checks with one key, and changes keys during the overlap', async () => {
    const merchant = await tenant.merchant();
    let own = merchant.apiKey;
    const receiver = await listen((response, n) => {
      answering(receiver.received[n]?.headers['x-api-key'] === own ? 200 : 401)(response, n);
    });
    await readClock();
    const apiKey = await rotatedForLong(merchant);
    const statuses: unknown[] = [];
    for (own of [merchant.apiKey, merchant.apiKey, apiKey, apiKey]) {
      const signedBy = { ...merchant, actor: await tenant.actorOf(own) };
      statuses.push(await delivered(await completed(signedBy, receiver.url)));
    }
    expect(statuses).toEqual(Array(4).fill('SUCCESS'));
    expect(receiver.received.map(({ headers }) => headers['x-api-key'])).toEqual([
      ...[merchant.apiKey, merchant.apiKey, apiKey, apiKey],
    ]);
  });

  it('is sent with the other key at once when a server that has changed keys refuses its signature', async () => {
    const merchant = await tenant.merchant();
    let own = merchant.apiKey;
    let failures = 0;
    const receiver = await listen((response, n) => {
      const known = receiver.received[n]?.headers['x-api-key'] === own;
      answering(known ? (failures-- > 0 ? 503 : 200) : 401)(response, n);
    });
    await readClock();
    const apiKey = await rotatedForLong(merchant);
    const keysOf = (from: number) => receiver.received.slice(from).map(({ headers }) => headers['x-api-key']);
    // The server has changed, and no create with the new key has come.
    own = apiKey;
    const first = await completed(merchant, receiver.url);
    await expect(delivered(first)).resolves.toBe('SUCCESS');
    expect(keysOf(0)).toEqual([merchant.apiKey, apiKey]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await row(first)).toMatchObject({ attemptCount: 1, totalAttempts: 1 });
    // Neither key is known: the answer is final.
    own = 'another';
    await expect(delivered(await completed(merchant, receiver.url))).resolves.toBe('FAILED');
    expect(keysOf(2)).toEqual([merchant.apiKey, apiKey]);
    // A create with the new key has come, and the server still checks with the old one; its attempts keep that.
    own = merchant.apiKey;
    failures = 1;
    const signedBy = { ...merchant, actor: await tenant.actorOf(apiKey) };
    const last = await completed(signedBy, receiver.url);
    await expect(delivered(last)).resolves.toBe('SUCCESS');
    expect(keysOf(4)).toEqual([apiKey, merchant.apiKey, merchant.apiKey]);
    expect(await row(last)).toMatchObject({ attemptCount: 2, totalAttempts: 2 });
  });

  it('is final with 401 where two keys live and neither retires', async () => {
    const merchant = await tenant.merchant();
    const receiver = await listen(answering(401));
    await readClock();
    await tenant.operate('IssueApiKey', { merchantId: merchant.id, reason: 'a second server' });
    const orderNo = await completed(merchant, receiver.url);
    await expect(delivered(orderNo)).resolves.toBe('FAILED');
    expect(receiver.received).toHaveLength(1);
  });

  it('is final with 401 when the key that signed it was ended at once: its successor is not shown', async () => {
    const merchant = await tenant.merchant();
    const receiver = await listen((response, n) => {
      answering(n === 0 ? 503 : 401)(response, n);
    });
    const orderNo = await completed(merchant, receiver.url);
    await workers.relay.once();
    await until('the first attempt', () => receiver.received.length > 0);
    await readClock();
    await tenant.operate('RotateApiKey', {
      merchantId: merchant.id,
      overlapSeconds: 0,
      reason: 'it was stolen',
    });
    await expect(delivered(orderNo)).resolves.toBe('FAILED');
    expect(receiver.received.map(({ headers }) => headers['x-api-key'])).toEqual(Array(2).fill(merchant.apiKey));
  });

  it('is resent by an operator: same row, same bytes, five new attempts', async () => {
    let healthy = false;
    const receiver = await listen((response, n) => {
      answering(healthy ? 200 : 500)(response, n);
    });
    const orderNo = await completed(await tenant.merchant(), receiver.url);
    await expect(delivered(orderNo)).resolves.toBe('FAILED');
    await resend(orderNo);
    await expect(delivered(orderNo)).resolves.toBe('FAILED');
    healthy = true;
    await resend(orderNo);
    await expect(delivered(orderNo)).resolves.toBe('SUCCESS');
    expect(receiver.received).toHaveLength(11);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-signature'])).size).toBe(1);
    expect(await row(orderNo)).toMatchObject({ attemptCount: 1, totalAttempts: 11, generation: 3 });
  });

  it('is signed again after a resend only if its key has retired', async () => {
    const receiver = await listen(answering(400));
    const merchant = await tenant.merchant();
    const orderNo = await completed(merchant, receiver.url);
    await delivered(orderNo);
    await readClock();
    const { apiKey } = await tenant.operate<{ apiKey: string }>('RotateApiKey', {
      merchantId: merchant.id,
      overlapSeconds: 300,
      reason: 'rotation',
    });
    await resend(orderNo);
    await delivered(orderNo);
    await temporal.env.sleep('301s');
    await resend(orderNo);
    await delivered(orderNo);
    expect(receiver.received.map(({ headers }) => headers['x-api-key'])).toEqual([
      merchant.apiKey,
      merchant.apiKey,
      apiKey,
    ]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it('waits while no key can sign it, without an attempt; the next key wakes it', async () => {
    const receiver = await listen(answering(200));
    const merchant = await tenant.merchant();
    const orderNo = await completed(merchant, receiver.url);
    const { apiKeys } = await tenant.operate<{ apiKeys: { id: string }[] }>('Merchant', {
      id: merchant.id,
    });
    await tenant.operate('RevokeApiKey', { id: apiKeys[0]?.id, reason: 'leaked' });
    await expect(delivered(orderNo)).resolves.toBe('WAITING_RETRY');
    expect(receiver.received).toHaveLength(0);
    expect(await row(orderNo)).toMatchObject({
      status: 'WAITING_RETRY',
      attemptCount: 0,
      totalAttempts: 0,
      generation: 1,
      lastError: 'no live api key to sign with',
    });

    await readClock();
    const issue = { merchantId: merchant.id, reason: 'a new one' };
    const { apiKey } = await tenant.operate<{ apiKey: string }>('IssueApiKey', issue);
    await expect(delivered(orderNo)).resolves.toBe('SUCCESS');
    expect(receiver.received.map(({ headers }) => headers['x-api-key'])).toEqual([apiKey]);
    expect(await row(orderNo)).toMatchObject({ status: 'SUCCESS', totalAttempts: 1 });
  });

  it('counts an attempt whose worker died, and continues', async () => {
    const receiver = await listen(answering(200));
    const orderNo = await completed(await tenant.merchant(), receiver.url);
    const now = await readClock();
    // The row after a crash between claim and answer.
    await tenant.database.sql`
      update notification_logs set status = 'SENDING', attempt_count = 1, total_attempts = 1,
        next_attempt_at = null, lease_until = ${new Date(now.getTime() + 20_000)}
      where order_no = ${orderNo}`;
    await expect(delivered(orderNo)).resolves.toBe('SUCCESS');
    expect(await row(orderNo)).toMatchObject({ attemptCount: 2, totalAttempts: 2 });
    expect(receiver.received).toHaveLength(1);
  });

  it('ends FAILED when the fifth attempt was interrupted', async () => {
    const receiver = await listen(answering(200));
    const orderNo = await completed(await tenant.merchant(), receiver.url);
    const now = await readClock();
    await tenant.database.sql`
      update notification_logs set status = 'SENDING', attempt_count = 5, total_attempts = 5,
        next_attempt_at = null, lease_until = ${new Date(now.getTime() + 20_000)}
      where order_no = ${orderNo}`;
    await expect(delivered(orderNo)).resolves.toBe('FAILED');
    expect(receiver.received).toHaveLength(0);
  });

  it('makes no extra attempt when woken between attempts', async () => {
    const receiver = await listen((response, n) => {
      answering(n === 0 ? 500 : 200)(response, n);
    });
    const orderNo = await completed(await tenant.merchant(), receiver.url);
    const taken = stopwatch();
    await workers.relay.once();
    await until(
      'the first attempt to fail',
      async () => receiver.received.length > 0 && (await row(orderNo)).status === 'WAITING_RETRY',
    );
    // As the sweeps do for a callback that looks lost.
    for (let i = 0; i < 3; i++) {
      await tenant.database.sql`
        select wake_callback(n, ${await readClock()}) from notification_logs n where order_no = ${orderNo}`;
      await workers.relay.once();
    }
    expect(receiver.received).toHaveLength(1);
    await expect(delivered(orderNo)).resolves.toBe('SUCCESS');
    await expectAttemptsAt(orderNo, [0, 30], taken());
    expect(receiver.received).toHaveLength(2);
  });

  it('refuses a resend during an attempt', async () => {
    let answer: () => void = () => undefined;
    const receiver = await listen((response, n) => {
      answer = () => {
        answering(400)(response, n);
      };
    });
    const merchant = await tenant.merchant({ callbackTimeoutSeconds: 60 });
    const orderNo = await completed(merchant, receiver.url);
    await workers.relay.once();
    await until('the attempt', () => receiver.received.length > 0);
    await expect(resend(orderNo)).rejects.toThrow('an attempt is under way');
    answer();
    await expect(delivered(orderNo)).resolves.toBe('FAILED');
    expect(receiver.received).toHaveLength(1);
  });
});
