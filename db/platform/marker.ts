import { uuidv7 } from 'uuidv7';
import type { Logger } from '../../runtime/log';
import { metrics } from '../../runtime/metrics';
import type { Database } from '../client';
import {
  beginRecovery,
  type KeptMarker,
  type PlatformRow,
  raiseMarker,
  readPlatform,
} from './recoveries';

/** The store of markers outside the database, which no restore of the database changes. */
export interface OutsideMarkers {
  /** The highest marker and the highest epoch, by the platform's identity. */
  read(): Promise<ReadonlyMap<string, KeptMarker>>;
  /** Stores a marker durably (fsync). Lower ones are ignored. */
  keep(identity: string, kept: KeptMarker): Promise<void>;
}

interface Deps {
  readonly database: Database;
  /** Null: only this process's memory. */
  readonly outside: OutsideMarkers | null;
  readonly clock: () => Date;
  readonly log: Logger;
}

const higher = (a: KeptMarker | undefined, b: KeptMarker | undefined): KeptMarker | undefined =>
  a && b ? { marker: Math.max(a.marker, b.marker), epoch: Math.max(a.epoch, b.epoch) } : (a ?? b);

/**
 * Recognises a database that was restored to an earlier state: its marker is behind the one that is kept outside of it.
 * The outside one is read before the database's, and raised after it, so it is never ahead of a database that was not
 * restored.
 */
export class PlatformMarker {
  private readonly remembered = new Map<string, KeptMarker>();
  /** The call that raises the marker now, and the next one, which serves all calls that come meanwhile. */
  private raising: Promise<unknown> = Promise.resolve();
  private next: Promise<boolean> | undefined;
  private identity: string | undefined;

  constructor(private readonly deps: Deps) {}

  /**
   * Compares the database with the marker outside, begins a recovery if it is behind, and stores its marker outside.
   * @throws if the database cannot be read; a failure to store the marker is only logged
   */
  async compare(): Promise<PlatformRow> {
    const before = await this.known();
    const here = await readPlatform(this.deps.database);
    this.identity = here.identity;
    const known = before.get(here.identity);
    const begun = await this.beginWhereBehind(here, known);
    const now = begun ? await readPlatform(this.deps.database) : here;
    metrics.recovery.set(now.recoveryId === null ? 0 : 1);
    if (!known || known.marker < now.marker || known.epoch < now.epoch)
      await this.keep(now.identity, now).catch((error: unknown) => {
        this.deps.log.error({ err: error }, 'the marker could not be kept outside of the database');
      });
    return now;
  }

  /**
   * Raises the marker, in the database and then outside: for a payout that is marked as sent and not sent yet. Calls
   * that come meanwhile share the next one.
   * @returns whether it may be sent; false: the database was restored
   * @throws if the marker could not be raised or stored: then the payout must not be sent either
   */
  async raise(): Promise<boolean> {
    this.next ??= this.raising.then(async () => {
      const mine = this.raiseOnce();
      this.raising = mine.catch(() => undefined);
      this.next = undefined;
      return await mine;
    });
    return await this.next;
  }

  private async raiseOnce(): Promise<boolean> {
    const { database, clock } = this.deps;
    const identity = (this.identity ??= (await readPlatform(database)).identity);
    const known = (await this.known()).get(identity);
    const raised = await raiseMarker(database, identity, known?.marker ?? 0, clock());
    if (raised.verdict === 'RAISED') {
      await this.keep(identity, raised);
      return true;
    }
    await this.beginWhereBehind(raised, known);
    return false;
  }

  /** @returns whether the database is behind; then it is in recovery */
  private async beginWhereBehind(
    here: KeptMarker,
    known: KeptMarker | undefined,
  ): Promise<boolean> {
    if (!known || known.marker <= here.marker) return false;
    const { database, clock, log } = this.deps;
    const begun = await beginRecovery(database, uuidv7(), known, clock());
    const about = { marker: here.marker, outside: known.marker };
    if (begun) log.error(about, 'the database was restored to an earlier state: RECOVERY begins');
    return true;
  }

  private async known(): Promise<Map<string, KeptMarker>> {
    // A copy, because the store may get a later marker while the database is read.
    const known = new Map(this.remembered);
    for (const [identity, kept] of (await this.deps.outside?.read()) ?? [])
      known.set(identity, higher(known.get(identity), kept) ?? kept);
    return known;
  }

  private async keep(identity: string, { marker, epoch }: KeptMarker): Promise<void> {
    await this.deps.outside?.keep(identity, { marker, epoch });
    const kept = { marker, epoch };
    this.remembered.set(identity, higher(this.remembered.get(identity), kept) ?? kept);
  }
}
