import { availableParallelism } from 'node:os';
import type { Secrets } from './secrets';

/**
 * Connections of a process to PostgreSQL, unless the environment names their number. Roles and PostgreSQL share this
 * machine's cores: with more connections the first seconds of a rush would only plan more statements (docs/performance.md).
 */
const CONNECTIONS = { forEachCore: 4, atLeast: 8, atMost: 16 } as const;

const connectionsFor = (cores: number): number =>
  Math.min(CONNECTIONS.atMost, Math.max(CONNECTIONS.atLeast, cores * CONNECTIONS.forEachCore));

/** Addresses of a machine's servers and roles. */
export interface RolePlaces {
  readonly secrets: Secrets;
  readonly databaseUrl: string;
  /** host:port */
  readonly temporalAddress: string;
  /** The Temporal UI's address, if there is one. */
  readonly temporalUi: string | null;
  /** The sandbox's own mail server, and the folder where it stores the mails. */
  readonly mail?: { readonly smtpUrl: string; readonly folder: string };
  /** Where the worker keeps the heads of the ledger's chain. */
  readonly ledgerHeads?: string;
  /** The file of the ring's keys, unless the environment names another or has them. */
  readonly keysFile?: string;
  /** Where the database's marker is kept, unless the environment names a folder. */
  readonly markerFolder: string;
  readonly gatewayPort: number;
  /** By default one. */
  readonly gatewayProcesses?: string;
  readonly graphPort: number;
  /** Ports of the internal listeners for /metrics; 0 is any free one. */
  readonly gatewayMetricsPort: number;
  readonly workerMetricsPort: number;
  /** Undefined: beside GraphQL. */
  readonly graphMetricsPort?: number | undefined;
}

/** The environment of a role: our own, with the settings of this machine. */
export const roleEnvironment = (
  env: NodeJS.ProcessEnv,
  {
    secrets,
    databaseUrl,
    temporalAddress,
    temporalUi,
    mail,
    ledgerHeads,
    markerFolder,
    keysFile,
    ...ports
  }: RolePlaces,
  cores = availableParallelism(),
): NodeJS.ProcessEnv => ({
  ...env,
  CAUSEWAY_ENV: env['CAUSEWAY_ENV'] ?? 'sandbox',
  CAUSEWAY_LOOKUP_KEY: secrets.CAUSEWAY_LOOKUP_KEY,
  CAUSEWAY_ENCRYPTION_KEY: secrets.CAUSEWAY_ENCRYPTION_KEY,
  CASHIER_TOKEN_SECRET: secrets.CASHIER_TOKEN_SECRET,
  CAUSEWAY_AUDIT_KEY: secrets.CAUSEWAY_AUDIT_KEY,
  ...(keysFile !== undefined &&
    env['CAUSEWAY_KEYS'] === undefined && {
      CAUSEWAY_KEYS_FILE: env['CAUSEWAY_KEYS_FILE'] ?? keysFile,
    }),
  OPERATOR_LOGIN: secrets.OPERATOR_LOGIN,
  OPERATOR_PASSWORD: secrets.OPERATOR_PASSWORD,
  ...((env['CAUSEWAY_ENV'] ?? 'sandbox') === 'sandbox' && {
    SANDBOX_APPROVERS: secrets.SANDBOX_APPROVERS,
    ...(mail && { SMTP_URL: env['SMTP_URL'] ?? mail.smtpUrl, SANDBOX_MAILS: mail.folder }),
  }),
  DATABASE_URL: databaseUrl,
  DATABASE_CONNECTIONS: env['DATABASE_CONNECTIONS'] ?? String(connectionsFor(cores)),
  TEMPORAL_ADDRESS: temporalAddress,
  ...(ledgerHeads !== undefined && { LEDGER_HEADS_FILE: env['LEDGER_HEADS_FILE'] ?? ledgerHeads }),
  ...(temporalUi !== null && { TEMPORAL_UI_URL: temporalUi }),
  MARKER_FOLDER: env['MARKER_FOLDER'] ?? markerFolder,
  GATEWAY_PORT: String(ports.gatewayPort),
  ...(ports.gatewayProcesses !== undefined && { GATEWAY_PROCESSES: ports.gatewayProcesses }),
  GRAPH_PORT: String(ports.graphPort),
  GATEWAY_METRICS_PORT: String(ports.gatewayMetricsPort),
  WORKER_METRICS_PORT: String(ports.workerMetricsPort),
  ...(ports.graphMetricsPort !== undefined && {
    GRAPH_METRICS_PORT: String(ports.graphMetricsPort),
  }),
});
