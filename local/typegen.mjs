// Prints the gateway's SDL, and makes what codegen.ts describes: types and documents of GraphQL operations. None of it is
// in git: the build, the set-up and `npm run check` call this. If no input has changed since the last run, it ends at once.
// `node local/typegen.mjs [FOLDER]`: the rooms may be compiled already, in FOLDER.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, SCHEMA_ROOMS } from './rooms.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const inRoot = (file) => path.join(root, file);
const require = createRequire(import.meta.url);
const GATEWAY_SDL = 'gateway/generated/schema.graphql';
/** The hash of the inputs of the last run, then the files that it made, a line each. */
const marker = inRoot('.causeway-setup/generated');
/** The hash of the sources of the SDL that was printed last. */
const printed = inRoot('.causeway-setup/gateway-schema');

const filesIn = (folder, ending) =>
  existsSync(inRoot(folder))
    ? readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith(ending))
        .map((file) => path.join(folder, file))
        .sort()
    : [];

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(inRoot(file)))
      .update('\0');
  return hash.digest('hex');
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

function put(filename, content) {
  const file = inRoot(filename);
  if (readIfThere(file) === content) return false;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  console.log(`wrote ${filename}`);
  return true;
}

/** From the compiled schema. If it is compiled nowhere, this does it, beside the build, which others may be running. */
function printGatewaySdl(built) {
  const sources = [...SCHEMA_ROOMS.flatMap((room) => filesIn(room, '.ts')), 'package-lock.json'];
  const hash = hashOf(sources);
  if (existsSync(inRoot(GATEWAY_SDL)) && readIfThere(printed) === hash) return;
  const folder = built ?? `node_modules/.cache/gateway-schema-${process.pid}`;
  try {
    if (!built) compile(SCHEMA_ROOMS, folder);
    require('reflect-metadata');
    const { printSchema, lexicographicSortSchema } = require('graphql');
    const { buildGraphSchema } = require(inRoot(`${folder}/graph/schema.js`));
    const { gatewaySchemaOf } = require(inRoot(`${folder}/graph/schemas.js`));
    const schema = lexicographicSortSchema(gatewaySchemaOf(buildGraphSchema()));
    put(GATEWAY_SDL, `${printSchema(schema)}\n`);
  } finally {
    if (!built) rmSync(inRoot(folder), { recursive: true, force: true });
  }
  mkdirSync(path.dirname(printed), { recursive: true });
  writeFileSync(printed, hash);
}

/**
 * @param built the folder of the compiled rooms, if they are compiled
 * @returns whether a file has changed
 */
export async function makeTypes(built) {
  printGatewaySdl(built);
  // Everything that the outputs depend on; the lock file names the generator's version.
  const inputs = hashOf([
    ...['codegen.ts', 'local/documents.ts', 'local/persisted.ts', GATEWAY_SDL],
    ...['gateway/operations.graphql', 'local/operations.graphql'],
    ...filesIn('console', '.graphql'),
    ...['docs/schema.graphql', 'package-lock.json'],
  ]);
  const [known, ...made] = readIfThere(marker).split('\n');
  if (known === inputs && made.every((file) => existsSync(inRoot(file)))) return false;
  const { executeCodegen, loadContext } = require('@graphql-codegen/cli');
  const context = await loadContext(inRoot('codegen.ts'));
  context.updateConfig({ silent: true, cwd: root });
  const { result, error } = await executeCodegen(context);
  if (error) throw error;
  const changed = result.map(({ filename, content }) => put(filename, content));
  writeFileSync(marker, [inputs, ...result.map(({ filename }) => filename)].join('\n'));
  return changed.includes(true);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeTypes(process.argv[2]);
