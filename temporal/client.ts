import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Tls } from '../runtime/tls';

/** Where Temporal is, and how it is reached. */
export interface TemporalOptions {
  /** host:port */
  readonly address: string;
  readonly namespace: string;
  /** Null or undefined: without TLS. */
  readonly tls?: Tls | null;
  /** Sent with each call. Null or undefined: none. */
  readonly apiKey?: string | null;
}

/** Temporal's client and its worker take the same options. */
export function connectionOptions({ address, tls = null, apiKey = null }: Omit<TemporalOptions, 'namespace'>): {
  readonly address: string;
  readonly tls?: object;
  readonly apiKey?: string;
} {
  return {
    address,
    ...(tls && {
      tls: {
        ...(tls.ca && { serverRootCACertificate: tls.ca }),
        ...(tls.client && { clientCertPair: { crt: tls.client.cert, key: tls.client.key } }),
        ...(tls.serverName !== null && { serverNameOverride: tls.serverName }),
      },
    }),
    ...(apiKey !== null && { apiKey }),
  };
}

/** A client on a worker's own connection: only there a start may hand the first task to that worker. */
export const clientOfWorker = (
  connection: NativeConnection,
  { namespace }: Pick<TemporalOptions, 'namespace'>,
  workflow: readonly WorkflowClientInterceptor[] = [],
): Client => new Client({ connection, namespace, interceptors: { workflow: [...workflow] } });

/**
 * A client that connects on first use.
 * @param workflow what changes its calls about workflows
 */
export function openTemporalClient(
  options: TemporalOptions,
  workflow: readonly WorkflowClientInterceptor[] = [],
): Client {
  const connection = Connection.lazy(connectionOptions(options));
  return new Client({
    connection,
    namespace: options.namespace,
    interceptors: { workflow: [...workflow] },
  });
}
