// Lists the project's files, tracked or new, and hashes their state.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** All files except those that git ignores, by name; undefined without git. */
export function projectFiles(root) {
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
    const isFile = (file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile();
    return [...new Set(listed.split('\0'))].filter((file) => file && isFile(file)).sort();
  } catch {
    return undefined;
  }
}

/** A hash of the files' names and contents, of a text, and of the tools. The lock file stands for the packages. */
export function hashFiles(root, files, text) {
  const hash = createHash('sha256').update(`${process.version}\0${text}\0`);
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  return hash.digest('hex');
}
