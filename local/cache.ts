import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { writeFileAtomically } from './files';
import { findRecord, isNodeError } from './processes';

/** Lists every file of an entry with its SHA-256. Written last: an entry without it is incomplete. */
const SUMS = 'SHA256SUMS';

/** Where downloads are kept for all checkouts of this user. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const chosen = env['XDG_CACHE_HOME'];
  // The XDG standard ignores relative paths.
  const base = chosen !== undefined && path.isAbsolute(chosen) ? chosen : path.join(homedir(), '.cache');
  return path.join(base, 'causeway');
}

/** An entry that was completed once; its content is not checked. */
export const findEntry = (folder: string, name: string): string | undefined => {
  const entry = path.join(folder, name);
  return existsSync(path.join(entry, SUMS)) ? entry : undefined;
};

/** True if every file of the entry is unchanged since it was fetched. */
export async function isIntact(entry: string): Promise<boolean> {
  try {
    return readFileSync(path.join(entry, SUMS), 'utf8') === (await sumsOf(entry));
  } catch (error) {
    if (isNodeError(error, 'ENOENT')) return false;
    throw error;
  }
}

/**
 * Makes an entry in a temporary folder and moves it into place whole, so that a kill leaves no partial entry.
 * @param fill writes the files; when it throws, nothing is kept
 */
export async function makeEntry(folder: string, name: string, fill: (entry: string) => Promise<void>): Promise<string> {
  mkdirSync(folder, { recursive: true });
  // Remove what an interrupted fetch of this name left behind.
  for (const left of readdirSync(folder).filter((file) => file.startsWith(`${name}.tmp-`)))
    if (!findRecord(Number(left.slice(`${name}.tmp-`.length))))
      rmSync(path.join(folder, left), { recursive: true, force: true });
  const unfinished = path.join(folder, `${name}.tmp-${process.pid}`);
  const entry = path.join(folder, name);
  try {
    mkdirSync(unfinished);
    await fill(unfinished);
    writeFileAtomically(path.join(unfinished, SUMS), await sumsOf(unfinished), 0o644);
    rmSync(entry, { recursive: true, force: true });
    renameSync(unfinished, entry);
    return entry;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function sumsOf(entry: string): Promise<string> {
  const files = readdirSync(entry, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name !== SUMS)
    .map((file) => path.join(file.parentPath, file.name))
    .sort();
  const lines: string[] = [];
  for (const file of files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
    lines.push(`${hash.digest('hex')}  ${path.relative(entry, file)}\n`);
  }
  return lines.join('');
}
