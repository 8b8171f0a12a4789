// Sets up what is missing, then runs a program in this same process, so that it gets our signals and sets our exit
// code: `node local/launch.mjs start|test|build PROGRAM [ARGUMENTS]`. The npm scripts call it themselves, because npm
// skips pre-scripts if ignore-scripts is set.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setUp } from './setup.mjs';

const [node, , purpose, program, ...args] = process.argv;
if (await setUp(purpose)) {
  const file = path.resolve(program);
  process.argv = [node, file, ...args];
  await import(pathToFileURL(file).href);
}
