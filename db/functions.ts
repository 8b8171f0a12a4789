import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Sql } from 'postgres';

/** The text of every function and trigger, and the hash that tells one state of them from another. */
export interface Functions {
  readonly text: string;
  readonly hash: string;
}

/** Reads db/functions: every file in it, in the order of the names. */
export function readFunctions(folder = path.join(__dirname, 'functions')): Functions {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const text = files
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
  return { text, hash: createHash('sha256').update(text).digest('hex') };
}

/**
 * Replaces all functions and triggers in one transaction and notes their hash.
 * @throws if a table stays locked for longer than the lock_timeout: nothing is replaced then
 */
export async function replaceFunctions(sql: Sql, functions: Functions): Promise<void> {
  // Bodies are not checked: they may name functions of files that come later.
  await sql.unsafe(`
    set local check_function_bodies = off;
    set local lock_timeout = '500ms';
    ${functions.text}
    insert into migrations.functions (only_row, hash) values (true, '${functions.hash}')
    on conflict (only_row) do update set hash = excluded.hash;
  `);
}
