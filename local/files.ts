import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';

/** Replaces a file so that readers see the old content or the new, never a mixture. Mode 0600 by default. */
export function writeFileAtomically(file: string, content: string | Uint8Array, mode = 0o600): void {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  writeFileSync(temporary, content, { mode, flush: true });
  renameSync(temporary, file);
}

const ROTATE_ABOVE_BYTES = 5 * 1024 * 1024;

/** Keeps one older log beside the current one, so that logs stay limited over many starts. */
export function rotateLog(file: string): void {
  if (existsSync(file) && statSync(file).size > ROTATE_ABOVE_BYTES) renameSync(file, `${file}.1`);
}

/** The last lines of a log, to show why something stopped. */
export function lastLines(file: string, count = 15): string {
  if (!existsSync(file)) return '(the log is empty)';
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines
    .slice(-count)
    .map((line) => `    ${line}`)
    .join('\n');
}
