import { uuidv7 } from 'uuidv7';
import { workflowId } from '../../domain/ids';
import type { Actor } from '../../steps/access/actor';
import { DecisionDesk } from '../../temporal/decision-desk';
import { createLogger } from '../../runtime/log';
import { reportDebit } from '../support/withdrawals';
import { expectSeconds, stopwatch, type TestTemporal, timeSkipping } from '../support/temporal';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { until } from '../support/until';
import { expectWholeLedger } from '../support/whole-ledger';
import { startWorkers, type TestWorkers } from '../support/workers';

interface Withdrawal {
  readonly id: string;
  readonly orderNo: string;
  readonly status: string;
}
interface Decided {
  readonly applied: boolean;
  readonly note: string;
  readonly withdrawal: Withdrawal & Record<string, unknown>;
}

/** On the time-skipping server: exact times without real waits. */
describe('the withdrawal workflow', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let merchant: TestMerchant;
  let bob: OperatorActor;
  let cy: OperatorActor;
  let tess: OperatorActor;
  let tom: OperatorActor;
  let accountId: string;

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([timeSkipping(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    await readClock();
    bob = await tenant.person('bob', ['approve']);
    cy = await tenant.person('cy', ['approve']);
    tess = await tenant.person('tess', ['treasurer']);
    tom = await tenant.person('tom', ['treasurer']);
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'The Good Bank' }],
    });
    accountId = await tenant.account();
    merchant = await tenant.merchant({
      canWithdraw: true,
      defaultCallbackUrl: 'http://127.0.0.1:9/',
    });
    await tenant.operate('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      amount: '100000',
      reason: 'test',
      evidence: { text: 'wire' },
    });
    await tenant.operate('PutReviewRules', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      reason: 'test',
      rules: { twoPeopleAbove: '1000', decideWithinMinutes: 30 },
    });
  });
  afterAll(async () => {
    await workers.stop();
    await tenant.close();
    await temporal.stop();
  });

  async function readClock(): Promise<void> {
    const now = await temporal.clock();
    tenant.now = () => now;
  }

  async function created(amount = '100'): Promise<Withdrawal> {
    await readClock();
    return await tenant.withdrawal<Withdrawal>(merchant, { amount });
  }
  const decide = async (
    name: 'ApproveWithdrawal' | 'RejectWithdrawal',
    { orderNo }: Withdrawal,
    actor: Actor = bob,
    more: Record<string, unknown> = {},
  ): Promise<Decided> => await tenant.operate<Decided>(name, { orderNo, remarks: 'looked at it', ...more }, actor);
  const result = async ({ orderNo }: Withdrawal): Promise<unknown> =>
    await temporal.env.client.workflow.getHandle(workflowId('withdrawal', orderNo)).result();
  const shown = async ({ orderNo }: Withdrawal): Promise<Record<string, unknown>> =>
    await tenant.operate('Withdrawal', { orderNo });
  const untilItSays = async (withdrawal: Withdrawal, field: string, value: string): Promise<void> => {
    await until(`${field} to be ${value}`, async () => {
      await workers.relay.once();
      return (await shown(withdrawal))[field] === value;
    });
  };
  const callbackTypes = async ({ id }: Withdrawal): Promise<string[]> => {
    const rows = await tenant.database.sql<{ type: string }[]>`
      select notification_type as type from notification_logs where order_id = ${id} order by notification_type`;
    return rows.map(({ type }) => type);
  };

  it('releases the frozen money when a person rejects it, records the reason, and ends', async () => {
    const withdrawal = await created();
    const decided = await decide('RejectWithdrawal', withdrawal);
    // The decision is recorded even while the workflow cannot be reached.
    expect(decided).toMatchObject({ applied: false, withdrawal: { status: 'PENDING' } });
    await expect(decide('ApproveWithdrawal', withdrawal, cy)).rejects.toMatchObject({
      kind: 'CONFLICT',
      message: 'the withdrawal is already decided; its status is about to change',
    });
    await workers.relay.once();
    await expect(result(withdrawal)).resolves.toBe('REJECTED');
    expect(await shown(withdrawal)).toMatchObject({
      status: 'REJECTED',
      approvalRemarks: 'looked at it',
      approvedAt: null,
      approvedBy: null,
      decisions: [{ verdict: 'REJECT', operator: { login: 'bob' } }],
    });
    expect(await callbackTypes(withdrawal)).toEqual(['withdrawal_rejected']);
    await expect(decide('ApproveWithdrawal', withdrawal, cy)).rejects.toMatchObject({
      kind: 'CONFLICT',
      message: 'the withdrawal is already REJECTED',
    });
    await expectWholeLedger(tenant);
  });

  it('applies a decision at once if the workflow is reachable, and is paid by hand', async () => {
    const { core } = tenant.graph;
    const log = createLogger('test', 'silent');
    const desk = new DecisionDesk(temporal.env.client, log, 60_000);
    Object.assign(core, { decisions: desk });
    try {
      const withdrawal = await created();
      const decided = await decide('ApproveWithdrawal', withdrawal, bob, { idempotencyKey: 'k1' });
      expect(decided).toMatchObject({
        applied: true,
        withdrawal: { status: 'APPROVED', approvedBy: bob.operator.id, isAutoApproved: false },
      });
      // A repeat has no effect.
      expect(await decide('ApproveWithdrawal', withdrawal, bob, { idempotencyKey: 'k1' })).toMatchObject({
        applied: true,
      });

      await untilItSays(withdrawal, 'payoutMethod', 'MANUAL');
      const { orderNo } = withdrawal;
      const act = async (name: string, actor: Actor, more: object = {}): Promise<unknown> =>
        await tenant.operate(name, { orderNo, ...more }, actor);
      await act('ClaimTransfer', tess, { accountId });
      await expect(act('ClaimTransfer', tom, { accountId })).rejects.toMatchObject({
        kind: 'BUSINESS_ERROR',
      });
      await expect(act('BeginTransfer', tom)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
      await act('BeginTransfer', tess);
      const reason = 'no money went';
      await expect(act('ReleaseTransfer', tess, { reason })).rejects.toThrow('sending it yourself');
      await expect(act('CancelTransfer', tom, { reason })).rejects.toThrow('being sent');
      await act('ReleaseTransfer', tom, { reason });
      await act('ClaimTransfer', tom, { accountId });
      await act('BeginTransfer', tom);
      await expect(act('CompleteTransfer', tess, { bankReference: 'B1' })).rejects.toThrow('not sending');
      await act('CompleteTransfer', tom, { bankReference: 'B1' });
      await workers.relay.once();
      await expect(result(withdrawal)).resolves.toBe('COMPLETED');
      expect(await shown(withdrawal)).toMatchObject({
        status: 'COMPLETED',
        bankReference: 'B1',
        accountId,
        actualAmount: '100.0000',
      });
      expect(await callbackTypes(withdrawal)).toEqual(['withdrawal_approved', 'withdrawal_completed']);
      // Nobody listens there: the failed attempt shows up on the withdrawal.
      await untilItSays(withdrawal, 'callbackStatus', 'WAITING_RETRY');
      const nouns = await tenant.database.sql`
        select distinct noun from order_events where order_id = ${withdrawal.id}`;
      expect(nouns).toEqual([{ noun: 'withdrawal' }]);
      await expectWholeLedger(tenant);
    } finally {
      Object.assign(core, { decisions: null });
    }
  });

  it('of a settlement needs an approver other than the proposer, is paid the same way, and sends no callback', async () => {
    await readClock();
    const { account } = await tenant.operate<{ account: { id: string } }>('CreateSettlementAccount', {
      input: {
        merchantId: merchant.id,
        currencyCode: 'THB',
        bankCode: 'GOODBANK',
        accountNo: '77',
        accountHolder: 'The merchant',
      },
      reason: 'test',
    });
    tenant.changes.onePerson = false;
    try {
      const settlement = await tenant.operate<Withdrawal>('ProposeSettlement', {
        input: { settlementAccountId: account.id, amount: '250', reference: 'november' },
        reason: 'test',
      });
      await expect(decide('ApproveWithdrawal', settlement, tenant.operator)).rejects.toThrow(
        'you cannot approve a settlement that you proposed',
      );
      await decide('ApproveWithdrawal', settlement);
      await untilItSays(settlement, 'payoutMethod', 'MANUAL');
      const { orderNo } = settlement;
      await tenant.operate('ClaimTransfer', { orderNo, accountId }, tess);
      await tenant.operate('BeginTransfer', { orderNo }, tess);
      const [{ amount } = { amount: '' }] = await tenant.database.sql<{ amount: string }[]>`
        select amount from withdrawal_orders where order_no = ${orderNo}`;
      await reportDebit(tenant, { accountId, amount, bankReference: 'settled' });
      await tenant.operate('CompleteTransfer', { orderNo, bankReference: 'settled' }, tess);
      await workers.relay.once();
      await expect(result(settlement)).resolves.toBe('COMPLETED');
      expect(await callbackTypes(settlement)).toEqual([]);
      await expectWholeLedger(tenant);
    } finally {
      tenant.changes.onePerson = true;
    }
  });

  it('needs two different people above the limit', async () => {
    const withdrawal = await created('1000.01');
    expect(await decide('ApproveWithdrawal', withdrawal)).toMatchObject({ applied: false });
    await workers.relay.once();
    await expect(decide('ApproveWithdrawal', withdrawal)).rejects.toMatchObject({
      message: 'you have already decided on this withdrawal',
    });
    expect(await shown(withdrawal)).toMatchObject({ status: 'PENDING', peopleNeeded: 2 });
    await decide('ApproveWithdrawal', withdrawal, cy);
    await untilItSays(withdrawal, 'payoutMethod', 'MANUAL');
    expect(await shown(withdrawal)).toMatchObject({
      status: 'APPROVED',
      approvedBy: cy.operator.id,
    });
    await tenant.operate('CancelTransfer', { orderNo: withdrawal.orderNo, reason: 'the account is closed' }, tess);
    await workers.relay.once();
    await expect(result(withdrawal)).resolves.toBe('CANCELLED');
    expect(await callbackTypes(withdrawal)).toEqual(['withdrawal_approved']);
    await expectWholeLedger(tenant);
  });

  it('escalates when nobody decided by the deadline', async () => {
    const taken = stopwatch();
    const withdrawal = await created();
    await workers.relay.once();
    await temporal.env.sleep('31m');
    const late = await until('the escalation', async () => {
      const [row] = await tenant.database.sql<{ late: number | null }[]>`
        select extract(epoch from escalated_at - decide_by)::float as late from withdrawal_orders
        where id = ${withdrawal.id}`;
      return row?.late ?? undefined;
    });
    expectSeconds(late, 0, taken());
    const alerts = await tenant.database.sql`
      select kind from alerts where about ->> 'orderNo' = ${withdrawal.orderNo}`;
    expect(alerts).toEqual([{ kind: 'APPROVAL_OVERDUE' }]);
    // A late decision still counts.
    await readClock();
    await decide('RejectWithdrawal', withdrawal);
    await workers.relay.once();
    await expect(result(withdrawal)).resolves.toBe('REJECTED');
  });

  it('refuses decisions by tokens, above the operator’s limit, and by operators of other merchants', async () => {
    const withdrawal = await created();
    const as = async (different: object, via = bob.via): Promise<Decided> =>
      await decide('ApproveWithdrawal', withdrawal, {
        ...bob,
        via,
        operator: { ...bob.operator, ...different },
      });
    await expect(as({}, 'token')).rejects.toThrow('api token');
    await expect(as({ approveLimits: {} })).rejects.toThrow('above your limit');
    await expect(as({ merchantIds: [uuidv7()] })).rejects.toMatchObject({ kind: 'NOT_FOUND' });
    await expect(decide('ApproveWithdrawal', withdrawal, tess)).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
  });
});
