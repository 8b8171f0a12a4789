import { ApplicationFailure } from '@temporalio/common';
import { createCallbackActivities } from '../../temporal/activities/callbacks';
import type { CallbackSender } from '../../temporal/http/callback-sender';
import { creditedDeposit } from '../support/deposits';
import { quietActivities } from '../support/quiet-activities';
import { Tenant } from '../support/tenant';

const nothing = (): void => undefined;

/** Temporal misses a worker's heartbeats, and then makes the next attempt (workflows/callback-delivery.ts); seconds. */
const MISSED_AFTER = 15;
const RETRIED_AFTER = 30;
/** The longest timeout of a merchant, seconds: longer than the time to Temporal's next attempt. */
const MERCHANT_TIMEOUT = 60;

/** A call to the merchant's server, milliseconds of the injected clock. */
interface Call {
  readonly from: number;
  readonly until: number;
}

/** Workers that lose Temporal in mid-attempt, but not the merchant: their calls continue. */
describe('a callback attempt of a lost worker', () => {
  let tenant: Tenant;
  let now: number;
  const calls: Call[] = [];
  /** Ends the calls in flight. */
  const endings: (() => void)[] = [];
  const attempts: Promise<unknown>[] = [];
  /** Resolves with the next call. */
  let called: Promise<'called'>;
  let onCall: () => void = nothing;

  beforeAll(async () => {
    tenant = await Tenant.create();
    now = Date.now();
    tenant.now = () => new Date(now);
  });
  afterAll(async () => {
    for (const end of endings) end();
    await Promise.all(attempts);
    await tenant.close();
  });

  const sender: CallbackSender = {
    post: async ({ timeoutMs }) => {
      calls.push({ from: now, until: now + timeoutMs });
      onCall();
      await new Promise<void>((end) => endings.push(end));
      return { kind: 'unreachable', reason: 'timeout', detail: 'a test' };
    },
    close: nothing,
  };

  it('is not repeated while its call may continue, and counts as one of five', async () => {
    const { database, sealer } = tenant;
    const merchant = await tenant.merchant({ callbackTimeoutSeconds: MERCHANT_TIMEOUT });
    const { orderNo } = await creditedDeposit(tenant, merchant, await tenant.account());
    const standing = async () =>
      (
        await database.sql<{ id: string }[]>`
          select id, status, attempt_count, total_attempts, last_error from notification_logs
          where order_no = ${orderNo}`
      )[0];
    const id = (await standing())?.id ?? '';
    const callbacks = createCallbackActivities({
      database,
      sealer,
      sender,
      environment: 'sandbox',
      callbackSlots: 500,
      stopping: AbortSignal.any([]),
      clock: () => Promise.resolve(new Date(now)),
    });

    let ended: unknown = undefined;
    while (ended === undefined) {
      called = new Promise((resolve) => {
        onCall = () => {
          resolve('called');
        };
      });
      const worker = quietActivities();
      const attempt = worker.run(async () => await callbacks.attemptCallback(id)).catch((error: unknown) => error);
      attempts.push(attempt);
      const outcome = await Promise.race([attempt, called]);
      if (outcome === 'called') now += (MISSED_AFTER + RETRIED_AFTER) * 1000;
      else if (outcome instanceof ApplicationFailure && outcome.type === 'AttemptUnderWay') now += RETRIED_AFTER * 1000;
      else ended = outcome;
    }

    expect(ended).toBe('FAILED');
    expect(await standing()).toMatchObject({
      status: 'FAILED',
      attemptCount: 5,
      totalAttempts: 5,
      lastError: 'attempt interrupted',
    });
    expect(calls).toHaveLength(5);
    const overlapping = calls.filter(({ from }, n) => from < (calls[n - 1]?.until ?? 0));
    expect(overlapping).toEqual([]);
  });
});
