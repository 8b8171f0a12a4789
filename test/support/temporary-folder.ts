import { chmodSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fromSetup } from './run-folder';

/**
 * A folder that is gone when the run ends: its servers are dead by then. Hooks of a file run in the order in which they
 * are defined, so a removal here would come before the end of what still writes.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(fromSetup('folder'), 'test-'));
  // Servers with a user of their own must get in.
  chmodSync(folder, 0o755);
  return folder;
}
