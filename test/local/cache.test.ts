import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findEntry, isIntact, makeEntry } from '../../local/cache';
import { provide } from '../../local/servers';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

const fill = (content: string) => (entry: string) => {
  writeFileSync(path.join(entry, 'program'), content, { mode: 0o755 });
  return Promise.resolve();
};

test('an entry is found once it is whole, and known as damaged when a byte differs', async () => {
  const entry = await makeEntry(folder, 'server-1', fill('good'));
  expect(findEntry(folder, 'server-1')).toBe(entry);
  expect(await isIntact(entry)).toBe(true);
  writeFileSync(path.join(entry, 'program'), 'gooe');
  expect(await isIntact(entry)).toBe(false);
});

test('a fetch that fails leaves nothing', async () => {
  const failing = makeEntry(folder, 'server-2', () => Promise.reject(new Error('no network')));
  await expect(failing).rejects.toThrow('no network');
  expect(findEntry(folder, 'server-2')).toBeUndefined();
});

test('the next fetch removes what a killed one left', async () => {
  // No process has this number: it is above the kernel's limit.
  const left = path.join(folder, 'server-3.tmp-99999999');
  mkdirSync(left);
  await makeEntry(folder, 'server-3', fill('good'));
  expect(existsSync(left)).toBe(false);
});

describe('a server', () => {
  const server = {
    what: 'test server',
    variable: 'TEST_SERVER_PATH',
    entry: 'server-4',
    program: 'program',
    wayOut: 'Install it.',
  };
  const env = { XDG_CACHE_HOME: folder };
  const broken = { name: 'the moon', fetch: () => Promise.reject(new Error('too far')) };
  const good = { name: 'next door', fetch: fill('good') };
  const ignore = () => undefined;

  test('that no source has is reported with each failure and the way out', async () => {
    await expect(provide({ ...server, sources: [broken] }, env, ignore)).rejects.toThrow(
      'The test server could not be fetched:\n  the moon: too far\nInstall it.',
    );
  });

  test('comes from the first source that has it, and then from the cache', async () => {
    const said: string[] = [];
    const say = (line: string) => said.push(line);
    const program = await provide({ ...server, sources: [broken, good] }, env, say);
    expect(existsSync(program)).toBe(true);
    expect(await provide({ ...server, sources: [] }, env, say)).toBe(program);
    expect(said.at(-1)).toBe('test server: in the cache, checksums correct');
  });

  test('that is damaged in the cache is fetched again', async () => {
    const program = path.join(folder, 'causeway', 'server-4', 'program');
    writeFileSync(program, 'bad');
    await provide({ ...server, sources: [good] }, env, ignore);
    expect(await isIntact(path.dirname(program))).toBe(true);
  });

  test('that the environment names must be a program', async () => {
    const named = { ...env, TEST_SERVER_PATH: '/nowhere' };
    await expect(provide({ ...server, sources: [] }, named, ignore)).rejects.toThrow(
      'TEST_SERVER_PATH is /nowhere, which is not a program',
    );
  });
});
