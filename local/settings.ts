import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parsePort, type WantedPort } from './ports';

/** The environment's settings of a local run. */
export interface LocalSettings {
  /** Absolute. */
  readonly dataDir: string;
  /** A running PostgreSQL to use instead of our own. */
  readonly databaseUrl: string | undefined;
  /** A running Temporal to use instead of our own. */
  readonly temporalAddress: string | undefined;
  /** How many processes the gateway is. */
  readonly gatewayProcesses: string;
  /** The ports that this run needs; undefined for external servers and for listeners that are off. */
  readonly ports: Readonly<Record<PortName, WantedPort | undefined>>;
}

export type PortName =
  | ('gateway' | 'graph' | 'postgres' | 'temporal' | 'temporalUi')
  | ('gatewayMetrics' | 'graphMetrics' | 'workerMetrics');

/** With fewer cores a second process of the gateway would only take another role's. */
const CORES_FOR_TWO_GATEWAYS = 4;

/** @throws if a port is invalid */
export function readSettings(env: NodeJS.ProcessEnv, cores = availableParallelism()): LocalSettings {
  const databaseUrl = given(env['DATABASE_URL']);
  const temporalAddress = given(env['TEMPORAL_ADDRESS']);
  const wanted = (what: string, variable: string, otherwise: number): WantedPort => ({
    what,
    variable,
    port: parsePort(variable, env[variable], otherwise),
  });
  return {
    dataDir: path.resolve(given(env['CAUSEWAY_DATA']) ?? '.causeway'),
    databaseUrl,
    temporalAddress,
    gatewayProcesses: given(env['GATEWAY_PROCESSES']) ?? (cores >= CORES_FOR_TWO_GATEWAYS ? '2' : '1'),
    ports: {
      gateway: wanted('the merchant API', 'GATEWAY_PORT', 8080),
      graph: wanted('GraphQL', 'GRAPH_PORT', 4000),
      // Any free one: sandbox.json shows which.
      gatewayMetrics: wanted("the gateway's metrics", 'GATEWAY_METRICS_PORT', 0),
      // Without a port of their own they are beside GraphQL.
      graphMetrics: given(env['GRAPH_METRICS_PORT'])
        ? wanted("the graph's metrics", 'GRAPH_METRICS_PORT', 0)
        : undefined,
      workerMetrics: wanted("the worker's metrics", 'WORKER_METRICS_PORT', 0),
      postgres: databaseUrl === undefined ? wanted('PostgreSQL', 'POSTGRES_PORT', 5499) : undefined,
      temporal: temporalAddress === undefined ? wanted('Temporal', 'TEMPORAL_PORT', 7233) : undefined,
      temporalUi: temporalAddress === undefined ? wanted('the Temporal UI', 'TEMPORAL_UI_PORT', 8233) : undefined,
    },
  };
}

const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
