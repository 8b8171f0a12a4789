// Makes what codegen.ts describes: types and documents of GraphQL operations. None of it is in git: the build, the
// set-up and `npm run check` call this first. If no input has changed since the last run, it ends at once.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const inRoot = (file) => path.join(root, file);
/** The hash of the inputs of the last run, then the files that it made, a line each. */
const marker = inRoot('.causeway-setup/generated');

const documents = (folder) =>
  existsSync(inRoot(folder))
    ? readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.graphql'))
        .map((file) => path.join(folder, file))
        .sort()
    : [];

/** Everything that the outputs depend on; the lock file names the generator's version. */
function hashInputs() {
  const hash = createHash('sha256');
  const files = [
    ...['codegen.ts', 'local/documents.ts', 'local/persisted.ts'],
    ...['gateway', 'console', 'local'].flatMap(documents),
    ...['docs/schema.graphql', 'package-lock.json'],
  ];
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(inRoot(file)))
      .update('\0');
  return hash.digest('hex');
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const inputs = hashInputs();
const [known, ...made] = readIfThere(marker).split('\n');
if (known !== inputs || !made.every((file) => existsSync(inRoot(file)))) {
  const { executeCodegen, loadContext } = createRequire(import.meta.url)('@graphql-codegen/cli');
  const context = await loadContext(inRoot('codegen.ts'));
  context.updateConfig({ silent: true, cwd: root });
  const { result, error } = await executeCodegen(context);
  if (error) throw error;
  for (const { filename, content } of result) {
    const file = inRoot(filename);
    if (readIfThere(file) === content) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    console.log(`wrote ${filename}`);
  }
  mkdirSync(path.dirname(marker), { recursive: true });
  writeFileSync(marker, [inputs, ...result.map(({ filename }) => filename)].join('\n'));
}
