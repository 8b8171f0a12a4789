// What an image is built from: the files of a fresh clone of this project, without what .dockerignore names.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, chmodSync } from 'node:fs';
import path from 'node:path';

/** A pattern of .dockerignore as an expression: it fits a path, or a folder above it. */
function expressionOf(pattern) {
  const odd = /[[\]\\?]/.exec(pattern);
  if (odd) throw new Error(`.dockerignore: ${pattern}: ${odd[0]} is not read here`);
  const source = pattern
    .replace(/^\/|\/$/g, '')
    .replace(/[.+^${}()|]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*/g, (stars) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' })[stars]);
  return new RegExp(`^${source}(?:/|$)`);
}

/** @returns whether a path is left out: the last pattern that fits decides */
export function ignoring(text) {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ out: !line.startsWith('!'), fits: expressionOf(line.replace(/^!/, '')) }));
  return (file) => rules.findLast(({ fits }) => fits.test(file))?.out ?? false;
}

/** Copies the project's files, as git knows them, into an empty folder. */
export function makeContext(root, folder) {
  const rules = path.join(root, '.dockerignore');
  const isOut = ignoring(existsSync(rules) ? readFileSync(rules, 'utf8') : '');
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  });
  for (const file of listed.split('\0')) {
    const from = path.join(root, file);
    if (file === '' || isOut(file) || !existsSync(from) || !lstatSync(from).isFile()) continue;
    const to = path.join(folder, file);
    mkdirSync(path.dirname(to), { recursive: true });
    copyFileSync(from, to);
    chmodSync(to, statSync(from).mode);
  }
}
