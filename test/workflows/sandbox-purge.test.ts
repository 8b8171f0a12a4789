import { Client } from '@temporalio/client';
import { uuidv7 } from 'uuidv7';
import { createPurgeActivities } from '../../temporal/activities/purge';
import type { PurgeReport, sandboxPurge } from '../../workflows/sandbox-purge';
import { ORDERS_TASK_QUEUE } from '../../workflows/shared';
import { endWork } from '../support/books';
import { creditedDeposit } from '../support/deposits';
import { quietActivities } from '../support/quiet-activities';
import { type TestTemporal, timeSkipping } from '../support/temporal';
import { Tenant } from '../support/tenant';
import { startWorkers, type TestWorkers } from '../support/workers';
import { verifyAudit } from '../../steps/audit/verify-audit';

/** With a day until orders go (test/support/workers.ts). */
describe('the workflow of a sandbox’s purge', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([timeSkipping(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    await readClock();
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
  const run = async (): Promise<PurgeReport> =>
    await new Client({ connection: temporal.env.connection }).workflow.execute<typeof sandboxPurge>('sandboxPurge', {
      taskQueue: ORDERS_TASK_QUEUE,
      workflowId: `sandbox-purge-${uuidv7()}`,
      args: [],
    });
  const deposits = async (): Promise<string[]> => {
    const rows = await tenant.database.sql<{ orderNo: string }[]>`
      select order_no from deposit_orders order by id`;
    return rows.map(({ orderNo }) => orderNo);
  };

  it('deletes old orders, records it in the audit log, and hides no difference', async () => {
    const { sql } = tenant.database;
    const merchant = await tenant.merchant();
    const accountId = await tenant.account();
    const old = await creditedDeposit(tenant, merchant, accountId);
    await endWork(tenant);
    await temporal.env.sleep('25h');
    await readClock();
    const young = await creditedDeposit(tenant, merchant, accountId);
    await endWork(tenant);

    await sql`update deposit_orders set fee = 2 where id = ${young.id}`;
    expect(await run()).toMatchObject({ gone: null });
    expect(await deposits()).toEqual([old.orderNo, young.orderNo]);
    await sql`update deposit_orders set fee = 1.5 where id = ${young.id}`;

    const nothing = { deposits: 0, withdrawals: 0, sessions: 0 };
    expect(await run()).toEqual({ gone: { ...nothing, deposits: 1 }, found: 0 });
    expect(await deposits()).toEqual([young.orderNo]);
    expect(await tenant.operate('BooksProof')).toMatchObject({
      whole: { found: 0 },
      book: { number: 1, orders: 1 },
    });
    const [audit] = await tenant.list<Record<string, unknown>>('AuditLog', {
      filter: { action: ['sandboxPurge'] },
    });
    expect(audit).toMatchObject({
      subject: 'book:1',
      reason: 'SANDBOX_PURGE_DAYS=1',
      outcome: 'OK',
      after: { deposits: 1 },
    });
    const { faults } = await verifyAudit(tenant.database, tenant.graph.core.signer, null);
    expect(faults).toEqual([]);
    expect(await run()).toEqual({ gone: nothing, found: 0 });
  });

  it('records a purge once, however often the step runs', async () => {
    const { database, graph } = tenant;
    const { signer } = graph.core;
    const steps = createPurgeActivities({ database, signer, clock: temporal.clock, purgeDays: 1 });
    const worker = quietActivities();
    const gone = { deposits: 7, withdrawals: 0, sessions: 0 };
    const end = async (): Promise<void> => {
      await worker.run(async () => {
        await steps.endPurge('2026-01-01T00:00:00.000Z', gone);
      });
    };
    await Promise.all([end(), end()]);
    await end();
    const noted = await database.sql`
      select from audit_log where action = 'sandboxPurge' and after->>'deposits' = '7'`;
    expect(noted).toHaveLength(1);
  });
});
