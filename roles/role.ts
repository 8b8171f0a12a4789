import type { Config } from '../config';
import type { Database } from '../db/client';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';

/** What a role is given. */
export interface Role {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
}

/** Ends a role in order: what is under way first, then what it leans on. */
export type Stop = () => Promise<void>;

export const clock = (): Date => new Date();

/** Tells whoever started this process that the role serves now. */
export function ready(url?: string): void {
  metrics.ready.set(1);
  process.send?.({ ready: true, url });
}
