import 'reflect-metadata';
import path from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { addressBehind } from './client-address';
import { type Config, readConfig } from './config';
import { createChannels, type OpenChannel } from './channels';
import { createCashierTokens } from './crypto/cashier-token';
import { createLookup } from './crypto/lookup';
import { createSealer } from './crypto/seal';
import { type Database, openDatabase } from './db/client';
import { verifyLedger } from './db/ledger';
import { migrate } from './db/migrate';
import { buildGateway } from './gateway/server';
import { createGraph, type Graph } from './graph';
import { verifyAudit } from './graph/audit/audit';
import { consoleSite } from './graph/browser';
import { EventHub } from './graph/events/event-hub';
import { buildGraphServer } from './graph/server';
import { ensureOwnerInvited } from './graph/operators/invitation';
import { ensureFirstOperator } from './graph/operators/session';
import { armFailpoints } from './failpoints';
import { FailpointFolder } from './local/failpoint-folder';
import { runLocal } from './local/run';
import { withLocalDatabase } from './local/database';
import { localLookupKey } from './local/lookup-key';
import { freePort } from './local/ports';
import { createLogger, type Logger } from './log';
import { measureProcess, metrics } from './metrics';
import { buildMetricsServer, type MetricsSource } from './metrics-listener';
import { openTemporalClient } from './temporal/client';
import { DecisionDesk } from './temporal/decision-desk';
import { type CallbackSender, createCallbackSender } from './temporal/http/callback-sender';
import { createMailer } from './temporal/mail/mailer';
import { Relay } from './temporal/relay';
import { installTemporalRuntime } from './temporal/runtime';
import { sdkMetrics } from './temporal/sdk-metrics';
import { createSchedules, updateSchedules } from './temporal/schedules';
import { registerSearchAttributes } from './temporal/search-attributes';
import { Workers } from './temporal/worker';

/** What a role needs to be stopped. */
type Stop = () => Promise<void>;

interface Role {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
}

const clock = (): Date => new Date();

/** How often a worker sees to it that Temporal is ready for us, milliseconds, and how long that may take. */
const PREPARE_EVERY_MS = 60_000;
const PREPARE_WITHIN_MS = 30_000;

/** Tells whoever started this process that the role serves now. */
function ready(url?: string): void {
  metrics.ready.set(1);
  process.send?.({ ready: true, url });
}

/** Channels' requests go where callbacks may: public addresses, and in a sandbox loopback. */
function openChannels(config: Config, sender: CallbackSender): OpenChannel {
  const policy = { allowInsecure: config.environment === 'sandbox', allowedHosts: null };
  return createChannels({
    environment: config.environment,
    sealer: createSealer(config.encryptionKey),
    clock,
    post: async (request, signal) => await sender.post({ ...request, policy }, signal),
  });
}

const openSender = (config: Config): CallbackSender =>
  createCallbackSender({ webhookSslVerify: config.webhookSslVerify });

const openGraph = ({ config, log, database }: Role, decisions: DecisionDesk | null = null): Graph =>
  createGraph({
    database,
    environment: config.environment,
    clock,
    sealer: createSealer(config.encryptionKey),
    lookup: createLookup(config.lookupKey),
    cashierTokens: createCashierTokens(config.cashierTokenSecret, config.environment),
    events: new EventHub({ database, clock, log }),
    // It reads what channels send, and sends nothing.
    openChannel: openChannels(config, openSender(config)),
    log,
    temporalUi: config.temporalUi,
    sandboxMails: config.sandboxMails,
    changes: config.changes,
    decisions,
    addressOf: addressBehind(config.trustedProxies),
    site: consoleSite(config.consoleUrl),
  });

/** Serves the metrics of a role that has no other internal listener. */
async function serveOwnMetrics(
  { log }: Role,
  where: { readonly host: string; readonly port: number },
  sources: readonly MetricsSource[] = [],
): Promise<Stop> {
  const app = buildMetricsServer(log, sources);
  log.info({ url: `${await app.listen(where)}/metrics` }, 'metrics are served');
  return async () => {
    await app.close();
  };
}

/** The public listener: the merchant API and bank notifications. */
async function gateway(role: Role): Promise<Stop> {
  const { config, log } = role;
  const graph = openGraph(role);
  const app = await buildGateway({
    graph,
    clock,
    log,
    environment: config.environment,
    cashierUrl: config.cashierUrl,
    addressOf: addressBehind(config.trustedProxies),
  });
  const stopMetrics = await serveOwnMetrics(role, config.gatewayMetrics);
  ready(await app.listen(config.gateway));
  return async () => {
    graph.core.cashierChanges.stop();
    await app.close();
    await stopMetrics();
  };
}

/** The internal listener: operators' GraphQL, the console, metrics. */
async function graph(role: Role): Promise<Stop> {
  const { config, log } = role;
  const client = openTemporalClient(config.temporal);
  const graph = openGraph(role, new DecisionDesk(client, log));
  await graph.core.events.start();
  const app = await buildGraphServer(graph, log, path.join(__dirname, 'console'));
  ready(await app.listen(config.graph));
  return async () => {
    graph.core.events.stop();
    await app.close();
    await client.connection.close();
  };
}

/** Workflows, their activities, and the relay that brings them from the outbox to Temporal. */
async function worker(role: Role): Promise<Stop> {
  const { config, log, database } = role;
  const sdkMetricsAddress = `127.0.0.1:${await freePort()}`;
  installTemporalRuntime(log, sdkMetricsAddress);
  const stopMetrics = await serveOwnMetrics(role, config.workerMetrics, [
    sdkMetrics(sdkMetricsAddress),
  ]);
  const { address, namespace } = config.temporal;
  const client = openTemporalClient(config.temporal);
  const prepareServer = async (): Promise<void> => {
    await registerSearchAttributes(client.connection, namespace);
    await createSchedules(client.schedule);
  };
  await prepareServer();
  const connection = await NativeConnection.connect({ address });
  const now = async (): Promise<Date> => await Promise.resolve(clock());
  const mailer = config.mail && createMailer(config.mail);
  const sender = openSender(config);
  const workers = await Workers.create({
    connection,
    namespace,
    workflowBundle: { codePath: path.join(__dirname, 'workflow-bundle.js') },
    deps: {
      database,
      clock: now,
      sealer: createSealer(config.encryptionKey),
      sender,
      openChannel: openChannels(config, sender),
      mailer,
      consoleUrl: config.consoleUrl,
      environment: config.environment,
    },
  });
  const relay = new Relay({ database, client, prepareServer, clock: now, log });
  const running = workers.run();
  running.catch((error: unknown) => {
    log.fatal({ err: error }, 'a worker failed');
    process.exit(1);
  });
  relay.start();
  updateSchedules(client.schedule).catch((error: unknown) => {
    log.warn({ err: error }, 'the schedules may be of an older version');
  });
  // A server that lost its data while no order came would go without the nets that find the older ones.
  const preparing = setInterval(() => {
    client.connection
      .withDeadline(Date.now() + PREPARE_WITHIN_MS, prepareServer)
      .catch((error: unknown) => {
        metrics.dependencyFailures.inc({ dependency: 'temporal' });
        log.warn({ err: error }, 'Temporal could not be made ready');
      });
  }, PREPARE_EVERY_MS);
  ready();
  return async () => {
    clearInterval(preparing);
    await relay.stop();
    workers.shutdown();
    await running;
    sender.close();
    mailer?.close();
    await connection.close();
    await client.connection.close();
    await stopMetrics();
  };
}

const ROLES = { gateway, graph, worker };

/** Brings the schema up to date and creates the first operators. */
async function migrateOnce(config: Config, log: Logger): Promise<void> {
  await migrate(config.databaseUrl);
  const database = openDatabase({ url: config.databaseUrl, applicationName: 'causeway-migrate' });
  try {
    for (const operator of config.firstOperators)
      await ensureFirstOperator(database, operator, clock());
    const secrets = {
      sealer: createSealer(config.encryptionKey),
      lookup: createLookup(config.lookupKey),
    };
    for (const email of config.ownerEmails)
      await ensureOwnerInvited(database, secrets, email, clock());
  } finally {
    await database.close();
  }
  log.info('the schema is up to date');
}

/** Compares every balance with its entries. @returns whether all add up */
async function verifyLedgerOnce(databaseUrl: string): Promise<boolean> {
  const database = openDatabase({ url: databaseUrl, applicationName: 'causeway-verify', max: 1 });
  try {
    const discrepancies = await verifyLedger(database);
    for (const { subject, problem } of discrepancies)
      process.stdout.write(`${subject}: ${problem}\n`);
    const verdict =
      discrepancies.length === 0 ? 'the ledger adds up' : 'the ledger does not add up';
    process.stdout.write(`${verdict}: discrepancies=${discrepancies.length}\n`);
    return discrepancies.length === 0;
  } finally {
    await database.close();
  }
}

/**
 * Walks the audit log's chain.
 * @param noted a row's number and the hash that it had when somebody noted it
 * @returns whether it is whole
 */
async function verifyAuditOnce(
  databaseUrl: string,
  lookupKey: Buffer,
  noted: { readonly seq: bigint; readonly hash: string } | null,
): Promise<boolean> {
  const database = openDatabase({ url: databaseUrl, applicationName: 'causeway-verify', max: 1 });
  try {
    const verdict = await verifyAudit(database, createLookup(lookupKey), noted);
    for (const { subject, problem } of verdict.faults)
      process.stdout.write(`${subject}: ${problem}\n`);
    const whole = verdict.faults.length === 0;
    process.stdout.write(
      whole
        ? `the audit log is whole: rows=${verdict.rows} hash=${verdict.hash}\n`
        : `the audit log was tampered with: faults=${verdict.faults.length}\n`,
    );
    return whole;
  } finally {
    await database.close();
  }
}

/** What `audit:verify` was asked to find. @throws if it is no row's number and hash */
function notedRow(args: readonly string[]): { readonly seq: bigint; readonly hash: string } | null {
  const [seq, hash] = args;
  if (seq === undefined) return null;
  if (!/^\d{1,18}$/.test(seq) || !/^[0-9a-f]{64}$/.test(hash ?? ''))
    throw new Error('audit:verify takes nothing, or the number of a row and its hash');
  return { seq: BigInt(seq), hash: hash ?? '' };
}

/** Runs a role until it is told to stop, by a signal or by the end of whoever started it. */
async function serve(name: keyof typeof ROLES): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(name, config.logLevel);
  measureProcess(name);
  if (config.failpoints !== null) armFailpoints(new FailpointFolder(config.failpoints));
  const database = openDatabase({ url: config.databaseUrl, applicationName: `causeway-${name}` });
  const stop = await ROLES[name]({ config, log, database });
  log.info('serving');

  let stopping = false;
  const end = async (cause: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ cause }, 'stopping');
    await stop();
    await database.close();
    process.exit(0);
  };
  const endOrDie = (cause: string): void => {
    end(cause).catch((error: unknown) => {
      log.fatal({ err: error }, 'could not stop in order');
      process.exit(1);
    });
  };
  process.on('SIGTERM', endOrDie);
  process.on('SIGINT', endOrDie);
  process.on('disconnect', () => {
    endOrDie('the parent process ended');
  });
}

async function main(command: string | undefined, ...args: string[]): Promise<void> {
  switch (command) {
    case undefined:
      process.exitCode = await runLocal(process.env);
      return;
    case 'gateway':
    case 'graph':
    case 'worker':
      await serve(command);
      return;
    case 'migrate': {
      const config = readConfig(process.env);
      await migrateOnce(config, createLogger('migrate', config.logLevel));
      return;
    }
    case 'ledger:verify':
      await withLocalDatabase(process.env, async (databaseUrl) => {
        if (!(await verifyLedgerOnce(databaseUrl))) process.exitCode = 1;
      });
      return;
    case 'audit:verify': {
      const noted = notedRow(args);
      const lookupKey = Buffer.from(localLookupKey(process.env), 'base64');
      await withLocalDatabase(process.env, async (databaseUrl) => {
        if (!(await verifyAuditOnce(databaseUrl, lookupKey, noted))) process.exitCode = 1;
      });
      return;
    }
    default:
      throw new Error(
        `unknown command ${command}: gateway, graph, worker, migrate, ledger:verify, audit:verify or none`,
      );
  }
}

main(process.argv[2], ...process.argv.slice(3)).catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
