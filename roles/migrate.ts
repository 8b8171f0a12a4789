import { Connection } from '@temporalio/client';
import { type Config, readConfig } from '../config';
import { openDatabase } from '../db/client';
import { migrate } from '../db/migrate';
import { nameFirstKey } from '../db/platform/keys';
import { OWN_SCHEMA } from '../db/release';
import { createLogger, type Logger } from '../runtime/log';
import { withSecrets } from '../runtime/secret-settings';
import { connectionOptions } from '../temporal/client';
import { registerSearchAttributes } from '../temporal/search-attributes';
import { useCurrentKey } from './current-key';
import { openSecrets, requireAuditKey } from './secrets';
import { ensureOwnerInvited } from '../steps/operators/invitation';
import { ensureFirstOperator } from '../steps/operators/first-operator';

/** How long Temporal may take, milliseconds. */
const TEMPORAL_WITHIN_MS = 5_000;

/**
 * Registers the workflows' search attributes, with an identity that is allowed to: Temporal may refuse it to workers.
 * If Temporal does not answer, workers try it when they start.
 */
async function prepareTemporal({ temporal }: Config, log: Logger): Promise<void> {
  try {
    const connection = await Connection.connect({
      ...connectionOptions(temporal),
      connectTimeout: TEMPORAL_WITHIN_MS,
    });
    try {
      await connection.withDeadline(Date.now() + TEMPORAL_WITHIN_MS, () =>
        registerSearchAttributes(connection, temporal.namespace),
      );
    } finally {
      await connection.close();
    }
    log.info('Temporal knows the search attributes');
  } catch (error) {
    log.warn({ err: error }, 'Temporal could not be prepared: workers register what it lacks');
  }
}

/** Brings the schema up to date, creates the first operators, and registers the workflows' search attributes if TEMPORAL_ADDRESS is set. */
export async function migrateOnce(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(await withSecrets(env));
  const log = createLogger('migrate', config.logLevel);
  requireAuditKey(config);
  // Beside the database: neither needs the other.
  const temporal = env['TEMPORAL_ADDRESS'] === undefined ? undefined : prepareTemporal(config, log);
  const { url, tls } = config.database;
  const release = await migrate(url, config.environment, OWN_SCHEMA, tls);
  const database = openDatabase({ url, tls, applicationName: 'causeway-migrate' });
  try {
    await Promise.all(config.firstOperators.map((one) => ensureFirstOperator(database, one, new Date())));
    const secrets = openSecrets(config);
    await nameFirstKey(database, secrets.ring.current.id, new Date());
    await useCurrentKey(secrets.ring, database);
    for (const email of config.ownerEmails) await ensureOwnerInvited(database, email, new Date());
  } finally {
    await database.close();
  }
  await temporal;
  if (release === OWN_SCHEMA.release) log.info({ release }, 'the schema is up to date');
  else log.warn({ release }, 'the schema is of a newer release and stays as it is');
}
