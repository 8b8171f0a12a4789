import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isNodeError, isRunning, ownRecord, type ProcessRecord } from './processes';

/** Releases the lock. */
export type Release = () => void;

/**
 * Takes a lock file. A lock whose holder is dead is broken.
 * @returns how to release it, or the process that holds it
 */
export function takeLock(file: string): Release | ProcessRecord {
  const own = `${file}.${randomBytes(4).toString('hex')}`;
  // A link appears whole or not at all, so nobody reads a partial lock.
  writeFileSync(own, JSON.stringify(ownRecord()), { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(own, file);
        return () => {
          rmSync(file, { force: true });
        };
      } catch (error) {
        if (!isNodeError(error, 'EEXIST')) throw error;
      }
      const holder = readHolder(file);
      if (holder && isRunning(holder)) return holder;
      breakStale(file, holder);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function breakStale(file: string, stale: ProcessRecord | undefined): void {
  const aside = `${file}.${randomBytes(4).toString('hex')}.stale`;
  try {
    renameSync(file, aside);
    const moved = readHolder(aside);
    // Another process was faster and holds the lock: give it back.
    if (moved && moved.born !== stale?.born && isRunning(moved)) linkSync(aside, file);
  } catch (error) {
    if (!isNodeError(error, 'ENOENT') && !isNodeError(error, 'EEXIST')) throw error;
  }
  rmSync(aside, { force: true });
}

/** The holder of a lock, or undefined when the lock is gone or unreadable. */
function readHolder(file: string): ProcessRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessRecord;
  } catch (error) {
    if (isNodeError(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
