import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder that is gone when the test file ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-'));
  // Servers with a user of their own must get in.
  chmodSync(folder, 0o755);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
