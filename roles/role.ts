import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config';
import type { Database } from '../db/client';
import type { PlatformMarker } from '../db/platform/marker';
import type { Logger } from '../runtime/log';
import type { RoleClock } from '../runtime/role-clock';
import type { KeyWatch } from './key-watch';
import type { Secrets } from './secrets';
import { metrics } from '../runtime/metrics';

/** What every role gets. */
export interface Role {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  /** Its clock, corrected to the database's time. */
  readonly clock: RoleClock;
  /** Detects a database that was restored. */
  readonly marker: PlatformMarker;
  readonly secrets: Secrets;
  /** Whether it has the keys that rows may need. */
  readonly keys: Pick<KeyWatch, 'isKeyMissing'>;
}

/** Ends a role in order: work under way first, then its dependencies. */
export type Stop = () => Promise<void>;

/** Reports to the parent process that the role serves. */
export function ready(url?: string): void {
  metrics.ready.set(1);
  process.send?.({ ready: true, url });
}

/**
 * Continues to serve, reported as not ready, so that balancers and clients use other processes before the listener
 * closes.
 */
export async function drain(app: FastifyInstance, forMs: number): Promise<void> {
  app.drain();
  await sleep(forMs);
}
