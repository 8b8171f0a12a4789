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

/** Where markers are kept that no restore of the database puts back. */
export interface OutsideMarkers {
  /** The highest marker and the highest epoch, by the platform's identity. */
  read(): Promise<ReadonlyMap<string, KeptMarker>>;
  /** Keeps a marker for good: it is there after a power cut. Lower ones change nothing. */
  keep(identity: string, kept: KeptMarker): Promise<void>;
}

interface Deps {
  readonly database: Database;
  /** Null: this process's own memory alone. */
  readonly outside: OutsideMarkers | null;
  readonly clock: () => Date;
  readonly log: Logger;
}

const higher = (a: KeptMarker | undefined, b: KeptMarker | undefined): KeptMarker | undefined =>
  a && b ? { marker: Math.max(a.marker, b.marker), epoch: Math.max(a.epoch, b.epoch) } : (a ?? b);

/**
 * Recognises a database that was put back to an earlier moment: its marker is behind the one that is kept outside of it.
 * The outside one is read before the database's, and raised after it: so it is never ahead of a database that is whole.
 */
export class PlatformMarker {
  private readonly remembered = new Map<string, KeptMarker>();
  /** The call that raises the marker now, and the one after it, which stands for all that come meanwhile. */
  private raising: Promise<unknown> = Promise.resolve();
  private next: Promise<boolean> | undefined;
  private identity: string | undefined;

  constructor(private readonly deps: Deps) {}

  /**
   * Compares the database with what is kept outside, begins a recovery where it is behind, and keeps its marker.
   * @throws where the database cannot be read; that the marker could not be kept is logged
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
   * Raises the marker, in the database and then outside: for a payout that is marked as sent and not sent yet. Calls that
   * come meanwhile share the next one.
   * @returns whether it may be sent; false: the database was put back
   * @throws where the marker could not be raised or kept: then it must not be sent either
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
    if (begun) log.error(about, 'the database was put back to an earlier moment: RECOVERY begins');
    return true;
  }

  private async known(): Promise<Map<string, KeptMarker>> {
    // A copy: what is remembered meanwhile may be of later than the database is read.
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
