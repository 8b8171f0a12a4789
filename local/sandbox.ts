import path from 'node:path';
import type { DemoTenant } from './demo-tenant';
import type { Secrets } from './secrets';
import { drawTable } from './table';

/** The content of `sandbox.json`; written when everything is ready, removed at the stop. */
export interface Sandbox extends DemoTenant {
  readonly merchantApi: string;
  /** Where payers open the hosted page; a token follows. */
  readonly cashier: string;
  readonly graphql: string;
  /** The operators' console. */
  readonly console: string;
  /** Null for an external Temporal server, unless TEMPORAL_UI_URL is set. */
  readonly temporalUi: string | null;
  readonly temporalAddress: string;
  readonly databaseUrl: string;
  /** Where each role serves its metrics to Prometheus. */
  readonly metrics: { readonly gateway: string; readonly graph: string; readonly worker: string };
  /** The first of `operators`. */
  readonly operator: { readonly login: string; readonly password: string };
  readonly operators: readonly SandboxOperator[];
  /** The folder of caught mails, each a JSON file; `sandboxMails` of the graph shows them too. */
  readonly mails: string;
}

/** Operators to log in as: one with all permissions, and two who approve the first one's proposals. */
export interface SandboxOperator {
  readonly login: string;
  readonly password: string;
  readonly role: 'admin' | 'approver';
}

/** The operators in a sandbox's secrets. */
export const sandboxOperators = (secrets: Secrets): readonly SandboxOperator[] => [
  { login: secrets.OPERATOR_LOGIN, password: secrets.OPERATOR_PASSWORD, role: 'admin' },
  ...secrets.SANDBOX_APPROVERS.split(',').map((pair): SandboxOperator => {
    const [login = '', ...password] = pair.split(':');
    return { login, password: password.join(':'), role: 'approver' };
  }),
];

/** The table that `npm start` prints. */
export function describeSandbox(sandbox: Sandbox, file: string): string {
  const table = drawTable([
    ['Merchant API', sandbox.merchantApi],
    ['Console', sandbox.console],
    ['GraphQL', sandbox.graphql],
    ['Temporal UI', sandbox.temporalUi ?? `(of the server at ${sandbox.temporalAddress})`],
    ['Demo merchant', sandbox.merchant.code],
    ['API key', sandbox.merchant.apiKey],
    ...sandbox.operators.map(({ login, password, role }): [string, string] => [
      role === 'admin' ? 'Operator' : 'Approver',
      `${login} / ${password}`,
    ]),
    ['All as JSON', path.relative(process.cwd(), file)],
    ['In another terminal', 'npm run demo'],
  ]);
  return `${table}\nCtrl-C stops everything.`;
}
