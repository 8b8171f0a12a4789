// Starts what the chart describes, from what the image holds, on a PostgreSQL and a Temporal of this machine, in production: the
// migration, a process of each Deployment and CronJob; then judges their probes and pages, their users' rights, the queues
// they serve, and how they stop.
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { judgePage } from './pages.mjs';
import { confinementOf, startPod } from './pod.mjs';
import { render, resources, VALUES } from './render.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(import.meta.url);
const built = (file) => require(path.join(root, 'dist', file));

const START_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 100;
export const ROLES = ['gateway', 'graph', 'worker'];
/** Nobody who may only use the platform may change what was booked, or a table. */
const FORBIDDEN = [
  'delete from audit_log',
  'update ledger_entries set amount = 0',
  'alter table merchants add column more text',
  'create table more (id int)',
];
const REFUSED = '42501';
const COMPOSE_FILES = ['docker-compose.yml', 'deploy/compose.production.yml'];

async function until(what, isTrue, within = START_WITHIN_MS) {
  const since = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - since > within) throw new Error(`${what}: not within ${within / 1000} s`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** A probe of a manifest, on the ports used here. */
async function probe(process_, which) {
  const { httpGet } = process_.container[which];
  const port = process_.portOf(httpGet.port);
  try {
    return (await fetch(`http://127.0.0.1:${port}${httpGet.path}`)).status;
  } catch {
    return 0;
  }
}

const random = () => randomBytes(24).toString('hex');

/** The users of deploy/postgres/users.sql, with their passwords. */
export async function makeUsers(sql, postgresUrl) {
  const passwords = Object.fromEntries(['owner', ...ROLES].map((name) => [name, random()]));
  const text = readFileSync(path.join(root, 'deploy/postgres/users.sql'), 'utf8')
    .replace(/^--.*$/gm, '')
    .replace(/:'(\w+)'/g, (_, name) => `'${passwords[name]}'`);
  for (const statement of text.split(';').filter((one) => one.trim() !== '')) await sql.unsafe(statement);
  const urlOf = (user, password) => {
    const url = new URL(postgresUrl);
    Object.assign(url, { username: user, password, pathname: '/causeway' });
    return url.href;
  };
  return {
    migrate: urlOf('causeway_owner', passwords.owner),
    ...Object.fromEntries(ROLES.map((role) => [role, urlOf(`causeway_${role}`, passwords[role])])),
  };
}

/** Files as Kubernetes mounts a Secret: of root, and for the pod's group to read. */
function writeSecrets(folder, manifests, urls) {
  const shared = {
    CAUSEWAY_KEYS: randomBytes(32).toString('base64'),
    CAUSEWAY_AUDIT_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  return Object.fromEntries(
    manifests
      .filter(({ kind }) => kind === 'ExternalSecret')
      .map(({ metadata: { name }, spec }) => {
        const place = path.join(folder, `secret-${name}`);
        mkdirSync(place);
        for (const { secretKey, remoteRef } of spec.data) {
          const role = remoteRef.key.split('/').at(-1);
          const file = path.join(place, secretKey);
          writeFileSync(file, secretKey === 'DATABASE_URL' ? urls[role] : shared[secretKey]);
          chmodSync(file, 0o440);
          if (process.getuid?.() === 0) chownSync(file, 0, 1000);
        }
        chmodSync(place, 0o755);
        return [name, place];
      }),
  );
}

async function judgeRights(postgres, role, url) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const [{ usesuper }] = await sql`select usesuper from pg_user where usename = current_user`;
    if (usesuper) throw new Error(`${role}: its database user is a superuser`);
    for (const statement of FORBIDDEN) {
      const outcome = await sql.unsafe(statement).catch((error) => error.code);
      if (outcome !== REFUSED) throw new Error(`${role}: its database user may ${statement}`);
    }
  } finally {
    await sql.end();
  }
}

/** Whether each queue has a worker, as Temporal sees it. */
async function queuesWithout(client, namespace) {
  const { WORKER_QUEUES } = built('domain/worker-queues.js');
  const missing = [];
  for (const queue of WORKER_QUEUES) {
    const described = await client.connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: `causeway-${queue}` },
      // Of activities: every queue has them.
      taskQueueType: 2,
    });
    if ((described.pollers ?? []).length === 0) missing.push(queue);
  }
  return missing;
}

async function judgeDrain(process_, say) {
  const { name, pod, container } = process_;
  const graceMs = pod.terminationGracePeriodSeconds * 1000;
  const began = performance.now();
  process_.kill('SIGTERM');
  let sawNotReady = false;
  if (container.ports.some(({ name: port }) => port === 'http')) {
    await until(`${name}: not ready after SIGTERM`, async () => {
      const status = await probe(process_, 'readinessProbe');
      if (status === 0) throw new Error(`${name}: closed its listener before it said so`);
      return status === 503;
    });
    if ((await probe(process_, 'livenessProbe')) !== 200) throw new Error(`${name}: does not serve while it drains`);
    sawNotReady = true;
  }
  const outcome = await Promise.race([process_.ended, sleep(graceMs, 'still running', { ref: false })]);
  if (outcome !== 0) throw new Error(`${name}: ended with ${outcome}\n${process_.output()}`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(
    `${name}: ${sawNotReady ? 'not ready first, still serving, then ' : ''}ended with 0 after ${seconds} s of its ${graceMs / 1000} s`,
  );
}

/** What the Compose files have our image do. */
const composeCommands = () =>
  COMPOSE_FILES.flatMap((file) => {
    const { services } = parse(readFileSync(path.join(root, file), 'utf8'), { merge: true });
    const ours = ({ image }) => image === 'causeway' || image.includes('CAUSEWAY_IMAGE');
    return Object.values(services)
      .filter(ours)
      .map(({ command }) => command[0]);
  });

/** @param image as image.mjs makes it @throws with the first fault */
export async function checkProcesses(helm, image, say) {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-deploy-'));
  chmodSync(folder, 0o755);
  const { startPostgres } = built('local/postgres.js');
  const { startTemporal } = built('local/temporal-server.js');
  const { provide, temporalCli } = built('local/servers.js');
  const { freePort } = built('local/ports.js');
  const postgres = require('postgres');
  const running = [];
  const stops = [];
  try {
    const server = await startPostgres({
      ...{ dataDir: path.join(folder, 'postgres'), port: await freePort(), password: random() },
      ...{ database: 'postgres', log: path.join(folder, 'postgres.log'), durable: false },
    });
    stops.push(() => server.stop());
    const temporal = await startTemporal({
      ...{ binary: await provide(temporalCli, process.env, say), port: await freePort() },
      ...{ log: path.join(folder, 'temporal.log'), pidFile: path.join(folder, 'temporal.pid') },
    });
    stops.push(() => temporal.stop());
    const admin = postgres(server.url, { max: 1, onnotice: () => undefined });
    stops.unshift(() => admin.end());
    const urls = await makeUsers(admin, server.url);

    const manifests = resources(
      await render(helm, {
        settings: { ...VALUES.settings, TEMPORAL_ADDRESS: temporal.address },
        // Both are on loopback.
        tls: { database: { enabled: false }, temporal: { enabled: false } },
        archive: { enabled: true, existingClaim: 'archive' },
        erase: { enabled: true },
      }),
    );
    const named = (kind) => manifests.filter((one) => one.kind === kind);
    const [marker, archive] = ['marker', 'archive'].map((name) => {
      const place = path.join(folder, name);
      mkdirSync(place);
      chmodSync(place, 0o777);
      return place;
    });
    const around = {
      ...{ folder, image },
      configMaps: Object.fromEntries(named('ConfigMap').map((one) => [one.metadata.name, one.data])),
      secretFolders: writeSecrets(folder, manifests, urls),
      volumes: {
        archive,
        ...Object.fromEntries(named('PersistentVolumeClaim').map((one) => [one.metadata.name, marker])),
      },
    };
    const start = async ({ metadata, spec }) => {
      const ports = {};
      for (const setting of ['GATEWAY_PORT', 'GRAPH_PORT']) ports[setting] = await freePort();
      for (const role of ROLES) ports[`${role.toUpperCase()}_METRICS_PORT`] = await freePort();
      const process_ = startPod(metadata.name, spec.template.spec, { ...around, ports });
      running.push(process_);
      const role = process_.container.args[0].toUpperCase();
      process_.portOf = (port) => ports[port === 'http' ? `${role}_PORT` : `${role}_METRICS_PORT`];
      return process_;
    };

    const toEnd = async (job) => {
      const process_ = await start(job);
      const outcome = await Promise.race([process_.ended, sleep(START_WITHIN_MS, 'still running', { ref: false })]);
      if (outcome !== 0) throw new Error(`${process_.name}: ended with ${outcome}\n${process_.output()}`);
      say(`${process_.name}: ended with 0`);
    };
    for (const job of named('Job')) await toEnd(job);
    const served = await Promise.all(named('Deployment').map(start));
    for (const process_ of served) {
      await until(`${process_.name}: ready`, async () => {
        const outcome = await Promise.race([process_.ended, undefined]);
        if (outcome !== undefined) throw new Error(`${process_.name}: ended with ${outcome}\n${process_.output()}`);
        return (await probe(process_, 'readinessProbe')) === 200;
      });
      for (const which of ['startupProbe', 'livenessProbe'])
        if ((await probe(process_, which)) !== 200) throw new Error(`${process_.name}: ${which} fails`);
      const metrics = await fetch(`http://127.0.0.1:${process_.portOf('metrics')}/metrics`);
      if (!(await metrics.text()).includes('causeway_role_ready'))
        throw new Error(`${process_.name}: no metrics on its port`);
      const found = confinementOf(process_);
      const none = /^0+$/;
      if (
        found.user !== '1000' ||
        !none.test(found.effective) ||
        !none.test(found.bounding) ||
        !found.noNewPrivileges ||
        !found.readOnlyRoot
      )
        throw new Error(`${process_.name}: is ${JSON.stringify(found)}`);
      say(
        `${process_.name}: ready and alive, metrics on a port of their own, as user 1000 without capabilities on a read-only root`,
      );
      await judgePage(process_, say);
    }
    for (const { metadata, spec } of named('CronJob')) await toEnd({ metadata, spec: spec.jobTemplate.spec });
    const started = running.map(({ container }) => container.args[0]);
    const others = composeCommands().filter((command) => !started.includes(command));
    if (others.length > 0) throw new Error(`Compose starts ${others.join(', ')}, the chart does not`);

    const sessions = await admin`
      select distinct usename, application_name from pg_stat_activity
      where application_name like 'causeway-%'`;
    for (const { usename, application_name: name } of sessions)
      if (!name.startsWith(usename.replace('_', '-'))) throw new Error(`${name} connects as ${usename}`);
    const users = [...new Set(sessions.map(({ usename }) => usename))];
    if (users.length !== ROLES.length) throw new Error(`connected are only ${users.join(', ')}`);
    for (const role of ROLES) await judgeRights(postgres, role, urls[role]);
    say(`database users: ${users.join(', ')}; ${FORBIDDEN.length} statements refused to each`);

    const { openTemporalClient } = built('temporal/client.js');
    const client = openTemporalClient({ address: temporal.address, namespace: 'default' });
    stops.unshift(() => client.connection.close());
    let missing = [];
    await until('every queue has a worker', async () => {
      missing = await queuesWithout(client, 'default');
      return missing.length === 0;
    }).catch((error) => {
      throw new Error(`${error.message}; without one: ${missing.join(', ')}`);
    });
    say('every queue of Temporal has a worker');

    await Promise.all(served.map((process_) => judgeDrain(process_, say)));
  } finally {
    for (const process_ of running) process_.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
