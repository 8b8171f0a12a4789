import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { freePort } from '../local/ports';
import { DataRefused } from '../runtime/data-refused';
import { metrics } from '../runtime/metrics';
import { clientOfWorker, connectionOptions, openTemporalClient } from '../temporal/client';
import { requireNoDroppedTypes } from '../temporal/dropped-types';
import { addLinks } from '../temporal/links';
import { createMailer } from '../temporal/mail/mailer';
import { Relay } from '../temporal/relay';
import { installTemporalRuntime } from '../temporal/runtime';
import { createSchedules, updateSchedules } from '../temporal/schedules';
import { sdkMetrics } from '../temporal/sdk-metrics';
import { registerWhereAllowed } from '../temporal/search-attributes';
import { Workers } from '../temporal/worker';
import { WorkerVersion } from '../temporal/worker-version';
import { openChannels, openSender } from './open-channels';
import { Heartbeat } from './heartbeat';
import { serveOwnMetrics } from './own-metrics';
import { RecoveryLead } from './recovery-lead';
import { ready, type Role, type Stop } from './role';

/** How often a worker checks Temporal's set-up, milliseconds, and how long a check may take. */
const PREPARE_EVERY_MS = 60_000;
const PREPARE_WITHIN_MS = 30_000;

/** How long Temporal may take to count open workflows, milliseconds. */
const COUNT_WITHIN_MS = 5_000;

/** Made by the build: the workflows in one file, and the name of that build. */
const WORKFLOW_BUNDLE = path.join(__dirname, '../workflow-bundle.js');
const WORKFLOW_BUILD_ID = path.join(__dirname, '../workflow-build-id');

/** Runs workflows, their activities, and the relay from the outbox to Temporal. */
export async function worker(role: Role): Promise<Stop> {
  const { config, log, database, secrets } = role;
  const { signer } = secrets;
  // The patched SDK (patches/) reads it in the threads of workflows.
  process.env['WORKER_STACK_TRACES'] = String(config.workerStackTraces);
  const sdkMetricsAddress = `127.0.0.1:${await freePort()}`;
  installTemporalRuntime(log, sdkMetricsAddress);
  const stopMetrics = await serveOwnMetrics(role, config.workerMetrics, [sdkMetrics(sdkMetricsAddress)]);
  const { namespace } = config.temporal;
  const { consoleUrl, runbookUrl } = config;
  const links = [addLinks({ consoleUrl, runbookUrl })];
  const client = openTemporalClient(config.temporal, links);
  const purges = config.purgeDays !== null;
  const prepareServer = async (): Promise<void> => {
    await registerWhereAllowed(client.connection, namespace);
    await createSchedules(client.schedule, purges);
  };
  await prepareServer();
  await client.connection
    .withDeadline(Date.now() + COUNT_WITHIN_MS, () => requireNoDroppedTypes(client))
    .catch((error: unknown) => {
      if (error instanceof DataRefused) throw error;
      // Its lists are no part of what moves money: without them it serves.
      log.warn({ err: error }, 'Temporal did not count open workflows of dropped types');
    });
  const connection = await NativeConnection.connect(connectionOptions(config.temporal));
  const now = async (): Promise<Date> => await Promise.resolve(role.clock.now());
  const mailer = config.mail && createMailer(config.mail);
  const sender = openSender(config);
  const buildId = readFileSync(WORKFLOW_BUILD_ID, 'utf8');
  const eager = clientOfWorker(connection, config.temporal, links);
  const relay = new Relay({ database, client, eager, prepareServer, clock: now, log });
  const workers = await Workers.create({
    connection,
    namespace,
    workflowBundle: { codePath: WORKFLOW_BUNDLE },
    buildId,
    queues: config.workerQueues,
    sizes: config.workerSizes,
    afterStep: () => {
      relay.tell();
    },
    deps: {
      database,
      clock: now,
      changes: config.changes,
      sealer: secrets.sealer,
      lookup: secrets.lookup,
      sender,
      openChannel: openChannels(role, sender),
      raiseMarker: async () => await role.marker.raise(),
      mailer,
      consoleUrl,
      secretPageUrl: `${config.cashierUrl}/keys`,
      agentPageUrl: `${config.cashierUrl}/agents`,
      signer,
      headsFile: config.ledgerHeadsFile,
      purgeDays: config.purgeDays,
      environment: config.environment,
    },
  });
  const lead = new RecoveryLead({
    database,
    log,
    clock: role.clock.now,
    signer,
    openChannel: openChannels(role, sender),
  });
  const running = workers.run();
  running.catch((error: unknown) => {
    log.fatal({ err: error }, 'a worker failed');
    process.exit(1);
  });
  const version = new WorkerVersion({ client, buildId, log });
  if (config.workerVersion === 'auto') version.start();
  relay.start();
  lead.start();
  const heartbeat = new Heartbeat({ database, clock: role.clock.now, log }, buildId);
  heartbeat.start();
  updateSchedules(client.schedule, purges).catch((error: unknown) => {
    log.warn({ err: error }, 'the schedules may be of an older version');
  });
  // Otherwise a server that lost its data while no orders came would lack the sweeps that find older orders.
  const preparing = setInterval(() => {
    client.connection.withDeadline(Date.now() + PREPARE_WITHIN_MS, prepareServer).catch((error: unknown) => {
      metrics.dependencyFailures.inc({ dependency: 'temporal' });
      log.warn({ err: error }, 'Temporal could not be prepared');
    });
  }, PREPARE_EVERY_MS);
  ready();
  return async () => {
    clearInterval(preparing);
    lead.stop();
    await Promise.all([version.stop(), relay.stop()]);
    workers.shutdown();
    await running;
    await heartbeat.stop();
    sender.close();
    mailer?.close();
    await connection.close();
    await client.connection.close();
    await stopMetrics();
  };
}
