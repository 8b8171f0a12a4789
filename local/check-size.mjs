// `npm run check:size`: no tracked file is larger than 200 kB except those named here with a reason. A build makes most
// large files, and each of their versions stays in the history for ever.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

const MAX_BYTES = 200_000;
const LARGE = {
  'package-lock.json': 'npm writes it; without it each install may differ',
  'docs/schema.graphql': 'operators read it whole, with a description of each part',
  'test/db/catalogue.txt': 'every column, constraint and function of a fresh database, a line each',
};
// drizzle-kit writes it and compares the next migration with it; only the newest is kept.
const SNAPSHOT = /^db\/migrations\/meta\/\d{4}_snapshot\.json$/;

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
const large = tracked.filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES);
const unnamed = large.filter((file) => !(file in LARGE) && !SNAPSHOT.test(file));
const idle = Object.keys(LARGE).filter((file) => !large.includes(file));
for (const file of unnamed) console.error(`${file} is over ${MAX_BYTES / 1000} kB`);
for (const file of idle) console.error(`${file} is small or gone: remove it from the list`);
process.exitCode = unnamed.length + idle.length > 0 ? 1 : 0;
