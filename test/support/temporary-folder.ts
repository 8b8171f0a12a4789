import { chmodSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fromSetup } from './run-folder';

/**
 * A folder that is removed when the run ends, after its servers. Hooks of a file run in the order of their definition,
 * so removing it in a hook would come before the last writes.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(fromSetup('folder'), 'test-'));
  // Servers that run as another user must be able to enter.
  chmodSync(folder, 0o755);
  return folder;
}
