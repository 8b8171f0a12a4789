// `npm run check`: runs the named check: scripts of package.json two at a time, each with its time. What a check prints is
// shown when it fails; all run, whatever failed before. A check whose inputs are those that it passed with last is not run
// again, but in CI.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { hashFiles, projectFiles } from './project-files.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const cache = path.join(root, 'node_modules/.cache/check');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const waiting = process.argv.slice(2).map((name) => `check:${name}`);

const ANY = /./;
/** Programs, their settings, and what types are generated from. */
const PROGRAMS = /\.(tsx?|mjs|cjs|js|json|graphql)$/;
/** The files that a check's verdict depends on. One that is not named here runs each time. */
const INPUTS = {
  'check:types': PROGRAMS,
  'check:lint': PROGRAMS,
  'check:imports': PROGRAMS,
  'check:unused': PROGRAMS,
  'check:format': ANY,
  'check:words': ANY,
  'check:size': ANY,
  'check:generated': /^(?!test\/|bench\/|chaos\/).*\.(ts|mjs|json|graphql|sql)$/,
};

const files = process.env.CI ? undefined : projectFiles(root);
mkdirSync(cache, { recursive: true });

/** The hash of all that a check's verdict depends on; undefined where it runs each time. */
function inputsOf(name) {
  const pattern = INPUTS[name];
  if (!files || !pattern) return undefined;
  return hashFiles(
    root,
    files.filter((file) => pattern.test(file)),
    scripts[name],
  );
}

function passedWith(name) {
  try {
    return readFileSync(path.join(cache, name.replace(':', '-')), 'utf8');
  } catch {
    return '';
  }
}

async function check(name) {
  const started = Date.now();
  const seconds = () => ((Date.now() - started) / 1000).toFixed(1).padStart(6);
  const inputs = inputsOf(name);
  if (inputs && passedWith(name) === inputs) {
    console.log(`${seconds()} s  ${name} passed before, and nothing that it reads has changed`);
    return;
  }
  const child = spawn(`${scripts[name]} 2>&1`, {
    cwd: root,
    shell: true,
    env: { ...process.env, PATH: `${path.join(root, 'node_modules/.bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const printed = await text(child.stdout);
  const passed = (await ended) === 0;
  // A lint that could not be done says so, and fails in CI alone.
  const said = passed && !/\bNOT linted\b/.test(printed) ? '' : `\n${printed}`;
  console.log(`${seconds()} s  ${name} ${passed ? 'passed' : 'FAILED'}${said}`);
  if (!passed) process.exitCode = 1;
  else if (inputs) writeFileSync(path.join(cache, name.replace(':', '-')), inputs);
}

async function workThrough() {
  for (let name = waiting.shift(); name; name = waiting.shift()) await check(name);
}

await Promise.all([workThrough(), workThrough()]);
