import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import type { KeyRing, PlatformKey } from '../crypto/key-ring';
import type { Database } from '../db/client';
import { findPlatformKeys, forgetProcess, reportKeys } from '../db/platform/keys';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';

/** How often a process reads which key is current and reports its keys, milliseconds. */
export const KEYS_EVERY_MS = 5_000;

/** The pause before a failed first check is repeated, milliseconds. */
const AGAIN_MS = 1_000;

/** What a watch needs. */
interface KeyWatchDeps {
  readonly role: string;
  readonly ring: KeyRing;
  readonly database: Pick<Database, 'measure'>;
  readonly clock: () => Date;
  readonly log: Logger;
  /** Reads the keys from the settings' files again: so a new key needs no restart. */
  readonly reread: () => Promise<readonly PlatformKey[]>;
  readonly everyMs?: number;
}

/**
 * Keeps the ring of a process in step with the database: uses the current key, and notices when a key is missing. A
 * process that lacks a key which rows may need would refuse valid API keys, so it is not ready.
 */
export class KeyWatch {
  private readonly id = uuidv7();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<boolean> | undefined;
  /** Undefined until the database was read. */
  private missing: readonly string[] | undefined;

  constructor(private readonly deps: KeyWatchDeps) {}

  /** Whether this process lacks a key, or does not know yet. */
  isKeyMissing(): boolean {
    return this.missing?.length !== 0;
  }

  /** Checks once. @returns whether the database could be read */
  async look(): Promise<boolean> {
    return await (this.looking ??= this.lookOnce().finally(() => {
      this.looking = undefined;
    }));
  }

  /** Waits until no key is missing: for a process that must not start before. */
  async whole(): Promise<void> {
    while (!(await this.look()) || this.isKeyMissing()) await sleep(AGAIN_MS);
  }

  /**
   * @param onMissing called when a further key is missing
   */
  start(onMissing: () => void = () => undefined): void {
    const everyMs = this.deps.everyMs ?? KEYS_EVERY_MS;
    this.timer = setInterval(() => {
      const was = this.isKeyMissing();
      void this.look().then(() => {
        if (!was && this.isKeyMissing()) onMissing();
      });
    }, everyMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
    await forgetProcess(this.deps.database, this.id).catch((error: unknown) => {
      this.deps.log.warn({ err: error }, 'the end of this process could not be written');
    });
  }

  private async lookOnce(): Promise<boolean> {
    const { database, log, reread, ring } = this.deps;
    try {
      ring.learn(await reread());
    } catch (error) {
      log.error({ err: error }, 'the settings of keys cannot be read again');
    }
    try {
      // Before it reads: a rotation that does not see this report is seen by this process.
      await this.report();
      const rows = await findPlatformKeys(database);
      const missing = rows.filter((row) => row.releasedAt === null && !ring.has(row.id));
      this.note(missing.map(({ id }) => id));
      const [current] = rows;
      if (current !== undefined && current.id !== ring.current.id && ring.use(current.id)) {
        log.info({ key: current.id }, 'another key is current');
        await this.report();
      }
      return true;
    } catch (error) {
      metrics.dependencyFailures.inc({ dependency: 'postgres' });
      log.warn({ err: error }, 'the keys could not be compared with the database');
      return false;
    }
  }

  private note(missing: readonly string[]): void {
    metrics.keysMissing.set(missing.length);
    if (missing.length > 0 && missing.join() !== this.missing?.join())
      this.deps.log.error(
        { missing },
        'this process lacks keys that are in use, so it is not ready: give it all of them (docs/keys.md)',
      );
    this.missing = missing;
  }

  private async report(): Promise<void> {
    const { clock, database, ring, role } = this.deps;
    const keyIds = ring.all.map(({ id }) => id);
    const currentId = ring.current.id;
    await reportKeys(database, { id: this.id, role, keyIds, currentId, seenAt: clock() });
  }
}
