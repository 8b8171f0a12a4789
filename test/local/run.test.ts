import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runLocal, type LocalParts, type StartAfresh } from '../../local/run';
import { readSettings } from '../../local/settings';
import { temporaryFolder } from '../support/temporary-folder';

// The supervisor with roles that do nothing, on servers that it does not start.
const folder = temporaryFolder();
const program = path.join(folder, 'main.js');
writeFileSync(
  program,
  `const role = process.argv[2];
   process.on('disconnect', () => process.exit(0));
   if (process.env.BROKEN === role) { console.error('no such setting'); process.exit(3); }
   if (role === 'migrate') process.exit(0);
   process.send({ ready: true });
   setInterval(() => {}, 1000);
   if (process.env.CRASHING === role) setTimeout(() => { console.error('boom'); process.exit(7); }, 50);`,
);
const parts: LocalParts = {
  program,
  provision: () =>
    Promise.resolve({
      merchant: { id: 'm1', code: 'DEMO', apiKey: 'pre_key' },
      accounts: [],
      banks: {},
      channels: [],
      agent: { keyId: 'a1', secret: 's1' },
    }),
};

let printed = '';
beforeEach(() => {
  printed = '';
  const keep = (text: string): void => {
    printed += `${text}\n`;
  };
  jest.spyOn(console, 'log').mockImplementation(keep);
  jest.spyOn(console, 'error').mockImplementation(keep);
});
afterEach(() => {
  jest.restoreAllMocks();
});

let instance = 0;
function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv & { CAUSEWAY_DATA: string } {
  instance += 1;
  return {
    ...process.env,
    GATEWAY_PORT: '0',
    GRAPH_PORT: '0',
    TEMPORAL_UI_URL: 'http://ui.test',
    DATABASE_URL: 'postgres://elsewhere/x',
    TEMPORAL_ADDRESS: 'elsewhere:7233',
    CAUSEWAY_DATA: path.join(folder, `data${instance}`),
    ...more,
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

const stop = (): boolean => process.emit('SIGTERM', 'SIGTERM');

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a gateway has two processes from four cores on, unless it is set', () => {
  const processesOf = (env: NodeJS.ProcessEnv, cores: number): string => readSettings(env, cores).gatewayProcesses;
  expect([1, 2, 3, 4, 64].map((cores) => processesOf({}, cores))).toEqual(['1', '1', '1', '2', '2']);
  expect(processesOf({ GATEWAY_PROCESSES: '3' }, 2)).toBe('3');
  expect(processesOf({ GATEWAY_PROCESSES: '1' }, 8)).toBe('1');
});

test('starts everything, prints the addresses, writes sandbox.json, and leaves nothing when it is stopped', async () => {
  const env = environment();
  const running = runLocal(env, parts);
  const file = path.join(env.CAUSEWAY_DATA, 'sandbox.json');
  await until(() => existsSync(file) && printed.includes('└'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const sandbox = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  expect(Object.keys(sandbox).sort()).toEqual([
    ...[
      'accounts',
      'agent',
      'banks',
      'cashier',
      'channels',
      'console',
      'databaseUrl',
      'graphql',
      'mails',
      'merchant',
      'merchantApi',
      'metrics',
    ],
    ...['operator', 'operators', 'temporalAddress', 'temporalUi'],
  ]);
  expect(printed).toMatch(/│ API key +│ pre_key/);
  const pids = ['gateway', 'graph', 'worker'].map((role) => {
    const record = readFileSync(path.join(env.CAUSEWAY_DATA, 'run', `${role}.pid`), 'utf8');
    return (JSON.parse(record) as { pid: number }).pid;
  });
  expect(pids.every(isRunning)).toBe(true);

  const second = await runLocal(env, parts);
  expect(second).toBe(1);
  expect(printed).toContain(`runs on ${env.CAUSEWAY_DATA} already (process ${process.pid})`);
  expect(printed).toContain('set CAUSEWAY_DATA to another folder');

  stop();
  expect(await running).toBe(0);
  expect(pids.some(isRunning)).toBe(false);
  expect(existsSync(file)).toBe(false);
});

test('restarts its roles on request, after a migration, and does not count that as a crash', async () => {
  const env = environment();
  const pids = (): number[] =>
    ['gateway', 'graph', 'worker'].map((role) => {
      const record = readFileSync(path.join(env.CAUSEWAY_DATA, 'run', `${role}.pid`), 'utf8');
      return (JSON.parse(record) as { pid: number }).pid;
    });
  let running = Promise.resolve(0);
  const startAfresh = await new Promise<StartAfresh>((resolve) => {
    running = runLocal(env, parts, resolve);
  });
  const before = pids();
  await startAfresh(true, ['gateway', 'graph', 'worker']);
  const after = pids();
  expect(before.some(isRunning)).toBe(false);
  expect(after.every(isRunning)).toBe(true);
  expect(existsSync(path.join(env.CAUSEWAY_DATA, 'sandbox.json'))).toBe(true);
  expect(printed).not.toContain('crashed');
  stop();
  expect(await running).toBe(0);
  expect(after.some(isRunning)).toBe(false);
});

test('a role that starts afresh is the process that waited, with the build loaded meanwhile', async () => {
  const standbyProgram = path.join(folder, 'standby.js');
  const sent = path.join(folder, 'messages');
  writeFileSync(
    standbyProgram,
    `const end = () => process.exit(0);
     process.on('disconnect', end);
     process.on('message', (message) => {
       require('node:fs').appendFileSync(${JSON.stringify(sent)}, process.pid + ' ' + message + '\\n');
       if (message === 'serve') require(${JSON.stringify(program)});
     });`,
  );
  const env = environment();
  const pidOf = (role: string): number => {
    const record = readFileSync(path.join(env.CAUSEWAY_DATA, 'run', `${role}.pid`), 'utf8');
    return (JSON.parse(record) as { pid: number }).pid;
  };
  let running = Promise.resolve(0);
  const startAfresh = await new Promise<StartAfresh>((resolve) => {
    running = runLocal(env, { ...parts, standbyProgram, keepsStandbys: true }, resolve);
  });
  const [first, gateway] = [pidOf('worker'), pidOf('gateway')];
  await startAfresh(false, ['worker']);
  const second = pidOf('worker');
  await startAfresh(false, ['worker']);
  const third = pidOf('worker');
  const lines = readFileSync(sent, 'utf8').split('\n');
  for (const pid of [first, second, third])
    expect(lines.filter((line) => line.startsWith(`${pid} `))).toEqual([`${pid} load`, `${pid} serve`]);
  expect([first, second].some(isRunning)).toBe(false);
  expect(isRunning(third)).toBe(true);
  // The others run on.
  expect(pidOf('gateway')).toBe(gateway);
  expect(isRunning(gateway)).toBe(true);
  stop();
  expect(await running).toBe(0);
  expect(isRunning(third)).toBe(false);
  expect(printed).not.toContain('crashed');
});

test('keeps its secrets in a file that nobody else can read', async () => {
  const env = environment();
  const secrets = path.join(env.CAUSEWAY_DATA, 'secrets.json');
  const contents: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    printed = '';
    const running = runLocal(env, parts);
    await until(() => printed.includes('└'));
    stop();
    await running;
    contents.push(readFileSync(secrets, 'utf8'));
  }
  expect(contents[0]).toBe(contents[1]);
  expect(statSync(secrets).mode & 0o777).toBe(0o600);
});

test('a busy port is named before anything starts', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const env = environment({ GRAPH_PORT: String(port) });
  expect(await runLocal(env, parts)).toBe(1);
  expect(printed).toContain(`Port ${port} for GraphQL is in use: set GRAPH_PORT to another port`);
  expect(existsSync(path.join(env.CAUSEWAY_DATA, 'logs'))).toBe(false);
  taken.close();
});

test.each(['migrate', 'graph'])(
  '%s that fails at its start stops everything, and its last lines are printed',
  async (role) => {
    expect(await runLocal(environment({ BROKEN: role }), parts)).toBe(1);
    expect(printed).toMatch(new RegExp(`${role} .*exit code 3`));
    expect(printed).toContain('no such setting');
  },
);

test('a role that crashes is reported and restarted; three crashes in a minute stop everything', async () => {
  const env = environment({ CRASHING: 'worker' });
  expect(await runLocal(env, parts)).toBe(1);
  expect(printed.match(/worker crashed \(exit code 7\)/g)).toHaveLength(3);
  expect(printed).toContain('boom');
  expect(printed).toContain('worker is running again');
  expect(printed).toContain('worker crashed 3 times within a minute');
});
