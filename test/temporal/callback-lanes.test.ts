import { randomBytes } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { KeyRing, platformKey } from '../../crypto/key-ring';
import { sealExtraData } from '../../crypto/personal';
import { createSealer, type Sealer } from '../../crypto/seal';
import type { CallbackAnswer } from '../../domain/callback-verdict';
import { createCallbackActivities } from '../../temporal/activities/callbacks';
import type { CallbackSender } from '../../temporal/http/callback-sender';
import { creditedDeposit } from '../support/deposits';
import { quietActivities } from '../support/quiet-activities';
import { Tenant, type TestMerchant } from '../support/tenant';
import { until } from '../support/until';

const nothing = (): void => undefined;

/** Few slots, so that one merchant alone has four. */
const SLOTS = 40;

describe('attempts at callbacks', () => {
  let tenant: Tenant;
  let accountId: string;
  const underWay: ((answer: CallbackAnswer) => void)[] = [];
  const sender: CallbackSender = {
    post: async ({ connectMs }) => {
      expect(connectMs).toBe(4_000);
      return await new Promise((answer) => underWay.push(answer));
    },
    close: nothing,
  };

  beforeAll(async () => {
    tenant = await Tenant.create();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const standing = async (id: string): Promise<unknown> =>
    (
      await tenant.database.sql`
        select status, attempt_count, next_attempt_at <= now() as is_due
        from notification_logs where id = ${id}`
    )[0];

  async function callbackOf(merchant: TestMerchant, host: string): Promise<string> {
    const { orderNo } = await creditedDeposit(tenant, merchant, accountId, {
      callbackUrl: `https://${host}/callback`,
    });
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from notification_logs where order_no = ${orderNo}`;
    return row?.id ?? '';
  }

  it('take few slots, and one that finds none is neither claimed nor counted, and retries', async () => {
    const { database, sealer } = tenant;
    const callbacks = createCallbackActivities({
      database,
      sealer,
      sender,
      environment: 'sandbox',
      callbackSlots: SLOTS,
      stopping: AbortSignal.any([]),
      clock: () => Promise.resolve(new Date()),
    });
    const attempt = async (id: string): Promise<unknown> =>
      await quietActivities()
        .run(async () => await callbacks.attemptCallback(id))
        .catch((error: unknown) => error);

    const [dead, good] = [await tenant.merchant(), await tenant.merchant()];
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(await callbackOf(dead, 'dead.example'));
    const inside = ids.slice(0, 4).map(attempt);
    await until('four attempts to be under way', () => underWay.length === 4);

    for (const id of ids.slice(4)) {
      const failure = await attempt(id);
      if (!(failure instanceof ApplicationFailure)) throw new Error('it should wait');
      expect(failure).toMatchObject({ type: 'LaneFull', nonRetryable: false, category: 'BENIGN' });
      expect(failure.nextRetryDelay).toBeGreaterThanOrEqual(1_000);
      expect(failure.nextRetryDelay).toBeLessThanOrEqual(60_000);
      expect(await standing(id)).toEqual({
        status: 'WAITING_RETRY',
        attemptCount: 0,
        isDue: true,
      });
    }

    const other = attempt(await callbackOf(good, 'good.example'));
    await until('the attempt at the other server', () => underWay.length === 5);
    for (const answer of underWay.splice(0)) answer({ kind: 'answered', status: 200, body: '', durationMs: 1 });
    await expect(Promise.all([...inside, other])).resolves.toEqual(Array(5).fill('SUCCESS'));

    const back = attempt(ids[4] ?? '');
    await until('the one that came back', () => underWay.length === 1);
    underWay.pop()?.({ kind: 'answered', status: 200, body: '', durationMs: 1 });
    await expect(back).resolves.toBe('SUCCESS');
    expect(await standing(ids[4] ?? '')).toMatchObject({ status: 'SUCCESS', attemptCount: 1 });
  });

  it.each([
    ['sandbox', { verifyTls: false, allowInsecure: true }],
    ['production', { verifyTls: true, allowInsecure: false }],
  ] as const)('follow in %s its merchant’s settings', async (environment, obeyed) => {
    const { database, sealer } = tenant;
    const merchant = await tenant.merchant();
    // Like a row that was copied from a sandbox.
    await database.sql`
      update merchants set webhook_ssl_verify = false, allow_insecure_callbacks = true
      where id = ${merchant.id}`;
    const policies: unknown[] = [];
    const noting: CallbackSender = {
      post: ({ policy }) => {
        policies.push(policy);
        return Promise.resolve({ kind: 'answered', status: 200, body: '', durationMs: 1 });
      },
      close: nothing,
    };
    const callbacks = createCallbackActivities({
      database,
      sealer,
      sender: noting,
      environment,
      callbackSlots: SLOTS,
      stopping: AbortSignal.any([]),
      clock: () => Promise.resolve(new Date()),
    });
    const id = await callbackOf(merchant, `${environment}.example`);
    await quietActivities().run(async () => await callbacks.attemptCallback(id));
    expect(policies).toMatchObject([obeyed]);
  });

  it('send what was sealed in clear, and without its key neither send nor count', async () => {
    const { database, sealer } = tenant;
    const sent: string[] = [];
    const noting: CallbackSender = {
      post: ({ body }) => {
        sent.push(body);
        return Promise.resolve({ kind: 'answered', status: 200, body: '', durationMs: 1 });
      },
      close: nothing,
    };
    const callbacks = createCallbackActivities({
      database,
      sealer,
      sender: noting,
      environment: 'sandbox',
      callbackSlots: SLOTS,
      stopping: AbortSignal.any([]),
      clock: () => Promise.resolve(new Date()),
    });
    const merchant = await tenant.merchant();
    const id = await callbackOf(merchant, 'sealed.example');
    const order = { merchantId: merchant.id, merchantOrderNo: 'n1', extraData: 'for "Ann"\u2028' };
    const bodyOf = (extraData: string | null): string =>
      JSON.stringify({ merchant_order_no: 'n1', currency: 'THB', extra_data: extraData });
    const keep = async (by: Sealer): Promise<void> => {
      const body = bodyOf(sealExtraData(by, order));
      expect(body).not.toContain('Ann');
      await database.sql`update notification_logs set request_body = ${body} where id = ${id}`;
    };
    const attempt = async (): Promise<unknown> =>
      await quietActivities().run(async () => await callbacks.attemptCallback(id));

    await keep(createSealer(new KeyRing([platformKey(randomBytes(32))])));
    await expect(attempt()).rejects.toThrow('does not open');
    expect(sent).toEqual([]);
    expect(await standing(id)).toMatchObject({ status: 'WAITING_RETRY', attemptCount: 0 });

    await keep(sealer);
    await expect(attempt()).resolves.toBe('SUCCESS');
    expect(sent).toEqual([bodyOf(order.extraData)]);
  });
});
