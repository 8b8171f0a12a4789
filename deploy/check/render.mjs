// What the chart makes of the settings of these checks.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { call } from './tools.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const CHART = path.join(root, 'deploy/helm/causeway');
/** Whose schemas the manifests are checked against. */
export const KUBERNETES = 'v1.35.4';

/** Values that a deployment must give; none leads anywhere. */
export const VALUES = {
  image: { repository: 'registry.example.com/causeway', digest: `sha256:${'0'.repeat(64)}` },
  externalSecrets: { store: { name: 'vault' } },
  settings: {
    CONSOLE_URL: 'https://ops.example.com/console',
    CASHIER_URL: 'https://pay.example.com/cashier',
    TRUSTED_PROXIES: '10.0.0.0/8',
    OWNER_EMAILS: 'ann@example.com,bob@example.com',
    TEMPORAL_ADDRESS: 'temporal-frontend.temporal:7233',
  },
};

/** @returns the manifests, as text */
export async function render(helm, values = {}, chart = CHART) {
  const given = JSON.stringify({ ...VALUES, ...values });
  const { stdout } = await call(helm, ['template', 'causeway', chart, '--kube-version', KUBERNETES, '--values', '-'], {
    input: given,
  });
  return stdout;
}

/** @returns each resource of the manifests */
export const resources = (text) =>
  parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((resource) => resource !== null);
