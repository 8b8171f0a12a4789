// `npm run check:deploy`: lints and schema-checks what is in deploy/, and starts the processes that the chart describes.
// What cannot be checked here, because a tool cannot be had, is printed as NOT checked; in CI that fails.
// `npm run check:deploy -- chart rules` runs only these parts.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { dockerfile, Images } from './image.mjs';
import { checkJobNames } from './job.mjs';
import { checkPooler, findPooler } from './pooler.mjs';
import { checkProcesses } from './processes.mjs';
import { CHART, render, resources, VALUES } from './render.mjs';
import { provideSchemas } from './schemas.mjs';
import { call, provide, provideCollector, provideCompose } from './tools.mjs';
import { checkTrials } from './trials.mjs';
import { checkTraces } from './traces.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const deploy = path.join(root, 'deploy');
const began = performance.now();
const say = (line) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);

/** A tool that cannot be had here. */
class Missing extends Error {}

async function had(providing) {
  try {
    return await providing;
  } catch (error) {
    throw new Missing(error.message, { cause: error });
  }
}

const tool = (name) => had(provide(name, say));

/** The chart as others may use it: everything on, and everything that can be off, off. */
const VARIANTS = {
  'as it is': {},
  'with all that is optional off': {
    autoscaling: {
      gateway: { enabled: false },
      graph: { enabled: false },
      workers: { enabled: false },
    },
    ...{ monitoring: { enabled: false }, network: { enabled: false } },
    ...{ externalSecrets: { enabled: false }, marker: { existingClaim: 'marker' } },
  },
  'with an archive': { archive: { enabled: true, existingClaim: 'archive' } },
  'with erasure each night': { erase: { enabled: true } },
  'with erasure and no monitoring': {
    ...{ erase: { enabled: true }, monitoring: { enabled: false } },
  },
  'with certificates': {
    tls: {
      database: { secret: 'database-tls', client: true, serverName: 'primary' },
      temporal: { secret: 'temporal-tls', client: true },
    },
  },
};

/** Values that the chart must refuse. */
const REFUSED = {
  'a tag instead of a digest': { image: { ...VALUES.image, digest: 'latest' } },
  'a secret among the settings': { settings: { ...VALUES.settings, DATABASE_URL: 'postgres://' } },
  'no trusted proxies': { settings: { ...VALUES.settings, TRUSTED_PROXIES: null } },
  'an archive of young rows': { archive: { enabled: true, existingClaim: 'archive', days: 89 } },
  'erasure of young rows': { erase: { enabled: true, days: 89 } },
  'an archive without a volume': { archive: { enabled: true } },
  'a queue without workers': { workers: { payouts: null } },
  'a queue that does not exist': {
    workers: { more: { queues: ['more'], replicas: 1, maxReplicas: 1 } },
  },
};

/** Fields of Kubernetes and of an operator, mistyped: to see that the schemas notice. */
const MISTYPED = [
  ['readinessProbe', 'readynessProbe'],
  ['metricType', 'metricsType'],
];

async function checkChart() {
  const helm = await tool('helm');
  const input = JSON.stringify(VALUES);
  await call(helm, ['lint', '--strict', CHART, '--values', '-'], { input });
  say('helm lint: no fault');
  for (const [what, values] of Object.entries(REFUSED)) {
    const rendered = await render(helm, values).catch(() => null);
    if (rendered !== null) throw new Error(`the chart takes ${what}`);
  }
  say(`helm template: refuses ${Object.keys(REFUSED).join(', ')}`);
  await checkJobNames(helm, say);
  const kubeconform = await tool('kubeconform');
  let location;
  try {
    location = await provideSchemas();
  } catch (error) {
    throw new Missing(`the schemas of Kubernetes: ${error.message}`, { cause: error });
  }
  const conform = async (manifests) =>
    await call(kubeconform, ['-strict', '-summary', '-schema-location', location, '-'], {
      input: manifests,
    });
  for (const [what, values] of Object.entries(VARIANTS)) {
    const { stdout } = await conform(await render(helm, values));
    say(`kubeconform, the chart ${what}: ${stdout.trim()}`);
  }
  const right = await render(helm);
  for (const [field, mistyped] of MISTYPED) {
    const wrong = right.replaceAll(`${field}:`, `${mistyped}:`);
    const passed = await conform(wrong).then(
      () => true,
      () => false,
    );
    if (wrong === right || passed) throw new Error(`kubeconform does not see ${mistyped}`);
  }
}

async function checkRules() {
  const promtool = await tool('promtool');
  const rules = path.join(deploy, 'prometheus/alerts.yml');
  const { stdout } = await call(promtool, ['check', 'rules', '--lint=all', '--lint-fatal', rules]);
  say(`promtool check rules:${stdout.trim().split('\n').at(-1)}`);
  const tests = await call(promtool, ['test', 'rules', path.join(deploy, 'prometheus/alerts.test.yml')]);
  say(`promtool test rules: ${tests.stdout.trim().split('\n').at(-1).trim()}`);
  await checkErase(promtool);
  await checkDashboard(promtool);
}

/** The rule that the chart adds where it erases people each night. */
async function checkErase(promtool) {
  const manifests = resources(await render(await tool('helm'), { erase: { enabled: true } }));
  const rule = manifests.find(({ kind, metadata }) => kind === 'PrometheusRule' && metadata.name === 'causeway-erase');
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-erase-'));
  try {
    writeFileSync(path.join(folder, 'erase.yml'), JSON.stringify(rule.spec));
    const tests = path.join(folder, 'erase.test.yml');
    cpSync(path.join(deploy, 'prometheus/erase.test.yml'), tests);
    await call(promtool, ['test', 'rules', tests]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  say('promtool test rules: erasure each night');
}

/** Each expression of the dashboard, as the expression of a rule. */
async function checkDashboard(promtool) {
  const text = readFileSync(path.join(deploy, 'grafana/causeway.json'), 'utf8');
  const expressions = JSON.parse(text)
    .panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .map((expr) => expr.replaceAll('$__rate_interval', '5m'));
  const rules = expressions.map((expr, n) => ({ record: `dashboard:expression${n}`, expr }));
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-dashboard-'));
  try {
    const file = path.join(folder, 'rules.yml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    await call(promtool, ['check', 'rules', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  say(`promtool check rules: ${expressions.length} expressions of the dashboard`);
}

/** A Compose file with a value for each variable. */
function filled(text) {
  const required = text.replace(/\$\{\w+:\?[^}]*\}/g, 'given');
  // From the innermost default on.
  let now = required;
  for (let before = ''; before !== now;) {
    before = now;
    now = now.replace(/\$\{\w+:-([^${}]*)\}/g, '$1');
  }
  return now;
}

async function checkCompose() {
  const compose = await had(provideCompose(say));
  for (const file of ['docker-compose.yml', 'deploy/compose.production.yml']) {
    const folder = mkdtempSync(path.join(tmpdir(), 'causeway-compose-'));
    try {
      const copy = path.join(folder, 'compose.yml');
      writeFileSync(copy, filled(readFileSync(path.join(root, file), 'utf8')));
      const { stdout } = await call(compose, [copy]);
      const { services } = JSON.parse(stdout);
      say(`compose-go, ${file}: ${Object.keys(services).length} services`);
      if (file !== 'docker-compose.yml') judgeServices(services);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/** The production Compose file gives up what the chart gives up. */
function judgeServices(services) {
  const roles = ['migrate', 'gateway', 'graph', 'worker-orders', 'worker-callbacks', 'worker-payouts'];
  const faults = Object.entries(services).flatMap(([name, service]) => [
    ...(service.cap_drop?.includes('ALL') ? [] : [`${name} keeps capabilities`]),
    ...(service.security_opt?.includes('no-new-privileges:true') ? [] : [`${name} may gain privileges`]),
    ...(service.pids_limit > 0 || service.deploy?.resources?.limits?.pids > 0
      ? []
      : [`${name}: as many processes as it likes`]),
    ...(roles.includes(name) && service.read_only !== true ? [`${name}: its root can be written`] : []),
    ...(roles.includes(name) && service.user !== '1000:1000' ? [`${name} is another user`] : []),
  ]);
  const networks = (name) => Object.keys(services[name].networks);
  if (networks('gateway').some((network) => network.startsWith('temporal')))
    faults.push('the gateway reaches Temporal');
  if (services['temporal-ui'].environment.TEMPORAL_DISABLE_WRITE_ACTIONS !== 'true')
    faults.push("Temporal's UI may write");
  if (services.gateway.environment.CAUSEWAY_AUDIT_KEY_FILE) faults.push('the gateway has the audit key');
  const queues = Object.values(services).flatMap(({ environment }) => environment?.WORKER_QUEUES?.split(',') ?? []);
  if (new Set(queues).size !== 6 || queues.length !== 6) faults.push(`the workers serve ${queues}`);
  if (faults.length > 0) throw new Error(`compose.production.yml: ${faults.join('; ')}`);
  say("compose.production.yml: no capabilities, read-only roles and Temporal's UI, networks apart, every queue served");
}

let images;
let made;

/** What the Dockerfile makes, made once. */
async function image() {
  try {
    images ??= new Images();
  } catch (error) {
    throw new Missing(error.message, { cause: error });
  }
  made ??= images.build(dockerfile(), say).then((last) => {
    say(`the Dockerfile's steps, from a clean copy in an empty folder: made`);
    return last;
  });
  return await made;
}

const PARTS = {
  chart: checkChart,
  rules: checkRules,
  compose: checkCompose,
  image: async () => void (await image()),
  processes: async () => await checkProcesses(await tool('helm'), await image(), say),
  pooler: async () => {
    const pooler = findPooler();
    if (pooler === undefined) throw new Missing('pgbouncer is not on this machine (PGBOUNCER_PATH)');
    await checkPooler(pooler, say);
  },
  traces: async () => await checkTraces(await had(provideCollector(say)), say),
};

/** Only when asked for: an image for each source of a COPY. */
const LONG = {
  trials: async () => {
    await image();
    const helm = await tool('helm');
    const quiet = () => undefined;
    const check = async (text) => await checkProcesses(helm, await images.build(text, quiet), quiet);
    await checkTrials(dockerfile(), check, say);
  },
};

const asked = process.argv.slice(2);
const all = { ...PARTS, ...LONG };
const unknown = asked.filter((name) => !(name in all));
if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')}: ${Object.keys(all).join(', ')}`);
let notChecked = 0;
for (const [name, check] of Object.entries(asked.length > 0 ? all : PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  try {
    await check();
  } catch (error) {
    const missing = error instanceof Missing;
    say(`${name}: ${missing ? 'NOT checked: ' : 'FAILED: '}${error.message}`);
    if (missing) notChecked++;
    if (!missing || process.env.CI) process.exitCode = 1;
  }
}
images?.close();
if (process.exitCode === undefined)
  say(notChecked === 0 ? 'everything in deploy/ is right' : `${notChecked} parts are NOT checked`);
