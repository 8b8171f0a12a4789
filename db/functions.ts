import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The text of every function and trigger, and the hash that identifies their state. */
export interface Functions {
  readonly text: string;
  readonly hash: string;
}

/** Reads folders of functions: every file in them, in the order of the names. */
export function readFunctions(...folders: readonly string[]): Functions {
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .map((file) => path.join(folder, file)),
  );
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  return { text, hash: createHash('sha256').update(text).digest('hex') };
}
