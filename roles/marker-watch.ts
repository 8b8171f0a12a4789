import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config';
import type { Database } from '../db/client';
import { PlatformMarker } from '../db/platform/marker';
import { MarkerFolder } from '../local/marker-folder';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';

/** How often a role compares the database with the marker outside, milliseconds. */
const COMPARE_EVERY_MS = 5_000;
/** How often a worker raises the marker when no payout does, so that a loss without payouts is noticed too. */
const RAISE_EVERY_MS = 60_000;

/** The marker of a role, kept in its folder if one is set. */
export const openMarker = (
  config: Pick<Config, 'markerFolder'>,
  database: Database,
  clock: () => Date,
  log: Logger,
): PlatformMarker => {
  const outside = config.markerFolder === null ? null : new MarkerFolder(config.markerFolder);
  return new PlatformMarker({ database, outside, clock, log });
};

/** Compares a marker repeatedly: the database may be restored while connections to PostgreSQL are lost. */
export class MarkerWatch {
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly marker: PlatformMarker,
    private readonly log: Logger,
  ) {}

  /** Compares once, and waits until PostgreSQL is reachable: for a role that must not start before. */
  async compared(): Promise<void> {
    while (!(await this.compare())) await sleep(COMPARE_EVERY_MS);
  }

  /** @param raising whether it also raises the marker */
  start(raising: boolean): void {
    this.every(COMPARE_EVERY_MS, async () => await this.compare());
    if (raising) this.every(RAISE_EVERY_MS, async () => await this.marker.raise());
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  /** @returns whether the database could be read */
  private async compare(): Promise<boolean> {
    try {
      await this.marker.compare();
      return true;
    } catch (error) {
      metrics.dependencyFailures.inc({ dependency: 'postgres' });
      this.log.warn({ err: error }, "the database's marker could not be compared");
      return false;
    }
  }

  private every(ms: number, work: () => Promise<unknown>): void {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      work()
        .catch((error: unknown) => {
          this.log.warn({ err: error }, "the database's marker could not be raised");
        })
        .finally(() => {
          busy = false;
        });
    }, ms);
    this.timers.push(timer.unref());
  }
}
