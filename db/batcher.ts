import postgres from 'postgres';
import { CatalogueError } from '../domain/errors';

/** How much a batcher gathers. */
export interface BatchLimits {
  /** Items of one statement at most. */
  readonly size: number;
  /** Concurrent statements; calls that come meanwhile wait and become the next batch. */
  readonly underWay: number;
  /** A statement without an answer for this long is abandoned, milliseconds: its connection may be half-open. */
  readonly giveUpMs?: number;
}

/** Longer than the server's statement_timeout. */
const GIVE_UP_MS = 10_000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The statement timed out or the server is shutting down: an immediate retry would only take longer. */
const GAVE_UP = /^57/;

/**
 * Gathers single calls into statements for many: group commit. Calls of one turn of the event loop form a batch; those
 * that come while a statement is under way form the next one. So an idle platform adds no delay, and a busy one needs
 * one round trip and one commit for many calls. A call never gets data that was read before it was made.
 */
export class Batcher<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;
  private pumpDue = false;

  /**
   * @param send returns a result for each item, in their order @param patience that of its database (DatabaseOptions)
   */
  constructor(
    private readonly send: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: BatchLimits,
    private readonly patience = 1,
  ) {}

  /**
   * @throws what the statement throws; after a rollback the item's own error, not that of its neighbours
   */
  async call(item: Item): Promise<Result> {
    return await new Promise<Result>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.pumpSoon();
    });
  }

  /** After all callbacks of this turn: each socket with data has its own callback. */
  private pumpSoon(): void {
    if (this.pumpDue || this.underWay >= this.limits.underWay) return;
    this.pumpDue = true;
    setImmediate(() => {
      this.pumpDue = false;
      this.pump();
    });
  }

  private pump(): void {
    while (this.waiting.length > 0 && this.underWay < this.limits.underWay)
      void this.run(this.waiting.splice(0, this.limits.size));
  }

  private async run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.underWay++;
    try {
      const results = await this.inTime(this.send(batch.map(({ item }) => item)));
      for (const [n, { resolve }] of batch.entries()) resolve(results[n] as Result);
    } catch (error) {
      await this.refused(batch, error);
    } finally {
      this.underWay--;
      if (this.waiting.length > 0) this.pumpSoon();
    }
  }

  private async inTime(sent: Promise<readonly Result[]>): Promise<readonly Result[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => {
          reject(new CatalogueError('SERVICE_UNAVAILABLE', 'the request was not answered in time'));
        },
        (this.limits.giveUpMs ?? GIVE_UP_MS) * this.patience,
      );
    });
    try {
      return await Promise.race([sent, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A rolled-back batch wrote nothing: each item is sent alone and gets its own result. */
  private async refused(batch: readonly Waiting<Item, Result>[], error: unknown): Promise<void> {
    const rolledBack = error instanceof postgres.PostgresError && !GAVE_UP.test(error.code);
    if (batch.length === 1 || !rolledBack) {
      for (const { reject } of batch) reject(error);
      return;
    }
    await Promise.all(
      batch.map(async ({ item, resolve, reject }) => {
        try {
          resolve((await this.send([item]))[0] as Result);
        } catch (own) {
          reject(own);
        }
      }),
    );
  }
}
