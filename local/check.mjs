// `npm run check`: runs the named check: scripts of package.json two at a time, each with its time. What a check prints is
// shown when it fails; all run, whatever failed before.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const waiting = process.argv.slice(2).map((name) => `check:${name}`);

async function check(name) {
  const started = Date.now();
  const child = spawn(`${scripts[name]} 2>&1`, {
    cwd: root,
    shell: true,
    env: { ...process.env, PATH: `${path.join(root, 'node_modules/.bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const printed = await text(child.stdout);
  const passed = (await ended) === 0;
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(6);
  console.log(`${seconds} s  ${name} ${passed ? 'passed' : `FAILED\n${printed}`}`);
  if (!passed) process.exitCode = 1;
}

async function workThrough() {
  for (let name = waiting.shift(); name; name = waiting.shift()) await check(name);
}

await Promise.all([workThrough(), workThrough()]);
