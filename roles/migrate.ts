import { readConfig } from '../config';
import { openDatabase } from '../db/client';
import { migrate } from '../db/migrate';
import { nameFirstKey } from '../db/platform/keys';
import { OWN_SCHEMA } from '../db/release';
import { ensureOwnerInvited } from '../graph/operators/invitation';
import { ensureFirstOperator } from '../graph/operators/session';
import { createLogger } from '../runtime/log';
import { withSecrets } from '../runtime/secret-settings';
import { useCurrentKey } from './current-key';
import { openSecrets, requireAuditKey } from './secrets';

/** Brings the schema up to date and creates the first operators. */
export async function migrateOnce(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(await withSecrets(env));
  const log = createLogger('migrate', config.logLevel);
  requireAuditKey(config);
  const { url, tls } = config.database;
  const release = await migrate(url, config.environment, OWN_SCHEMA, tls);
  const database = openDatabase({ url, tls, applicationName: 'causeway-migrate' });
  try {
    for (const operator of config.firstOperators)
      await ensureFirstOperator(database, operator, new Date());
    const secrets = openSecrets(config);
    await nameFirstKey(database, secrets.ring.current.id, new Date());
    await useCurrentKey(secrets.ring, database);
    for (const email of config.ownerEmails)
      await ensureOwnerInvited(database, secrets, email, new Date());
  } finally {
    await database.close();
  }
  if (release === OWN_SCHEMA.release) log.info({ release }, 'the schema is up to date');
  else log.warn({ release }, 'the schema is of a newer release and stays as it is');
}
