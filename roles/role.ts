import type { Config } from '../config';
import type { Database } from '../db/client';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';

/** What every role is given. */
export interface Role {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
}

/** Ends a role in order: work under way first, then its dependencies. */
export type Stop = () => Promise<void>;

export const clock = (): Date => new Date();

/** Reports to the parent process that the role serves now. */
export function ready(url?: string): void {
  metrics.ready.set(1);
  process.send?.({ ready: true, url });
}
