import { uuidv7 } from 'uuidv7';
import type { Database } from '../db/client';
import { beat, endBeats, type WorkerProcess } from '../db/platform/heartbeats';
import { BEAT_EVERY_SECONDS } from '../domain/platform-health';
import type { Logger } from '../runtime/log';

/** What a heartbeat needs. */
interface HeartbeatDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
}

/**
 * Writes this worker's heartbeats, so that others notice when it stalls. They come from the thread that runs the relay
 * and the activities: a process that is stopped, or busy, writes none.
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

  /** Stops writing heartbeats, after the last one was written. */
  async pause(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
  }

  /** Stops permanently: the worker counts as ended, not as silent. */
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
        log.warn({ err: error }, 'a heartbeat could not be written');
      })
      .finally(() => {
        this.beating = undefined;
      });
  }
}
