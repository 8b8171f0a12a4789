import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, readConfig } from '../config';
import { ringKeys } from '../crypto/key-settings';
import { readClock } from '../db/clock';
import { type Database, openDatabase } from '../db/client';
import type { Environment } from '../db/release';
import { armFailpoints } from '../runtime/failpoints';
import { FailpointFolder } from '../local/failpoint-folder';
import { createLogger, type Logger } from '../runtime/log';
import { RoleClock } from '../runtime/role-clock';
import { measureProcess, metrics } from '../runtime/metrics';
import { withSecrets } from '../runtime/secret-settings';
import { PROCESS_NUMBER } from './gateway-line';
import { KeyWatch } from './key-watch';
import { MarkerWatch, openMarker } from './marker-watch';
import { awaitOwnSchema, hasOwnSchema } from './own-schema';
import type { Role, Stop } from './role';
import { exportTraces } from './traces';
import { openSecrets, requireAuditKey } from './secrets';

/** The pause before a clock that is off is measured again, milliseconds. */
const MEASURE_AGAIN_MS = 5_000;

/** How long a listener waits for its first check of the keys, milliseconds: the database may be unreachable. */
const FIRST_LOOK_MS = 2_000;

/** The roles that serve, each in its own process, which loads only its own modules. */
const ROLES = {
  gateway: async () => (await import('./gateway.js')).gateway,
  graph: async () => (await import('./graph.js')).graph,
  worker: async () => (await import('./worker.js')).worker,
} satisfies Record<string, () => Promise<(role: Role) => Promise<Stop>>>;

/** Runs a role until a signal, or the end of its parent process, stops it. */
export async function serve(name: keyof typeof ROLES, env: NodeJS.ProcessEnv): Promise<void> {
  // A parent of several processes loads no role. A number that is none is refused with the other settings.
  if (name === 'gateway' && cluster.isPrimary && Number(env['GATEWAY_PROCESSES'] ?? 1) > 1) {
    await serveAsParent(readConfig(await withSecrets(env)));
    return;
  }
  const begin = await ROLES[name]();
  const config = readConfig(await withSecrets(env));
  if (name !== 'gateway') requireAuditKey(config);
  const number = env[PROCESS_NUMBER];
  const labels = { role: name, ...(number !== undefined && { process: number }) };
  const log = createLogger(labels, config.logLevel);
  measureProcess(labels);
  if (config.failpoints !== null) armFailpoints(new FailpointFolder(config.failpoints));
  const endTraces = exportTraces(name, config.traces);
  const database = openDatabase({ ...config.database, applicationName: `causeway-${name}` });
  await checkSchema(name, database, config.environment, log);
  const clock = new RoleClock(async () => await readClock(database), log);
  await clock.measure();
  if (name === 'worker') await awaitRightClock(clock);
  const marker = openMarker(config, database, clock.now, log);
  const watch = new MarkerWatch(marker, log);
  // A worker sends payouts, so it starts only once it knows that the database was not restored.
  if (name === 'worker') await watch.compared();
  else void watch.compared();
  watch.start(name === 'worker');
  const secrets = openSecrets(config);
  const keys = new KeyWatch({
    role: name,
    ring: secrets.ring,
    database,
    clock: clock.now,
    log,
    reread: async () => ringKeys((await withSecrets(env, ['CAUSEWAY_KEYS']))['CAUSEWAY_KEYS']),
  });
  // A listener answers 503 until it has its keys; a worker can do nothing without them.
  if (name === 'worker') await keys.whole();
  else if (!(await Promise.race([keys.look(), sleep(FIRST_LOOK_MS, false)]))) void keys.whole();
  const stop = await begin({ config, log, database, clock, marker, secrets, keys });
  log.info('serving');

  let stopping = false;
  const end = async (cause: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ cause }, 'stopping');
    metrics.ready.set(0);
    await stop();
    watch.stop();
    await keys.stop();
    await database.close();
    await endTraces();
    process.exit(0);
  };
  const endOrDie = (cause: string): void => {
    end(cause).catch((error: unknown) => {
      log.fatal({ err: error }, 'could not stop in order');
      process.exit(1);
    });
  };
  // If the clock is off, listeners refuse requests; a worker ends, and waits at its next start.
  clock.start(() => {
    if (name === 'worker') endOrDie("this machine's clock is off");
  });
  keys.start(() => {
    if (name === 'worker') endOrDie('keys are missing');
  });
  process.on('SIGTERM', endOrDie);
  process.on('SIGINT', endOrDie);
  process.on('disconnect', () => {
    endOrDie('the parent process ended');
  });
}

/** Runs a gateway of several processes: this one is their parent, and loads nothing that they do. */
async function serveAsParent(config: Config): Promise<void> {
  const { GatewayParent } = await import('./gateway-parent.js');
  const labels = { role: 'gateway', process: 'parent' };
  measureProcess(labels);
  const log = createLogger(labels, config.logLevel);
  await new GatewayParent(config, log, (code) => process.exit(code)).run();
}

/** A worker starts only when its machine's clock is right. */
async function awaitRightClock(clock: RoleClock): Promise<void> {
  while (clock.isOff()) {
    await sleep(MEASURE_AGAIN_MS);
    await clock.measure();
  }
}

/**
 * A listener does not wait for a database that is unreachable: it answers 503 until it has checked the schema. The
 * worker can do nothing without it.
 * @throws if the schema is not ours
 */
async function checkSchema(
  name: keyof typeof ROLES,
  database: Database,
  environment: Environment,
  log: Logger,
): Promise<void> {
  if (name === 'worker') {
    await awaitOwnSchema(database, environment, log);
    return;
  }
  if (await hasOwnSchema(database, environment)) return;
  awaitOwnSchema(database, environment, log).catch((error: unknown) => {
    log.fatal({ err: error }, 'not the schema of this program');
    process.exit(1);
  });
}
