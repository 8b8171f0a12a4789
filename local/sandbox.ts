import path from 'node:path';
import type { DemoTenant } from './demo-tenant';
import { drawTable } from './table';

/** What `sandbox.json` holds; written when all is ready and removed when it stops. */
export interface Sandbox extends DemoTenant {
  readonly merchantApi: string;
  readonly graphql: string;
  /** Null for a Temporal server of one's own, unless TEMPORAL_UI_URL says it. */
  readonly temporalUi: string | null;
  readonly temporalAddress: string;
  readonly databaseUrl: string;
  /** Where each role tells Prometheus what it counts. */
  readonly metrics: { readonly gateway: string; readonly graph: string; readonly worker: string };
  readonly operator: { readonly login: string; readonly password: string };
}

/** What a person needs to know, as one table. */
export function describeSandbox(sandbox: Sandbox, file: string): string {
  const table = drawTable([
    ['Merchant API', sandbox.merchantApi],
    ['GraphQL', sandbox.graphql],
    ['Temporal UI', sandbox.temporalUi ?? `(of the server at ${sandbox.temporalAddress})`],
    ['Demo merchant', sandbox.merchant.code],
    ['API key', sandbox.merchant.apiKey],
    ['Operator', `${sandbox.operator.login} / ${sandbox.operator.password}`],
    ['All as JSON', path.relative(process.cwd(), file)],
    ['Next, elsewhere', 'npm run demo'],
  ]);
  return `${table}\nCtrl-C stops everything.`;
}
