import { uuidv7 } from 'uuidv7';
import type { Logger } from '../../runtime/log';
import { metrics } from '../../runtime/metrics';
import type { Database } from '../client';
import {
  beginRecovery,
  findLostMarker,
  type KeptMarker,
  type KnownMarkers,
  type PlatformRow,
  raiseMarker,
  readPlatform,
} from './recoveries';

/** The store of markers outside the database, which no restore of the database changes. */
export interface OutsideMarkers {
  /** All markers and the highest epoch, by the platform's identity. */
  read(): Promise<ReadonlyMap<string, KnownMarkers>>;
  /** Stores a marker durably (fsync). @param compared lower ones that the database has, and that are not needed now */
  keep(identity: string, kept: KeptMarker, compared: readonly number[]): Promise<void>;
}

const NONE: KnownMarkers = { markers: [], epoch: 0 };

interface Deps {
  readonly database: Database;
  /** Null: only this process's memory. */
  readonly outside: OutsideMarkers | null;
  readonly clock: () => Date;
  readonly log: Logger;
}

/**
 * Recognises a database that was restored to an earlier state: a marker that is kept outside of it is ahead, or one that
 * it never had. What is outside is read before the database, and written after it, so in a database that was not
 * restored each is one that it had.
 */
export class PlatformMarker {
  private readonly remembered = new Map<string, KeptMarker>();
  /** The call that raises the marker now, and the next one, which serves all calls that come meanwhile. */
  private raising: Promise<unknown> = Promise.resolve();
  private next: Promise<boolean> | undefined;
  private identity: string | undefined;

  constructor(private readonly deps: Deps) {}

  /**
   * Compares the database with the marker outside, begins a recovery if it was restored, and stores its marker outside.
   * @throws if the database cannot be read; a failure to store the marker is only logged
   */
  async compare(): Promise<PlatformRow> {
    const before = await this.known();
    const here = await readPlatform(this.deps.database);
    this.identity = here.identity;
    const known = before.get(here.identity) ?? NONE;
    const lost = await findLostMarker(this.deps.database, here.identity, known.markers);
    if (lost !== null) await this.recover(here, lost, known.epoch);
    const now = lost === null ? here : await readPlatform(this.deps.database);
    metrics.recovery.set(now.recoveryId === null ? 0 : 1);
    if (Math.max(...known.markers) < now.marker || known.epoch < now.epoch)
      await this.keep(now.identity, now, known.markers).catch((error: unknown) => {
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
    const known = (await this.known()).get(identity) ?? NONE;
    const raised = await raiseMarker(database, identity, known.markers, clock());
    if (raised.lost !== null) await this.recover(raised, raised.lost, known.epoch);
    if (raised.lost !== null || raised.verdict !== 'RAISED') return false;
    await this.keep(identity, raised, known.markers);
    return true;
  }

  /** Begins a recovery, unless another process has begun it for this loss. */
  private async recover(here: KeptMarker, lost: number, epoch: number): Promise<void> {
    const { database, clock, log } = this.deps;
    const begun = await beginRecovery(database, uuidv7(), { marker: lost, epoch }, clock());
    const about = { marker: here.marker, outside: lost };
    if (begun) log.error(about, 'the database was restored to an earlier state: RECOVERY begins');
  }

  private async known(): Promise<Map<string, KnownMarkers>> {
    // A copy, because the store may get a later marker while the database is read.
    const known = new Map<string, KnownMarkers>(
      [...this.remembered].map(([identity, { marker, epoch }]) => [identity, { markers: [marker], epoch }]),
    );
    for (const [identity, kept] of (await this.deps.outside?.read()) ?? []) {
      const { markers, epoch } = known.get(identity) ?? NONE;
      known.set(identity, {
        markers: [...markers, ...kept.markers],
        epoch: Math.max(epoch, kept.epoch),
      });
    }
    return known;
  }

  private async keep(identity: string, { marker, epoch }: KeptMarker, compared: readonly number[]): Promise<void> {
    await this.deps.outside?.keep(identity, { marker, epoch }, compared);
    const other = this.remembered.get(identity) ?? { marker: 0, epoch: 0 };
    this.remembered.set(identity, {
      marker: Math.max(marker, other.marker),
      epoch: Math.max(epoch, other.epoch),
    });
  }
}
