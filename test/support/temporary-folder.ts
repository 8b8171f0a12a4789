import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fromSetup } from './run-folder';

/** A folder that is gone when the test file ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(fromSetup('folder'), 'test-'));
  // Servers with a user of their own must get in.
  chmodSync(folder, 0o755);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
