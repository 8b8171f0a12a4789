// Makes the generated files that are in git: the operators' SDL and documents, OpenAPI,
// the contract's list of optional fields, the Grafana dashboard, and the tables' migration. With --check it writes
// nothing, and fails if a file is stale. With --freeze it also records the operators' schema as a promise
// (docs/schema-changes.md).
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import prettier from 'prettier';
import { withOptionalFields } from './contract-fields.mjs';
import { makeDashboard } from './dashboards.mjs';
import { compile, GENERATED } from './rooms.mjs';
import { makeTypes } from './typegen.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const check = process.argv.includes('--check');
const freeze = process.argv.includes('--freeze');
const require = createRequire(import.meta.url);
let stale = false;

const OPERATIONS_HEADER = `# Printed by npm run generate. A document for everything that an operator can do: send one with its operationName,
# its fragments and its variables to POST /graphql on the internal listener, with \`Authorization: Bearer <token>\` from
# Login.`;

const bin = (name) => path.join(root, 'node_modules/.bin', name);
const run = (command, args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });

function put(file, text) {
  const target = path.join(root, file);
  const now = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (now === text) return;
  if (check) {
    console.error(`${file} is stale: run npm run generate`);
    stale = true;
    return;
  }
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
  console.log(`wrote ${file}`);
}

run(process.execPath, [path.join(root, 'local/build.mjs'), '--core']);
require(path.join(root, 'node_modules/reflect-metadata'));

const { lexicographicSortSchema, parse, print, printSchema, visit } = require('graphql');
const { buildGraphSchema } = require(path.join(root, 'dist/graph/schema.js'));
const { operatorSchemaOf } = require(path.join(root, 'dist/graph/schemas.js'));
const sdl = (schema) => `${printSchema(lexicographicSortSchema(schema))}\n`;
const whole = buildGraphSchema();
put('docs/schema.graphql', sdl(operatorSchemaOf(whole)));
if (freeze) put('test/graph/frozen-schema.graphql', bare(sdl(operatorSchemaOf(whole))));

/** A schema without its descriptions, which may change. */
function bare(text) {
  const undescribed = (node) => ('description' in node ? { ...node, description: undefined } : undefined);
  return `${print(visit(parse(text), { enter: undescribed }))}\n`;
}

/** The console's documents and those without a page, as they are in their files. */
function printOperations() {
  const pages = readdirSync(path.join(root, 'console'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.graphql'))
    .map((file) => `console/${file}`)
    .sort();
  const texts = ['local/operations.graphql', ...pages].map((file) =>
    [`# --- ${file}`, readFileSync(path.join(root, file), 'utf8').trim()].join('\n\n'),
  );
  return [OPERATIONS_HEADER, ...texts].join('\n\n') + '\n';
}

if (existsSync(path.join(root, 'console'))) put('docs/operations.graphql', printOperations());

// The facade's documents, from the schemas just printed: its routes, and so OpenAPI, import them.
await makeTypes('dist');
compile(GENERATED, 'dist');

const { openApiDocument } = require(path.join(root, 'dist/gateway/openapi.js'));
const openApi = await openApiDocument();
put('docs/openapi.json', `${JSON.stringify(openApi, null, 2)}\n`);
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const contract = withOptionalFields(read('docs/contract.md'), openApi);
put(
  'docs/contract.md',
  await prettier.format(contract, {
    ...(await prettier.resolveConfig(path.join(root, 'docs/contract.md'))),
    parser: 'markdown',
  }),
);

/** Every role's metrics, without values: nothing is read from a database. */
async function metricsText() {
  const { registry } = require(path.join(root, 'dist/runtime/metrics.js'));
  const { Totals } = require(path.join(root, 'dist/steps/ledger/totals.js'));
  const ignore = () => undefined;
  const log = { error: ignore, warn: ignore };
  const totals = new Totals({ database: {}, clock: () => new Date(), log });
  return [await registry.metrics(), await totals.text()].join('\n');
}

put(
  'deploy/grafana/causeway.json',
  makeDashboard(await metricsText(), read('docs/runbook.md'), read('deploy/prometheus/alerts.yml')),
);

if (check) {
  // Works on a copy, so that a check leaves nothing behind.
  const copy = mkdtempSync(path.join(tmpdir(), 'causeway-migrations-'));
  cpSync(path.join(root, 'db/migrations'), copy, { recursive: true });
  const args = ['--dialect', 'postgresql', '--schema', 'db/schema/index.ts', '--out', path.relative(root, copy)];
  const said = execFileSync(bin('drizzle-kit'), ['generate', ...args, '--name', 'stale'], {
    cwd: root,
  });
  rmSync(copy, { recursive: true });
  if (!/No schema changes/.test(String(said))) {
    console.error('db/schema has changes without a migration: run npm run generate');
    stale = true;
  }
} else {
  run(bin('drizzle-kit'), ['generate', '--name', 'tables']);
  // The tables are compared only with the newest snapshot, which nobody reads: it is one line, and older ones are
  // deleted.
  const meta = path.join(root, 'db/migrations/meta');
  const snapshots = readdirSync(meta).filter((file) => file.endsWith('_snapshot.json'));
  const newest = snapshots.sort().pop();
  for (const old of snapshots) rmSync(path.join(meta, old));
  const text = readFileSync(path.join(meta, newest), 'utf8');
  writeFileSync(path.join(meta, newest), `${JSON.stringify(JSON.parse(text))}\n`);
}

process.exit(stale ? 1 : 0);
