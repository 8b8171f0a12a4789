const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

const TESTS = path.join(__dirname, '..');

/**
 * The files that a `*.suite.ts` imports, as absolute paths. Each file loads all its modules again, which for many takes
 * longer than their tests: a run of all loads them once per suite.
 */
exports.filesOfSuites = () =>
  readdirSync(TESTS, { recursive: true })
    .filter((file) => file.endsWith('.suite.ts'))
    .flatMap((suite) => {
      const text = readFileSync(path.join(TESTS, suite), 'utf8');
      return [...text.matchAll(/^import '(.+)';$/gm)].map(([, file]) =>
        path.join(TESTS, path.dirname(suite), `${file}.ts`),
      );
    });
