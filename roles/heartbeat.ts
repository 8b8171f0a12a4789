import { uuidv7 } from 'uuidv7';
import type { Database } from '../db/client';
import { beat, endBeats, type WorkerProcess } from '../db/platform/heartbeats';
import { BEAT_EVERY_SECONDS } from '../domain/platform-health';
import type { Logger } from '../runtime/log';

/** What gives the signs of life. */
interface HeartbeatDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
}

/**
 * Gives signs of life of this worker, so that others can say when it stands still. They come from the thread that runs
 * the relay and the activities: a process that is stopped, or busy for ever, gives none.
 */
export class Heartbeat {
  private readonly worker: WorkerProcess;
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;

  constructor(
    private readonly deps: HeartbeatDeps,
    buildId: string,
  ) {
    this.worker = { id: uuidv7(), buildId, startedAt: deps.clock() };
  }

  start(): void {
    this.beat();
    this.timer = setInterval(() => {
      this.beat();
    }, BEAT_EVERY_SECONDS * 1000);
  }

  /** Gives no more signs; the last has been written. */
  async pause(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
  }

  /** Ends in order: nobody misses this worker. */
  async stop(): Promise<void> {
    await this.pause();
    const { database, clock, log } = this.deps;
    await endBeats(database, this.worker.id, clock()).catch((error: unknown) => {
      log.warn({ err: error }, 'the end of this worker could not be written');
    });
  }

  private beat(): void {
    const { database, clock, log } = this.deps;
    this.beating ??= beat(database, this.worker, clock())
      .catch((error: unknown) => {
        log.warn({ err: error }, 'no sign of life could be given');
      })
      .finally(() => {
        this.beating = undefined;
      });
  }
}
