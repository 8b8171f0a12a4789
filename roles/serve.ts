import { readConfig } from '../config';
import { openDatabase } from '../db/client';
import { armFailpoints } from '../runtime/failpoints';
import { FailpointFolder } from '../local/failpoint-folder';
import { createLogger } from '../runtime/log';
import { measureProcess } from '../runtime/metrics';
import { gateway } from './gateway';
import { graph } from './graph';
import { requireOwnSchema } from './own-schema';
import type { Role, Stop } from './role';
import { worker } from './worker';

/** The processes that serve, each of its own. */
const ROLES = { gateway, graph, worker } satisfies Record<string, (role: Role) => Promise<Stop>>;

/** Runs a role until a signal, or the end of its parent process, stops it. */
export async function serve(name: keyof typeof ROLES): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(name, config.logLevel);
  measureProcess(name);
  if (config.failpoints !== null) armFailpoints(new FailpointFolder(config.failpoints));
  const database = openDatabase({ url: config.databaseUrl, applicationName: `causeway-${name}` });
  await requireOwnSchema(database, log);
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
