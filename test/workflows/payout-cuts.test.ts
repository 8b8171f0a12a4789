import { execFileSync } from 'node:child_process';
import pino from 'pino';
import { type Database, openDatabase } from '../../db/client';
import { workflowId } from '../../domain/ids';
import { armFailpoints, type Failpoint, PAYOUT_FAILPOINTS } from '../../runtime/failpoints';
import { NO_FAULTS } from '../../simulator/faults';
import { Simulator } from '../../simulator/server';
import { Relay } from '../../temporal/relay';
import { CHANNEL_KEY, paymentAt, simulatedChannel } from '../support/channel-tenant';
import { type TestTemporal, timeSkipping } from '../support/temporal';
import { Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { approvedWithdrawal, fundedMerchant, postedFor } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';

const CUT = `
  const sql = require('postgres')(process.argv[1], { max: 1 });
  (async () => {
    const others = await sql\`select pid, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'worker%'\`;
    const pids = others.map(({ pid }) => pid);
    while ((await sql\`select from pg_stat_activity where pid = any(\${pids})\`).length > 0);
    console.log(pids.length);
    process.exit(0);
  })();`;

/** Makes PostgreSQL close every connection of the workers. @returns how many */
const cutWhileFrozen = (url: string): number =>
  Number(execFileSync(process.execPath, ['-e', CUT, url], { encoding: 'utf8' }));

/** The campaign `payouts` in small: the next statement of a step meets a closed connection. */
describe('a payout that loses its connections to PostgreSQL', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let ofWorkers: Database;
  let workers: TestWorkers;
  let relay: Relay;
  let merchant: TestMerchant;
  const upstream = new Simulator(CHANNEL_KEY);

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([timeSkipping(), Tenant.create()]);
    // The test's own connections stay open.
    const { url, database, sealer, graph } = tenant;
    ofWorkers = openDatabase({ url, applicationName: 'worker', max: 4 });
    workers = await startWorkers({ database: ofWorkers, sealer, graph }, temporal);
    relay = new Relay({
      database,
      client: temporal.env.client,
      clock: temporal.clock,
      prepareServer: () => Promise.resolve(),
      log: pino({ level: 'silent' }),
    });
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
    await ofWorkers.close();
    await upstream.close();
    await tenant.close();
    await temporal.stop();
  });

  it.each(Object.keys(PAYOUT_FAILPOINTS) as Failpoint[])('at %s is paid and posted once', async (step) => {
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
    await relay.once();
    const handle = temporal.env.client.workflow.getHandle(workflowId('withdrawal', orderNo));
    await expect(handle.result()).resolves.toBe('COMPLETED');
    expect(cut).toBeGreaterThan(0);
    expect(paymentAt(upstream, orderNo)).toMatchObject({ asked: 1, paid: 1 });
    expect(await postedFor(tenant, id)).toEqual([
      'WITHDRAWAL_PAID merchant:frozen -102.0000',
      'WITHDRAWAL_PAID channel 100.0000',
      'WITHDRAWAL_PAID fee_income 2.0000',
    ]);
  });
});
