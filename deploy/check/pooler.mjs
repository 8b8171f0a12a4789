// Runs the roles behind a real pgbouncer in transaction mode, each as its own database user: the demo's deposit from the first
// request to the callback, then many requests at once. No answer may be a 5xx, and all of it must have gone through the pooler.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeUsers, ROLES } from './processes.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(import.meta.url);
const built = (file) => require(path.join(root, 'dist', file));

const AT_ONCE = 60;
/** Fewer than the connections of the three processes: they have to share. */
const SERVER_CONNECTIONS = 12;
const START_WITHIN_MS = 120_000;

/** pgbouncer, as PGBOUNCER_PATH or on PATH; undefined if there is none. */
export const findPooler = () =>
  [
    ...(process.env.PGBOUNCER_PATH ? [process.env.PGBOUNCER_PATH] : []),
    ...[...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin'].map((folder) =>
      path.join(folder, 'pgbouncer'),
    ),
  ].find((file) => existsSync(file));

const random = () => randomBytes(24).toString('hex');

/** Starts a program; resolves its end to its exit code. */
function start(name, command, args, env) {
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
    if (outcome !== undefined)
      throw new Error(`${program.name} ended with ${outcome}\n${program.output()}`);
    if (performance.now() - since > START_WITHIN_MS)
      throw new Error(`${program.name} is not ready\n${program.output()}`);
  }
}

/** pgbouncer in front of a database, as somebody who is not root. It logs in as each role itself. */
function startPooler(pooler, folder, port, urls) {
  const target = new URL(urls.gateway);
  const users = Object.values(urls).map((url) => new URL(url));
  const file = path.join(folder, 'pgbouncer.ini');
  const list = path.join(folder, 'users.txt');
  writeFileSync(list, users.map((url) => `"${url.username}" "${url.password}"\n`).join(''));
  writeFileSync(
    file,
    `[databases]
causeway = host=${target.hostname} port=${target.port} dbname=causeway
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${list}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 500
`,
  );
  for (const readable of [file, list]) chmodSync(readable, 0o644);
  const args = process.getuid?.() === 0 ? ['-u', 'nobody', file] : [file];
  return start('pgbouncer', pooler, args, process.env);
}

/** Creates orders at once and asks for each. @returns how many answers had which status */
async function burst({ merchantApi, merchant, accounts }) {
  const statuses = {};
  const call = async (method, route, fields) => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const text = Object.entries({ ...fields, timestamp })
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    const query = method === 'GET' ? `?${new URLSearchParams(fields)}` : '';
    const answer = await fetch(`${merchantApi}${route}${query}`, {
      method,
      headers: {
        ...{ 'content-type': 'application/json', 'x-api-key': merchant.apiKey },
        'x-timestamp': timestamp,
        'x-signature': createHash('md5')
          .update(text + merchant.apiKey)
          .digest('hex'),
      },
      ...(method === 'POST' && { body: JSON.stringify(fields) }),
    });
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    await answer.arrayBuffer();
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      const merchant_order_no = `pooled-${n}`;
      await call('POST', '/orders/deposit', {
        ...{ merchant_order_no, amount: `${100 + n}.00`, user_id: `payer-${n}` },
        ...{ currency_code: accounts[0].currencyCode, callback_url: 'http://127.0.0.1:9/nobody' },
      });
      await call('GET', '/query/deposit', { merchant_order_no });
    }),
  );
  return statuses;
}

/** @throws with the first fault */
export async function checkPooler(pooler, say) {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-pooler-'));
  chmodSync(folder, 0o755);
  const { freePort } = built('local/ports.js');
  const { locate, temporalCli } = built('local/servers.js');
  const programs = [];
  const stops = [];
  try {
    const server = await built('local/postgres.js').startPostgres({
      ...{ dataDir: path.join(folder, 'postgres'), port: await freePort(), password: random() },
      ...{ database: 'postgres', log: path.join(folder, 'postgres.log'), durable: false },
    });
    stops.push(() => server.stop());
    const temporal = await built('local/temporal-server.js').startTemporal({
      ...{ binary: locate(temporalCli, process.env), port: await freePort() },
      ...{ log: path.join(folder, 'temporal.log'), pidFile: path.join(folder, 'temporal.pid') },
    });
    stops.push(() => temporal.stop());
    const admin = require('postgres')(server.url, { max: 1, onnotice: () => undefined });
    stops.unshift(() => admin.end());
    const urls = await makeUsers(admin, server.url);
    for (const role of ROLES)
      for (const [name, value] of [
        ['lock_timeout', '2s'],
        ['statement_timeout', '15s'],
        ['idle_in_transaction_session_timeout', '4s'],
      ])
        await admin.unsafe(`alter role causeway_${role} set ${name} = '${value}'`);

    const port = await freePort();
    const program = startPooler(pooler, folder, port, urls);
    programs.push(program);
    const ports = {};
    for (const name of ['GATEWAY_PORT', 'GRAPH_PORT', 'WORKER_METRICS_PORT'])
      ports[name] = String(await freePort());
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
    // Not through the pooler. A sandbox's purge takes a superuser.
    const direct = new URL(server.url);
    direct.pathname = '/causeway';
    await toEnd(
      start('migrate', process.execPath, [main, 'migrate'], { ...env, DATABASE_URL: direct.href }),
    );
    const origin = (name) => `http://127.0.0.1:${ports[name]}`;
    for (const role of ROLES) {
      const url = new URL(urls[role]);
      url.port = String(port);
      const own = { ...env, DATABASE_URL: url.href, DATABASE_POOLER: 'true' };
      programs.push(start(role, process.execPath, [main, role], own));
    }
    const [, gateway, graph, worker] = programs;
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
    await toEnd(
      start('the demo', process.execPath, [demo], { ...process.env, CAUSEWAY_DATA: data }),
    );
    say('pgbouncer: a deposit from its request to its callback');

    const statuses = await burst(sandbox);
    if (JSON.stringify(statuses) !== JSON.stringify({ 200: AT_ONCE, 201: AT_ONCE }))
      throw new Error(`${AT_ONCE} creates and queries at once: ${JSON.stringify(statuses)}`);
    // No more than the pooler may hold for three users: past it they would hold up to 28 each.
    const [{ count }] = await admin`
      select count(*)::int from pg_stat_activity where usename like 'causeway\\_%'`;
    if (count > SERVER_CONNECTIONS * ROLES.length)
      throw new Error(`${count} connections: some go past the pooler`);
    say(`pgbouncer: ${AT_ONCE} creates and queries at once: ${JSON.stringify(statuses)}`);
  } finally {
    for (const { child } of programs) child.kill('SIGKILL');
    await Promise.all(programs.map(({ ended }) => ended));
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
