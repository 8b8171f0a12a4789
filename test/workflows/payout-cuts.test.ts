import { execFileSync } from 'node:child_process';
import { workflowId } from '../../domain/ids';
import { armFailpoints, type Failpoint, PAYOUT_FAILPOINTS } from '../../failpoints';
import { NO_FAULTS } from '../../simulator/faults';
import { Simulator } from '../../simulator/server';
import { CHANNEL_KEY, simulatedChannel } from '../support/channel-tenant';
import { type TestTemporal, timeSkipping } from '../support/temporal';
import { Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { approvedWithdrawal, fundedMerchant, postedFor } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';

const CUT = `
  const sql = require('postgres')(process.argv[1], { max: 1 });
  sql\`select count(*) filter (where pg_terminate_backend(pid, 5000))::int as cut from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()\`
    .then(([row]) => { console.log(row.cut); process.exit(0); });`;

/** Has PostgreSQL end every connection to a database while this process stands still. @returns how many */
const cutWhileFrozen = (url: string): number =>
  Number(execFileSync(process.execPath, ['-e', CUT, url], { encoding: 'utf8' }));

/** The campaign `payouts` in small: what a step does next goes to a connection that is gone. */
describe('a payout whose connections to PostgreSQL are cut', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let merchant: TestMerchant;
  const upstream = new Simulator(CHANNEL_KEY);

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([timeSkipping(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    const start = await temporal.clock();
    tenant.now = () => start;
    merchant = await fundedMerchant(tenant, '10000');
    await simulatedChannel(tenant, await upstream.listen(), { answerWithinSeconds: 3_600 });
    upstream.configure({ faults: { ...NO_FAULTS, settleMs: 0 } });
  });
  afterEach(() => {
    armFailpoints(undefined);
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await workers.stop();
    await upstream.close();
    await tenant.close();
    await temporal.stop();
  });

  it.each(Object.keys(PAYOUT_FAILPOINTS) as Failpoint[])(
    'at %s is paid and posted once',
    async (step) => {
      const now = await temporal.clock();
      tenant.now = () => now;
      let cut = 0;
      armFailpoints({
        hit: async (name) => {
          await Promise.resolve();
          if (name === step && cut === 0) cut = cutWhileFrozen(tenant.url);
        },
      });
      const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
      await workers.relay.once();
      const handle = temporal.env.client.workflow.getHandle(workflowId('withdrawal', orderNo));
      await expect(handle.result()).resolves.toBe('COMPLETED');
      expect(cut).toBeGreaterThan(0);
      expect(upstream.payments.find(`${orderNo}-1`)).toMatchObject({ asked: 1, paid: 1 });
      expect(await postedFor(tenant, id)).toEqual([
        'WITHDRAWAL_PAID merchant:frozen -102.0000',
        'WITHDRAWAL_PAID channel 100.0000',
        'WITHDRAWAL_PAID fee_income 2.0000',
      ]);
    },
  );
});
