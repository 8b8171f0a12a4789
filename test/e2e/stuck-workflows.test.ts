import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { workflowId } from '../../domain/ids';
import { ensureOwnerInvited } from '../../graph/operators/invitation';
import { NO_FAULTS } from '../../simulator/faults';
import { Simulator } from '../../simulator/server';
import type { Mailer } from '../../temporal/mail/mailer';
import { changed, ORDERS_TASK_QUEUE } from '../../workflows/shared';
import { CHANNEL_KEY, simulatedChannel } from '../support/channel-tenant';
import { answering, Receiver } from '../support/receiver';
import { devServer, type TestTemporal } from '../support/temporal';
import { Tenant } from '../support/tenant';
import { eventually, until } from '../support/until';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';

/** A row of the runbook's table of stuck workflows. */
interface Advice {
  readonly query: string;
  readonly details: RegExp | null;
  readonly activity: string | null;
}

const inBackticks = (cell: string): string | null => /`(.+)`/.exec(cell)?.[1] ?? null;
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

/** What the runbook says, by what is stuck. */
function readAdvice(): ReadonlyMap<string, Advice> {
  const text = readFileSync(path.join(__dirname, '..', '..', 'docs', 'runbook.md'), 'utf8');
  const [, section = ''] = text.split('### Find a stuck workflow\n');
  const lines = section.split('\nA **failed**')[0]?.split('\n') ?? [];
  const rows = lines.filter((line) => line.startsWith('|')).slice(2);
  const advice = new Map<string, Advice>();
  let last = '';
  for (const row of rows) {
    const [, stuck = '', query = '', details = '', activity = ''] = row
      .split('|')
      .map((cell) => cell.trim());
    last = inBackticks(query) ?? last;
    const shown = inBackticks(details);
    advice.set(stuck, {
      ...{ query: last, details: shown === null ? null : patternOf(shown) },
      activity: inBackticks(activity),
    });
  }
  return advice;
}

/** Never takes a mail. */
const deaf: Mailer = {
  send: async () => {
    await Promise.resolve();
    throw new Error('the mail server is away');
  },
  close: () => undefined,
};

/** On a real server: each kind of workflow is stuck on purpose, and looked for as the runbook says. */
describe('a stuck workflow', () => {
  const advice = readAdvice();
  const tried = new Set<string>();
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  const upstream = new Simulator(CHANNEL_KEY);

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([devServer(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal, undefined, deaf);
    workers.relay.start();
    await tenant.account();
    await tenant.operate('PutBanks', {
      ...{ currencyCode: 'THB', reason: 'test' },
      banks: [{ bankCode: 'GOODBANK', name: 'The Good Bank' }],
    });
    // It alone pays to the bank KBANK.
    await simulatedChannel(tenant, await upstream.listen(), { answerWithinSeconds: 1 });
  });
  afterAll(async () => {
    await workers.stop();
    await upstream.close();
    await tenant.close();
    await temporal.stop();
  });

  const client = () => temporal.env.client.workflow;
  const detailsOf = async (id: string): Promise<string> => {
    const metadata = await client()
      .getHandle(id)
      .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails ?? '';
  };
  const pendingOf = async (id: string): Promise<string[]> => {
    const { raw } = await client().getHandle(id).describe();
    return (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name ?? '');
  };
  const isListed = async (query: string, id: string): Promise<true | undefined> => {
    for await (const { workflowId: listed } of client().list({ query }))
      if (listed === id) return true;
    return undefined;
  };

  /** Looks for it as the runbook says, and at what it says of itself. */
  async function expectFound(stuck: string, id: string): Promise<void> {
    const row = advice.get(stuck);
    if (!row) throw new Error(`the runbook knows nothing of ${stuck}`);
    tried.add(stuck);
    await until(`${stuck} in the list`, async () => await isListed(row.query, id));
    const { details, activity } = row;
    if (details)
      await eventually(async () => {
        expect(await detailsOf(id)).toMatch(details);
        expect(await pendingOf(id)).toEqual(activity === null ? [] : [activity]);
      });
  }

  it('is found: a deposit; it goes on when it is woken after somebody terminated it', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    const id = workflowId('deposit', orderNo);
    await expectFound('a deposit', id);
    await client().getHandle(id).terminate('a test');
    await tenant.database.sql`
      select order_no, wake_deposit(d, now()) from deposit_orders d where order_no = ${orderNo}`;
    await expectFound('a deposit', id);
  });

  it('is found: a callback, with what the merchant answered', async () => {
    const receiver = await Receiver.listen(answering(500));
    const merchant = await tenant.merchant();
    const { orderNo, expectedRemark } = await tenant.deposit(merchant, {
      callbackUrl: receiver.url,
    });
    const [account] = await tenant.database.sql<{ id: string }[]>`
      select account_id as id from deposit_orders where order_no = ${orderNo}`;
    await tenant.notify({ accountId: account?.id, memo: expectedRemark });
    const id = workflowId('callback', `${orderNo}:deposit_completed`);
    await until('it', async () => await isListed(advice.get('a callback')?.query ?? '', id));
    await expectFound('a callback', id);
    await receiver.close();
  });

  it('is found: a cashier session; it is revoked', async () => {
    const { sessionId } = await tenant.cashier(await tenant.cashierMerchant());
    const id = workflowId('cashier', sessionId);
    await expectFound('a cashier session', id);
    await tenant.operate('RevokeCashierSession', { id: sessionId, reason: 'test' });
    await expect(client().getHandle(id).result()).resolves.toBe('EXPIRED');
  });

  it('is found: a mail that the server does not take', async () => {
    await ensureOwnerInvited(tenant.database, tenant.graph.core, 'owner@example.com', new Date());
    const [mail] = await tenant.database.sql<{ id: string }[]>`select id from mails`;
    await expectFound('a mail', workflowId('mail', mail?.id ?? ''));
  });

  it('is found: a withdrawal that nobody decides on; waking it changes nothing', async () => {
    const merchant = await fundedMerchant(tenant);
    const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(merchant);
    const id = workflowId('withdrawal', orderNo);
    await expectFound('a withdrawal without a decision', id);
    await tenant.database.sql`
      select order_no, wake_withdrawal(w, now()) from withdrawal_orders w where order_no = ${orderNo}`;
    await client().getHandle(id).signal(changed);
    await expectFound('a withdrawal without a decision', id);
  });

  it('is found: a payout that its channel has', async () => {
    upstream.configure({ faults: { ...NO_FAULTS, settleMs: 600_000 } });
    const { orderNo } = await approvedWithdrawal(tenant, await fundedMerchant(tenant));
    await expectFound('a payout that its channel has', workflowId('withdrawal', orderNo));
  });

  it('is found: a payout of which nobody knows what became; two people end it', async () => {
    upstream.configure({ faults: { ...NO_FAULTS, errorRate: 1, delayMs: 1_100 } });
    const { orderNo } = await approvedWithdrawal(tenant, await fundedMerchant(tenant));
    const id = workflowId('withdrawal', orderNo);
    await expectFound('a payout of which nobody knows', id);
    await tenant.operate('ResolvePayout', {
      ...{ orderNo, outcome: 'NOT_PAID', reason: 'test', evidence: { text: 'their letter' } },
    });
    await expect(client().getHandle(id).result()).resolves.toBe('FAILED');
  });

  it('is found: a payout that a person has to make; it is given up', async () => {
    const bankCode = 'GOODBANK';
    const merchant = await fundedMerchant(tenant);
    const { orderNo } = await approvedWithdrawal(tenant, merchant, { bankCode });
    const id = workflowId('withdrawal', orderNo);
    await expectFound('a payout that a person has to make', id);
    await tenant.operate('CancelTransfer', { orderNo, reason: 'test' });
    await expect(client().getHandle(id).result()).resolves.toBe('CANCELLED');
  });

  it('is found: one that does not fit its code; it goes on under the code that fits', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    const id = workflowId('deposit', orderNo);
    await expectFound('a deposit', id);
    await workers.stop();

    const { code } = await bundleWorkflowCode({
      workflowsPath: path.join(__dirname, '..', 'replay', 'changed-workflows.ts'),
    });
    const changedWorker = await Worker.create({
      ...{ connection: temporal.env.nativeConnection, namespace: 'default' },
      ...{ taskQueue: ORDERS_TASK_QUEUE, workflowBundle: { code } },
    });
    await changedWorker.runUntil(async () => {
      await client().getHandle(id).signal(changed);
      await expectFound('whatever does not fit its own code', id);
      await eventually(async () => {
        const { raw } = await client().getHandle(id).describe();
        expect(raw.pendingWorkflowTask?.attempt).toBeGreaterThan(1);
      });
    });

    workers = await startWorkers(tenant, temporal, undefined, deaf);
    workers.relay.start();
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    await expect(client().getHandle(id).result()).resolves.toBe('CANCELLED');
  });

  it('is one that the runbook knows', () => {
    expect([...advice.keys()].filter((stuck) => !tried.has(stuck))).toEqual([]);
  });
});
