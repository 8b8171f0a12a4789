// `npm run check:size`: no tracked file is larger than 200 kB, but those named here with a reason. A large file is most often
// one that a build makes, and each change of it stays in the history for ever.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

const MAX_BYTES = 200_000;
const LARGE = {
  'package-lock.json': 'npm writes it, and an install without it is another one each time',
  'docs/schema.graphql': 'the operators read it whole, and each part of it says what it means',
  'test/graph/frozen-schema.graphql': 'what was promised of it, by the same text',
};
// drizzle-kit writes it, and compares the next migration with it: the newest alone is kept.
const SNAPSHOT = /^db\/migrations\/meta\/\d{4}_snapshot\.json$/;

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
const large = tracked.filter(
  (file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES,
);
const unnamed = large.filter((file) => !(file in LARGE) && !SNAPSHOT.test(file));
const idle = Object.keys(LARGE).filter((file) => !large.includes(file));
for (const file of unnamed) console.error(`${file} is over ${MAX_BYTES / 1000} kB`);
for (const file of idle) console.error(`${file} is small or gone: take it out of the list`);
process.exitCode = unnamed.length + idle.length > 0 ? 1 : 0;
