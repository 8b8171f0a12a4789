import { adminOf } from './database';
import { fromSetup, removeRunFolder } from './run-folder';

/** After the last test, also after a failure: leaves no server and no file. */
export default async function globalTeardown(): Promise<void> {
  if (process.env['TEST_DATABASE_URL'] !== undefined) await dropTemplate();
  await removeRunFolder(fromSetup('folder'));
}

/** Leaves nothing of ours on an external server. */
async function dropTemplate(): Promise<void> {
  const admin = adminOf(fromSetup('serverUrl'));
  const template = fromSetup('template');
  await admin`alter database ${admin(template)} is_template false`;
  await admin`drop database ${admin(template)}`;
  await admin.end();
}
