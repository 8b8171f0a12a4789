import { workflowId } from '../../domain/ids';
import { verifyLedger } from '../../db/ledger/ledger';
import { expectSeconds, stopwatch, type TestTemporal, timeSkipping } from '../support/temporal';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';
import { startWorkers, type TestWorkers } from '../support/workers';

/** On the time-skipping server: exact times without real waits. */
describe('the deposit workflow', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([timeSkipping(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    await readClock();
    merchant = await tenant.merchant({ notifyDepositExpired: true });
    accountId = await tenant.account();
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

  async function created(): Promise<TestDeposit> {
    await readClock();
    const deposit = await tenant.deposit(merchant);
    await workers.relay.once();
    return deposit;
  }

  const result = async ({ orderNo }: TestDeposit): Promise<unknown> =>
    await temporal.env.client.workflow.getHandle(workflowId('deposit', orderNo)).result();

  const events = async ({ orderNo }: TestDeposit): Promise<{ type: string; at: Date }[]> =>
    await tenant.database.sql<{ type: string; at: Date }[]>`
      select e.type, e.at from order_events e join deposit_orders d on d.id = e.order_id
      where d.order_no = ${orderNo} order by e.position`;

  /** Runs a step in the last second of a deposit. If the machine stalls past it, tries with another deposit. */
  async function inLastSecond(act: (deposit: TestDeposit) => Promise<void>): Promise<TestDeposit> {
    for (;;) {
      const deposit = await created();
      const expireAt = Date.parse(deposit.expireAt);
      await temporal.env.sleep(expireAt - 1_000 - (await temporal.clock()).getTime());
      await readClock();
      const [outcome] = await Promise.allSettled([act(deposit)]);
      await workers.relay.once();
      if ((await temporal.clock()).getTime() >= expireAt) continue;
      if (outcome.status === 'rejected') throw outcome.reason;
      return deposit;
    }
  }

  it('expires a deposit at exactly 900 s', async () => {
    const taken = stopwatch();
    const deposit = await created();
    await expect(result(deposit)).resolves.toBe('EXPIRED');
    const [born, expired] = await events(deposit);
    expect(expired?.type).toBe('expired');
    const lived = (expired?.at.getTime() ?? 0) - (born?.at.getTime() ?? 0);
    expectSeconds(lived / 1000, 900, taken());
  });

  it('notifies the merchant of the expiry if that is switched on', async () => {
    const deposit = await created();
    await result(deposit);
    const rows = await tenant.database.sql<{ notificationType: string; requestBody: string }[]>`
      select notification_type, request_body from notification_logs where order_no = ${deposit.orderNo}`;
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0]?.requestBody ?? '')).toMatchObject({
      event: 'deposit.expired',
      actual_amount: '0.0000',
    });
  });

  it('credits a deposit paid in its last second', async () => {
    const deposit = await inLastSecond(async ({ expectedRemark }) => {
      const { transfer } = await tenant.notify({ accountId, memo: expectedRemark });
      expect(transfer.unmatchedReason).toBeNull();
    });
    await expect(result(deposit)).resolves.toBe('COMPLETED');
    expect((await events(deposit)).map(({ type }) => type)).toEqual(['created', 'matched', 'completed']);
  });

  it('leaves money that arrives after the expiry to a person', async () => {
    const deposit = await created();
    await result(deposit);
    await readClock();
    const { transfer } = await tenant.notify({ accountId, memo: deposit.expectedRemark });
    expect(transfer.unmatchedReason).toBe('ORDER_NOT_PENDING');
  });

  it('ends when the deposit is cancelled', async () => {
    const deposit = await created();
    await tenant.operate('CancelDeposit', { orderNo: deposit.orderNo, reason: 'the payer asked' });
    await workers.relay.once();
    await expect(result(deposit)).resolves.toBe('CANCELLED');
  });

  it('reopens the bank credit of a MATCHED deposit that is cancelled, and credits no merchant', async () => {
    await readClock();
    const deposit = await tenant.deposit(merchant);
    const { transfer } = await tenant.notify({ accountId, memo: deposit.expectedRemark });
    await tenant.operate('CancelDeposit', { orderNo: deposit.orderNo, reason: 'fraud' });
    await workers.relay.once();
    await expect(result(deposit)).resolves.toBe('CANCELLED');
    const unmatched = await tenant.list<{ id: string; unmatchedReason: string }>('UnmatchedTransfers');
    expect(unmatched).toContainEqual(expect.objectContaining({ id: transfer.id, unmatchedReason: 'REOPENED' }));
  });

  it('runs again for a final order and ends at once', async () => {
    const deposit = await created();
    await tenant.operate('CancelDeposit', { orderNo: deposit.orderNo, reason: 'first' });
    await workers.relay.once();
    await result(deposit);
    await tenant.database.sql`
      select wake_deposit(d, ${await readClock()}) from deposit_orders d where order_no = ${deposit.orderNo}`;
    await workers.relay.once();
    await expect(result(deposit)).resolves.toBe('CANCELLED');
  });

  it('leaves a ledger that verifies', async () => {
    expect(await verifyLedger(tenant.database)).toEqual([]);
  });
});
