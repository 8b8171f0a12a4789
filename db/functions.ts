import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The text of every function and trigger, and the hash that identifies their state. */
export interface Functions {
  readonly text: string;
  readonly hash: string;
}

/** Reads a folder of functions: every file in it, in the order of the names. */
export function readFunctions(folder: string): Functions {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const text = files
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
  return { text, hash: createHash('sha256').update(text).digest('hex') };
}
