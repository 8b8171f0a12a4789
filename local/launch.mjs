// Sets up what is missing, then runs a program in this same process, so that it gets our signals and sets our exit
// code: `node local/launch.mjs start|test|build PROGRAM [ARGUMENTS]`. The npm scripts call it themselves (launch.sh),
// because npm skips pre-scripts if ignore-scripts is set.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isFetched } from './node.mjs';
import { setUp } from './setup.mjs';

const [node, , purpose, program, ...args] = process.argv;
// For npm, npx and `node` below us; the others take this process's own program.
if (isFetched()) process.env.PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
if (await setUp(purpose)) {
  const file = path.resolve(program);
  process.argv = [node, file, ...args];
  await import(pathToFileURL(file).href);
}
