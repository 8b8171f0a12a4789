// `npm run check`: runs the named check: scripts of package.json two at a time, and prints the time of each. The output
// of a check is shown only if it fails; a failure does not stop the others. Outside CI, a check that passed is not
// repeated until its inputs change.
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
/** Programs, their settings, and the sources of generated types. */
const PROGRAMS = /\.(tsx?|mjs|cjs|js|json|graphql)$/;
/** The files that a check's result depends on. A check without an entry always runs. */
const INPUTS = {
  'check:types': PROGRAMS,
  'check:lint': PROGRAMS,
  'check:imports': PROGRAMS,
  'check:unused': PROGRAMS,
  'check:format': ANY,
  'check:words': ANY,
  'check:size': ANY,
  'check:generated':
    /^(?!test\/|bench\/|chaos\/).*\.(ts|mjs|json|graphql|sql)$|^docs\/(contract|runbook)\.md$|^deploy\/prometheus\//,
};

const files = process.env.CI ? undefined : projectFiles(root);
mkdirSync(cache, { recursive: true });

/** The hash of everything that a check's result depends on; undefined if it always runs. */
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
    console.log(`${seconds()} s  ${name} passed before with the same inputs`);
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
  // If a lint could not run, the output says so; that fails only in CI.
  const said = passed && !/\bNOT linted\b/.test(printed) ? '' : `\n${printed}`;
  console.log(`${seconds()} s  ${name} ${passed ? 'passed' : 'FAILED'}${said}`);
  if (!passed) process.exitCode = 1;
  else if (inputs) writeFileSync(path.join(cache, name.replace(':', '-')), inputs);
}

async function workThrough() {
  for (let name = waiting.shift(); name; name = waiting.shift()) await check(name);
}

await Promise.all([workThrough(), workThrough()]);
