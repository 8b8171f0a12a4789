import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { requirePatchedDriver } from '../../db/driver';

const root = path.resolve(__dirname, '../..');
/** Roles and commands, and what starts the whole platform. */
const COMMANDS = [
  ...['gateway', 'graph', 'worker', 'migrate', 'ledger:verify', 'audit:verify', 'audit:stream'],
  ...['keys:rotate', 'keys:check', 'archive', 'erase', 'payouts:ask', 'recovery', ''],
];

describe('the probe of the driver', () => {
  it('accepts the one of the set-up, in a moment', async () => {
    await requirePatchedDriver();
    const began = performance.now();
    await requirePatchedDriver();
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it.each([
    { PGTARGETSESSIONATTRS: 'read-write' },
    { PGTARGETSESSIONATTRS: 'primary' },
    { PGTARGETSESSIONATTRS: 'standby' },
    { PGTARGETSESSIONATTRS: 'any' },
    { PGSSL: 'require', PGSSLNEGOTIATION: 'direct' },
    { PGHOST: '/var/run/none,b:x', PGPORT: 'none', PGDATABASE: 'd', PGUSER: 'u', PGAPPNAME: 'a' },
    { PGSSLMODE: 'require', PGPASSWORD: 'p', PGBACKOFF: '1', PGMAX: '9', PGPUBLICATIONS: 'x' },
    { PGIDLE_TIMEOUT: '0.001', PGCONNECT_TIMEOUT: '0.001', PGMAX_LIFETIME: '0.001' },
    { PGPREPARE: 'x', PGFETCH_TYPES: 'x', PGDEBUG: 'x', PGMAX_PIPELINE: '1', PGKEEP_ALIVE: '1' },
  ])('asks no server, whatever settings of one there are: %p', async (set) => {
    const before = process.env;
    process.env = { ...before, ...set };
    try {
      await expect(requirePatchedDriver()).resolves.toBeUndefined();
    } finally {
      process.env = before;
    }
  });

  it('ends with an error if the driver never answers', async () => {
    const silent = '() => ({ unsafe: () => new Promise(() => {}), end: async () => {} })';
    const script = `
      const Module = require('node:module');
      const load = Module._load;
      Module._load = (name, ...rest) => (name === 'postgres' ? ${silent} : load(name, ...rest));
      const { requirePatchedDriver } = require(${JSON.stringify(path.join(root, 'dist/db/driver.js'))});
      requirePatchedDriver(50).catch((error) => { console.error(error.message); process.exit(1); });`;
    const ended = await new Promise((resolve) => {
      execFile(process.execPath, ['-e', script], { timeout: 60_000 }, (error, _out, said) => {
        resolve([error?.code ?? 0, said]);
      });
    });
    expect(ended).toEqual([1, expect.stringContaining('no answer within 0.05 s')]);
  });

  describe('with the driver as its authors publish it', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'causeway-driver-'));
      const own = path.join(folder, 'node_modules/postgres');
      cpSync(path.join(root, 'node_modules/postgres'), own, { recursive: true });
      unpatch(folder, readFileSync(path.join(root, 'patches/postgres+3.4.9.patch'), 'utf8'));
      // Each process finds that copy instead.
      writeFileSync(
        path.join(folder, 'unpatched.js'),
        `const Module = require('node:module');
         const find = Module._resolveFilename;
         Module._resolveFilename = (name, ...rest) =>
           find(name === 'postgres' ? ${JSON.stringify(own)} : name, ...rest);`,
      );
    });
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    const run = async (command: string): Promise<{ code: unknown; said: string }> =>
      await new Promise((resolve) => {
        const args = [path.join(root, 'dist/main.js'), ...(command === '' ? [] : [command])];
        const env = {
          ...process.env,
          NODE_OPTIONS: `--require ${path.join(folder, 'unpatched.js')}`,
        };
        execFile(process.execPath, args, { env, timeout: 60_000 }, (error, _out, said) => {
          resolve({ code: error?.code ?? 0, said });
        });
      });

    it('refuses every role and command, by name', async () => {
      const runs = COMMANDS.map(async (command) => ({ command, ...(await run(command)) }));
      for (const { command, code, said } of await Promise.all(runs)) {
        expect([command, code]).toEqual([command, 1]);
        expect(said).toContain('the postgres driver lacks our patch (patches/)');
        expect(said).toContain('[null,null,null,"4","5"]');
      }
    });
  });
});

/** Takes a patch back: each of its hunks, from what it made to what was there. */
function unpatch(folder: string, patch: string): void {
  for (const diff of patch.split(/^diff --git .*\n/m).slice(1)) {
    const [head = '', ...hunks] = diff.split(/^@@ .*\n/m);
    const file = path.join(folder, /^\+\+\+ b\/(.*)$/m.exec(head)?.[1] ?? '');
    let text = readFileSync(file, 'utf8');
    for (const hunk of hunks) {
      const lines = hunk.split('\n').filter((line) => /^[ +-]/.test(line));
      const side = (marks: string): string =>
        lines
          .filter((line) => marks.includes(line.charAt(0)))
          .map((line) => line.slice(1))
          .join('\n');
      expect(text).toContain(side(' +'));
      text = text.replace(side(' +'), () => side(' -'));
    }
    writeFileSync(file, text);
  }
}
