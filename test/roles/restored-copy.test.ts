import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { migrate } from '../../db/migrate';
import { PlatformMarker } from '../../db/platform/marker';
import { readPlatform } from '../../db/platform/recoveries';
import { MarkerFolder } from '../../local/marker-folder';
import { freePort } from '../../local/ports';
import { type Postgres, startPostgres } from '../../local/postgres';
import { RecoveryLead } from '../../roles/recovery-lead';
import { Simulator } from '../../simulator/server';
import { createPayoutActivities } from '../../temporal/activities/payouts';
import { CHANNEL_KEY, simulatedChannel } from '../support/channel-tenant';
import { quietActivities } from '../support/quiet-activities';
import { temporaryFolder } from '../support/temporary-folder';
import { Tenant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

const log = pino({ level: 'silent' });

/** A PostgreSQL of its own, whose files are copied and restored. */
describe('a PostgreSQL that is restored from a copy of its files', () => {
  const folder = temporaryFolder();
  const [dataDir, copy] = [path.join(folder, 'postgres'), path.join(folder, 'copy')];
  const upstreams = [new Simulator(CHANNEL_KEY), new Simulator(CHANNEL_KEY)];
  let port = 0;
  let server: Postgres;
  let tenant: Tenant;

  const start = async (): Promise<void> => {
    server = await startPostgres({
      dataDir,
      port,
      password: 'test',
      database: 'causeway',
      log: path.join(folder, 'postgres.log'),
    });
  };
  beforeAll(async () => {
    port = await freePort();
    await start();
    await migrate(server.url, 'sandbox');
    tenant = await Tenant.create({ url: server.url, drop: () => Promise.resolve() });
    for (const upstream of upstreams) await simulatedChannel(tenant, await upstream.listen());
  });
  afterAll(async () => {
    await tenant.close();
    await server.stop();
    for (const upstream of upstreams) await upstream.close();
  });

  /** A role that has just started. */
  const started = (): PlatformMarker =>
    new PlatformMarker({
      database: tenant.database,
      clock: tenant.now,
      log,
      outside: new MarkerFolder(path.join(folder, 'marker')),
    });
  /** One step of the payout's workflow, by a worker with this marker. */
  const step = async (id: string, marker: PlatformMarker): Promise<string> => {
    const payouts = createPayoutActivities({
      database: tenant.database,
      ...tenant.seals,
      clock: () => Promise.resolve(tenant.now()),
      openChannel: tenant.graph.core.openChannel,
      raiseMarker: async () => await marker.raise(),
    });
    return await quietActivities().run(async () => {
      const next = await payouts.routePayout(id);
      if (next.kind === 'SEND') await payouts.sendPayout(next.attemptId);
      return next.kind;
    });
  };
  const asked = (orderNo: string): number[] =>
    upstreams.flatMap(({ payments }) =>
      payments
        .all()
        .filter(({ reference }) => reference.startsWith(orderNo))
        .map((payment) => payment.asked),
    );

  it('queries what was paid meanwhile, and pays nobody twice', async () => {
    const merchant = await fundedMerchant(tenant, '10000');
    const orders = [
      await approvedWithdrawal(tenant, merchant),
      await approvedWithdrawal(tenant, merchant),
      await approvedWithdrawal(tenant, merchant),
    ] as const;
    const [paid, marked] = orders;
    const before = started();
    expect((await before.compare()).recoveryId).toBeNull();

    await server.stop();
    execFileSync('cp', ['-a', dataDir, copy]);
    await start();
    for (const { id } of [paid, marked]) expect(await step(id, before)).toBe('SEND');

    // Killed and recovered from its log: nothing is lost, whichever role starts.
    server.kill();
    await server.stop();
    await start();
    expect((await started().compare()).recoveryId).toBeNull();

    await server.stop();
    rmSync(dataDir, { recursive: true });
    execFileSync('cp', ['-a', copy, dataDir]);
    await start();
    // A worker that has run all the time meets the copy with its next payout.
    expect(await step(paid.id, before)).toBe('SEND');
    expect(asked(paid.orderNo)).toEqual([1]);
    expect(await readPlatform(tenant.database)).toMatchObject({
      epoch: 1,
      recoveryId: expect.any(String) as string,
    });
    for (const { id } of orders) expect(await step(id, started())).toBe('WAIT');

    const later = new Date(Date.now() + 120_000);
    tenant.now = () => later;
    const { database, graph } = tenant;
    const { openChannel, signer } = graph.core;
    await new RecoveryLead({ database, signer, openChannel, clock: tenant.now, log }).round();
    await tenant.operate('EndRecovery', { reason: 'all was asked for' });

    expect(await Promise.all(orders.map(async ({ id }) => await step(id, started())))).toEqual([
      ...['ASK', 'ASK', 'SEND'],
    ]);
    for (const { orderNo } of orders) expect(asked(orderNo)).toEqual([1]);
  });
});
