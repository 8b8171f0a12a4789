// `npm run check:words`: fails if code, SQL or a document contains a retired word (docs/glossary.md has the words to
// use).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** What is retired, and what to write instead. */
const RETIRED = [
  { word: /\bnets?\b/i, use: 'sweep' },
  { word: /\bstag(?:e|es|ed)\b/i, use: 'testbed, phase, step' },
  { word: /\bground\b/i, use: 'fixture' },
  { word: /\bhurts?\b/i, use: 'fault; to cause faults' },
  { word: /\bstock(?:ed)?\b/i, use: 'seed, seeded rows' },
  { word: /\bwish(?:es|ed)?\b/i, use: 'setting, request' },
  { word: /\bpapers?\b/i, use: 'proof, file, document' },
  { word: /\btold\b/i, use: 'reported, shown, sent, by default' },
  { word: /\btrouble[ds]?\b/i, use: 'failure, outage, unavailable' },
  { word: /\bentrances?\b/i, use: 'login, entry point' },
  { word: /\beat(?:s|en)? up\b/i, use: 'exceeds' },
  { word: /\ba (?:time|currency|session) that there is\b/i, use: 'a valid …, an existing …' },
  { word: /\bis no (?:denomination|cursor|JSON|UTF-8)\b/i, use: 'must be a …' },
  { word: /\bthat are yours\b/i, use: 'your restriction, your permissions' },
  { word: /\bnobody's business\b/i, use: 'private' },
  { word: /\bsigns? of life\b/i, use: 'heartbeat' },
  { word: /\bis noted\.'/i, use: 'Saved.' },
  { word: /\bthrice\b/i, use: 'three times' },
  { word: /\bwhence\b/i, use: 'from which' },
  { word: /\banew\b(?! =|\()/i, use: 'again' },
  { word: /\bof before\b(?!\))/i, use: 'from before …, older …' },
  { word: /\bas ever\b/i, use: 'as usual' },
  { word: /\bmend(?:s|ed)?\b(?!\()/i, use: 'fix, correct, resolve' },
  { word: /\b(?:is|was|were|be|been|never) put back\b/i, use: 'restored' },
  { word: /\ball the same\b/i, use: 'still, anyway' },
  { word: /\basks? for nothing\b/i, use: 'null: no condition' },
  { word: /\bcertainly never\b/i, use: 'never' },
  { word: /\b(?:it|they|order|callbacks?) fares?\b/i, use: 'the status of …' },
  { word: /\bin the place of\b/i, use: 'instead of, which replaces' },
  { word: /\bnobody says\b/i, use: 'not known' },
  { word: /\bwhoever\b/i, use: 'the one who, anybody who, each operator who' },
  { word: /\bbut for\b/i, use: 'except' },
  { word: /\bfor good\b/i, use: 'permanently' },
  { word: /\bin vain\b/i, use: 'without success' },
  { word: /\bonce more\b/i, use: 'again' },
  { word: /\blikewise\b/i, use: 'too, the same' },
  {
    word: /\bspeaks? (?:for|against) (?:it|a|one)\b/i,
    use: 'the evidence for, the findings against',
  },
];

/** Text that keeps a retired word: exactly this text, in exactly this file. */
const EXCEPTIONS = [
  ['chaos/verdict.ts', /\bnet\b/, 'an amount less its fee'],
  ['db/functions/hold.sql', /\bnet\b/, 'an amount less its fee'],
  ['test/support/deposit-stories.ts', /\bnet\b/, 'an amount less its fee'],
  ['runtime/metrics.ts', /`told`|'told'/, 'a label of a metric: metrics keep their names'],
  ['graph/channels/channel-webhook.ts', /\btold: message/, 'that label'],
  ['db/schema/channels.ts', /\btold: text/, 'a column'],
  ['db/functions/channel.sql', /reference, told,/, 'that column'],
  ['test/gateway/channel-webhooks.test.ts', /reference, told,|told: 'FAILED'/, 'that column'],
  ['test/workflows/channel-watch.test.ts', /reference, told,/, 'that column'],
  ['test/races/platform-keys.test.ts', /reference, told,/, 'that column'],
  ['workflows/channel-deposit-order.ts', /\bonce more\b/, 'a summary in recorded histories'],
  ['docs/runbook.md', /`told`|received_at, told,/, 'that label, and a column'],
  ['deploy/check/dockerfile.mjs', /\b[Ss]tages?\b/, 'a stage of a Dockerfile'],
  ['deploy/check/image.mjs', /\b[Ss]tages?\b/, 'a stage of a Dockerfile'],
  ['deploy/check/layers.mjs', /\b[Ss]tages?\b/, 'a stage of a Dockerfile'],
  ['docs/production.md', /\b[Ss]tages?\b/, 'a stage of a Dockerfile'],
  ['test/local/dockerfile.test.ts', /\b[Ss]tages?\b/, 'a stage of a Dockerfile'],
];

/** Generated, recorded, or written by others. */
const SKIPPED =
  /^(package-lock\.json|docs\/openapi\.json|docs\/schema\.graphql|gateway\/schema\.graphql|db\/migrations\/|local\/check-words\.mjs|patches\/|test\/graph\/frozen-|test\/replay\/histories\/|test\/vectors\/)/;
const READ = /\.(ts|tsx|mjs|cjs|sql|md|graphql|sh|yml)$/;

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => READ.test(file) && !SKIPPED.test(file));

const found = files.flatMap((file) => {
  const exceptions = EXCEPTIONS.filter(([of]) => of === file);
  return readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, n) => {
      const text = exceptions
        .reduce((rest, [, kept]) => rest.replaceAll(new RegExp(kept, 'g'), ''), line)
        .replaceAll("'node:net'", '');
      return RETIRED.flatMap(({ word, use }) => {
        const [hit] = word.exec(text) ?? [];
        return hit === undefined ? [] : `${file}:${n + 1}: "${hit}" is retired, write: ${use}`;
      });
    });
});

for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;
