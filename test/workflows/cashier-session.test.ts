import { uuidv7 } from 'uuidv7';
import { beginRecovery, readPlatform } from '../../db/platform/recoveries';
import { workflowId } from '../../domain/ids';
import { expectSeconds, stopwatch, type TestTemporal, timeSkipping } from '../support/temporal';
import { Tenant, type TestMerchant, type TestSession } from '../support/tenant';
import { startWorkers, type TestWorkers } from '../support/workers';

/** On the time-skipping server: exact times without real waits. */
describe('the cashier session workflow', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let merchant: TestMerchant;

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([timeSkipping(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    await readClock();
    merchant = await tenant.cashierMerchant();
    await tenant.account();
  });
  afterAll(async () => {
    await workers.stop();
    await tenant.close();
    await temporal.stop();
  });

  /** Sets the graph's clock to the server's time. */
  async function readClock(): Promise<Date> {
    const now = await temporal.clock();
    tenant.now = () => now;
    return now;
  }

  async function opened(input: Record<string, unknown> = {}): Promise<TestSession> {
    await readClock();
    const session = await tenant.cashier(merchant, input);
    await workers.relay.once();
    return session;
  }

  const result = async ({ sessionId }: TestSession): Promise<unknown> =>
    await temporal.env.client.workflow.getHandle(workflowId('cashier', sessionId)).result();

  const events = async ({ sessionId }: TestSession): Promise<{ type: string; at: Date }[]> =>
    await tenant.database.sql<{ type: string; at: Date }[]>`
      select type, at from order_events where order_id = ${sessionId} order by position`;

  const lived = async (session: TestSession): Promise<number> => {
    const all = await events(session);
    return ((all.at(-1)?.at.getTime() ?? 0) - (all[0]?.at.getTime() ?? 0)) / 1000;
  };

  /** Runs a step in the last second of a session. If the machine stalls past it, tries with another session. */
  async function inLastSecond(act: (session: TestSession) => Promise<void>): Promise<TestSession> {
    for (;;) {
      const session = await opened();
      const expireAt = Date.parse(session.expireAt);
      await temporal.env.sleep(expireAt - 1_000 - (await temporal.clock()).getTime());
      await readClock();
      const [outcome] = await Promise.allSettled([act(session)]);
      await workers.relay.once();
      if ((await temporal.clock()).getTime() >= expireAt) continue;
      if (outcome.status === 'rejected') throw outcome.reason;
      return session;
    }
  }

  it('expires a session at exactly 900 s', async () => {
    const taken = stopwatch();
    const session = await opened();
    await expect(result(session)).resolves.toBe('EXPIRED');
    expect((await events(session)).map(({ type }) => type)).toEqual(['created', 'expired']);
    expectSeconds(await lived(session), 900, taken());
  });

  it('ends with the choice of the payer, in the last second', async () => {
    const session = await inLastSecond(async ({ token }) => {
      await tenant.asPayer(token, 'SubmitCashierSession', { amount: '100' });
    });
    await expect(result(session)).resolves.toBe('SUBMITTED');
  });

  it('ends at once if the order came with the session', async () => {
    const session = await opened({ amount: '500' });
    expect(session.orderNo).not.toBeNull();
    await expect(result(session)).resolves.toBe('SUBMITTED');
    expect((await events(session)).map(({ type }) => type)).toEqual(['created', 'submitted']);
  });

  it('restarts the full time of a session that is reused', async () => {
    const taken = stopwatch();
    const session = await opened({ userId: 'again' });
    await temporal.env.sleep('600s');
    const again = await opened({ userId: 'again' });
    expect(again.sessionId).toBe(session.sessionId);
    await expect(result(session)).resolves.toBe('EXPIRED');
    expect((await events(session)).map(({ type }) => type)).toEqual(['created', 'reused', 'expired']);
    expectSeconds(await lived(session), 1_500, taken());
  });

  it('ends when an operator ends the session', async () => {
    const taken = stopwatch();
    const session = await opened();
    await temporal.env.sleep('60s');
    await readClock();
    await tenant.operate('RevokeCashierSession', { id: session.sessionId, reason: 'fraud' });
    await workers.relay.once();
    await expect(result(session)).resolves.toBe('EXPIRED');
    expectSeconds(await lived(session), 60, taken());
  });

  it('keeps no slot of the worker while a recovery holds its expiry', async () => {
    const { database } = tenant;
    const session = await opened();
    const { marker, epoch } = await readPlatform(database);
    const recoveryId = uuidv7();
    await beginRecovery(database, recoveryId, { marker: marker + 5, epoch }, tenant.now());
    const handle = temporal.env.client.workflow.getHandle(workflowId('cashier', session.sessionId));
    await temporal.env.sleep('1000s');
    const pauses = ((await handle.fetchHistory()).events ?? []).flatMap((event) => {
      const seconds = event.timerStartedEventAttributes?.startToFireTimeout?.seconds;
      return seconds === undefined || seconds === null ? [] : [Number(seconds)];
    });
    // The server waits, not the worker.
    expect(pauses.filter((seconds) => seconds === 30).length).toBeGreaterThan(0);
    await database.sql`delete from recoveries where id = ${recoveryId}`;
    await expect(result(session)).resolves.toBe('EXPIRED');
  });

  it('ends if a request expired the session before the timer fired', async () => {
    const session = await opened();
    const { now } = tenant;
    tenant.now = () => new Date(now().getTime() + 900_000);
    const view = await tenant.asPayer<{ status: string }>(session.token, 'CashierView');
    expect(view.status).toBe('EXPIRED');
    await workers.relay.once();
    await expect(result(session)).resolves.toBe('EXPIRED');
    expect((await events(session)).map(({ type }) => type)).toEqual(['created', 'expired']);
    await readClock();
  });
});
