import { Client, Connection } from '@temporalio/client';

/** Where Temporal is. */
export interface TemporalOptions {
  /** host:port */
  readonly address: string;
  readonly namespace: string;
}

/** A client that connects on first use. */
export function openTemporalClient({ address, namespace }: TemporalOptions): Client {
  return new Client({ connection: Connection.lazy({ address }), namespace });
}
