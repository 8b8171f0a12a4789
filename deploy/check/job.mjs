// The migration's Job has another name exactly where its pod template differs: Kubernetes refuses a changed template of a Job
// that exists, and a Job of the same template need not run again.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CHART, render, resources, VALUES } from './render.mjs';

const tls = (database) => ({ tls: { database, temporal: { enabled: true } } });
const digest = `sha256:${'1'.repeat(64)}`;

/** Each changes the template. */
const OTHERS = {
  'another image': { image: { ...VALUES.image, digest } },
  'another pull policy': { image: { ...VALUES.image, pullPolicy: 'Always' } },
  'a pull secret': { image: { ...VALUES.image, pullSecrets: [{ name: 'registry' }] } },
  'another setting': { settings: { ...VALUES.settings, LOG_LEVEL: 'debug' } },
  'a setting of the role': { roleSettings: { migrate: { LOG_LEVEL: 'debug' } } },
  'other resources': { migrate: { resources: { limits: { memory: '768Mi' } } } },
  'a certificate': tls({ enabled: true, secret: 'database-tls' }),
  'a certificate of its own': tls({ enabled: true, secret: 'database-tls', client: true }),
  'no TLS': tls({ enabled: false }),
  'a node': { nodeSelector: { disk: 'ssd' } },
  'a toleration': { tolerations: [{ key: 'payments', operator: 'Exists' }] },
  'another secret': { secrets: { names: { migrate: 'another' } } },
  'another key of the secret': { secrets: { keys: { migrate: ['DATABASE_URL', 'SMTP_URL'] } } },
};
/** None is in the template. */
const EQUALS = {
  'more gateways': { gateway: { replicas: 5 } },
  'no autoscaling of workers': { autoscaling: { workers: { enabled: false } } },
  'a setting of another role': { roleSettings: { gateway: { LOG_LEVEL: 'debug' } } },
  'erasure each night': { erase: { enabled: true } },
};

async function jobOf(helm, values, chart) {
  const jobs = resources(await render(helm, values, chart)).filter(({ kind }) => kind === 'Job');
  if (jobs.length !== 1) throw new Error(`${jobs.length} Jobs`);
  const [{ metadata, spec }] = jobs;
  return { name: metadata.name, template: JSON.stringify(spec.template) };
}

/** The chart as its next release has it. */
async function ofNextChart(helm) {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-chart-'));
  try {
    cpSync(CHART, folder, { recursive: true, dereference: true });
    const file = path.join(folder, 'Chart.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/^version: .*$/m, 'version: 99.0.0'));
    return await jobOf(helm, {}, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws with what is named wrongly */
export async function checkJobNames(helm, say) {
  const first = await jobOf(helm, {});
  const made = { 'the next chart': await ofNextChart(helm) };
  for (const [what, values] of Object.entries({ ...OTHERS, ...EQUALS })) made[what] = await jobOf(helm, values);
  const faults = Object.entries(made).flatMap(([what, { name, template }]) => {
    const differs = template !== first.template;
    if (differs === what in EQUALS) return [`${what}: the template is not what this check expects`];
    if (differs !== (name !== first.name))
      return [`${what}: ${differs ? 'another template, the same' : 'the same template, another'} name`];
    return [];
  });
  const names = new Set(Object.values(made).map(({ name }) => name));
  if (names.size !== Object.keys(OTHERS).length + 2) faults.push('two templates share a name');
  if (faults.length > 0) throw new Error(`the migration's Job: ${faults.join('; ')}`);
  say(
    `the migration's Job: a name of its own with ${['the next chart', ...Object.keys(OTHERS)].join(', ')}; the same with ${Object.keys(EQUALS).join(', ')}`,
  );
}
