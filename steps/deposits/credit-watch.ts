import { oldestUncredited } from '../../db/deposits/credit-age';
import type { Database } from '../../db/client';
import { CatalogueError } from '../../domain/errors';
import type { Logger } from '../../runtime/log';
import { metrics } from '../../runtime/metrics';

/** How often it reads, milliseconds. */
const LOOK_EVERY_MS = 1_000;
/** The same while creates and bank reports come in and credits are not late, so that a rush is noticed soon. */
const LOOK_AGAIN_MS = 250;
/** A reading older than this is ignored, milliseconds. */
const GOOD_FOR_MS = 10_000;
/** When a refused caller may retry, milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** From this age of the oldest credit on, new work should cost the credits as little as possible, milliseconds. */
const LATE_MS = 500;
/** How long the money of paid deposits may wait for its credit until no more deposits are accepted, milliseconds. */
const CREDIT_AGE_LIMIT_MS = 120_000;

/**
 * Refuses new deposits while credits of paid ones are late: one more order would make them later. It reads in the
 * background, so that requests do not wait.
 */
export class CreditWatch {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private ageMs = 0;
  private lookedAt = -Infinity;
  private shedding = false;

  constructor(
    private readonly deps: {
      readonly database: Database;
      readonly clock: () => Date;
      readonly log: Logger;
    },
    private readonly limitMs = CREDIT_AGE_LIMIT_MS,
  ) {}

  /** Starts reading. Until then nothing is refused. */
  start(): void {
    this.timer ??= setInterval(() => {
      this.lookOnce();
    }, LOOK_EVERY_MS);
  }

  /** While a reading hangs, no second one starts. */
  private lookOnce(): void {
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Reads once. While the database does not answer, the last reading stays valid for some seconds. */
  async look(): Promise<void> {
    const { database, clock, log } = this.deps;
    try {
      const oldest = await oldestUncredited(database);
      this.ageMs = oldest ? Math.max(0, clock().getTime() - oldest.getTime()) : 0;
      this.lookedAt = performance.now();
      metrics.creditAge.set(this.ageMs / 1000);
    } catch (error) {
      log.warn({ err: error }, 'the age of credits could not be read');
    }
    this.note();
  }

  /**
   * @throws SERVICE_UNAVAILABLE while credits are later than allowed
   */
  check(): void {
    this.note();
    if (!this.shedding) return;
    metrics.depositsShed.inc();
    throw new CatalogueError('SERVICE_UNAVAILABLE', 'paid deposits wait for their credit', {
      retryAfterMs: RETRY_AFTER_MS,
    });
  }

  /** Whether credits of paid deposits wait for longer than usual. */
  areLate(): boolean {
    const late = this.isOlderThan(LATE_MS);
    if (!late && this.timer && performance.now() - this.lookedAt > LOOK_AGAIN_MS) this.lookOnce();
    return late;
  }

  private isOlderThan(ms: number): boolean {
    return this.ageMs > ms && performance.now() - this.lookedAt < GOOD_FOR_MS;
  }

  private note(): void {
    const late = this.isOlderThan(this.limitMs);
    if (late === this.shedding) return;
    this.shedding = late;
    metrics.acceptShedding.set(late ? 1 : 0);
    const about = { oldestSeconds: Math.round(this.ageMs / 1000) };
    if (late) this.deps.log.warn(about, 'credits are late: no more deposits are accepted');
    else this.deps.log.info(about, 'deposits are accepted again');
  }
}
