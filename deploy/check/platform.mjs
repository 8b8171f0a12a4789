// Runs the three roles on a PostgreSQL and a Temporal of this machine, each as its own database user, for one part of the
// checks.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeUsers, ROLES } from './processes.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(import.meta.url);
export const built = (file) => require(path.join(root, 'dist', file));

const START_WITHIN_MS = 120_000;

const random = () => randomBytes(24).toString('hex');

/** Starts a program; resolves its end to its exit code. */
export function start(name, command, args, env) {
  let output = '';
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output = (output + text).slice(-20_000)));
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return { name, child, ended, output: () => output };
}

async function toEnd({ name, ended, output }) {
  const code = await ended;
  if (code !== 0) throw new Error(`${name} ended with ${code}\n${output()}`);
  return output();
}

async function untilReady(program, url) {
  const since = performance.now();
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    const outcome = await Promise.race([program.ended, sleep(100)]);
    if (outcome !== undefined) throw new Error(`${program.name} ended with ${outcome}\n${program.output()}`);
    if (performance.now() - since > START_WITHIN_MS)
      throw new Error(`${program.name} is not ready\n${program.output()}`);
  }
}

/**
 * @param prepare gets the database users' addresses and starts what stands between; returns the settings of each role
 * @param play gets the running platform with its demo tenant
 * @throws with the first fault
 */
export async function onPlatform(name, { prepare, play }, say) {
  const folder = mkdtempSync(path.join(tmpdir(), `causeway-${name}-`));
  chmodSync(folder, 0o755);
  const { freePort } = built('local/ports.js');
  const { provide, temporalCli } = built('local/servers.js');
  const programs = [];
  const stops = [];
  try {
    const server = await built('local/postgres.js').startPostgres({
      ...{ dataDir: path.join(folder, 'postgres'), port: await freePort(), password: random() },
      ...{ database: 'postgres', log: path.join(folder, 'postgres.log'), durable: false },
    });
    stops.push(() => server.stop());
    const temporal = await built('local/temporal-server.js').startTemporal({
      ...{ binary: await provide(temporalCli, process.env, say), port: await freePort() },
      ...{ log: path.join(folder, 'temporal.log'), pidFile: path.join(folder, 'temporal.pid') },
    });
    stops.push(() => temporal.stop());
    const admin = require('postgres')(server.url, { max: 1, onnotice: () => undefined });
    stops.unshift(() => admin.end());
    const urls = await makeUsers(admin, server.url);
    const ports = {};
    for (const port of ['GATEWAY_PORT', 'GRAPH_PORT', 'WORKER_METRICS_PORT']) ports[port] = String(await freePort());
    const settingsOf = await prepare({ folder, admin, urls, programs, freePort });
    const operator = { login: 'admin', password: random() };
    mkdirSync(path.join(folder, 'marker'));
    const env = {
      ...{ PATH: process.env.PATH, CAUSEWAY_ENV: 'sandbox', LOG_LEVEL: 'warn', ...ports },
      CAUSEWAY_KEYS: randomBytes(32).toString('base64'),
      CAUSEWAY_AUDIT_KEY: randomBytes(32).toString('base64'),
      ...{ OPERATOR_LOGIN: operator.login, OPERATOR_PASSWORD: operator.password },
      ...{ TEMPORAL_ADDRESS: temporal.address, MARKER_FOLDER: path.join(folder, 'marker') },
    };
    const main = path.join(root, 'dist', 'main.js');
    // At PostgreSQL itself. A sandbox's purge takes a superuser.
    const direct = new URL(server.url);
    direct.pathname = '/causeway';
    await toEnd(start('migrate', process.execPath, [main, 'migrate'], { ...env, DATABASE_URL: direct.href }));
    const origin = (port) => `http://127.0.0.1:${ports[port]}`;
    const roles = ROLES.map((role) => {
      const own = { ...env, DATABASE_URL: urls[role], ...settingsOf(role) };
      return start(role, process.execPath, [main, role], own);
    });
    programs.push(...roles);
    const [gateway, graph, worker] = roles;
    await untilReady(gateway, `${origin('GATEWAY_PORT')}/health/ready`);
    await untilReady(graph, `${origin('GRAPH_PORT')}/health/ready`);
    await untilReady(worker, `${origin('WORKER_METRICS_PORT')}/health/ready`);

    const data = path.join(folder, 'data');
    mkdirSync(data);
    const graphql = `${origin('GRAPH_PORT')}/graphql`;
    const tenant = await built('local/demo-tenant.js').provisionDemoTenant({
      ...{ graphUrl: graphql, operator, dataDir: data },
    });
    const sandbox = {
      ...tenant,
      ...{ merchantApi: `${origin('GATEWAY_PORT')}/api/v1/merchant`, graphql, operator },
    };
    writeFileSync(path.join(data, 'sandbox.json'), JSON.stringify(sandbox));
    const demo = path.join(root, 'dist', 'local', 'demo.js');
    /** A deposit from its request to its callback. */
    const runDemo = () => toEnd(start('the demo', process.execPath, [demo], { ...process.env, CAUSEWAY_DATA: data }));
    await play({ sandbox, admin, runDemo });
  } finally {
    for (const { child } of programs) child.kill('SIGKILL');
    await Promise.all(programs.map(({ ended }) => ended));
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
