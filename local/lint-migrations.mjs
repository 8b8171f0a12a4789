// Lints the migrations after the baseline with squawk: statements that would lock a table for long, or break running
// roles. The baseline only builds empty tables, so it is not linted. squawk is fetched once from PyPI; without it CI
// fails.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const VERSION = '2.70.0';
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'db/migrations'));
const cache = path.join(root, `node_modules/.cache/squawk-${VERSION}`);
// db/migrate.ts sets the lock_timeout. A statement that has its lock may take its time. A number that stays small may
// be a small type.
const NOT_HERE = [
  ...['require-lock-timeout', 'require-statement-timeout'],
  ...['prefer-bigint-over-int', 'prefer-bigint-over-smallint'],
  // Currencies are char(3) in every table.
  'ban-char-field',
];
// Before an index is built concurrently it is dropped, so that a retry starts over.
const NOT_CONCURRENTLY = [...NOT_HERE, 'prefer-robust-stmts'];

function squawk() {
  const program = path.join(cache, 'bin/squawk');
  if (!existsSync(program)) {
    const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', cache];
    execFileSync('python3', [...install, `squawk-cli==${VERSION}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
  return program;
}

function lint(program, name) {
  const file = path.join(folder, `${name}.sql`);
  const concurrent = /\bindex\s+concurrently\b/i.test(readFileSync(file, 'utf8'));
  const { status } = spawnSync(
    program,
    [
      '--pg-version=18',
      `--exclude=${(concurrent ? NOT_CONCURRENTLY : NOT_HERE).join(',')}`,
      ...(concurrent ? [] : ['--assume-in-transaction']),
      file,
    ],
    { stdio: 'inherit' },
  );
  return status === 0;
}

const { entries } = JSON.parse(readFileSync(path.join(folder, 'meta/_journal.json'), 'utf8'));
const later = entries.slice(1).map(({ tag }) => tag);
if (later.length === 0) {
  console.log('there are no migrations after the baseline');
} else {
  let program;
  try {
    program = squawk();
  } catch (error) {
    console.error(
      `The migrations are NOT linted: squawk-cli ${VERSION} cannot be installed from PyPI by python3 with pip ` +
        `(${String(error.stderr ?? error.message).trim()})`,
    );
    process.exit(process.env.CI ? 1 : 0);
  }
  process.exit(later.filter((name) => !lint(program, name)).length === 0 ? 0 : 1);
}
