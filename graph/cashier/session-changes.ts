import { findCashierEventsAfter, type SessionEvent } from '../../db/cashier/sessions';
import type { Database } from '../../db/client';
import { lastEventNumber, listenToEvents } from '../../db/events/events';
import type { Logger } from '../../runtime/log';
import { NumberedStream } from '../events/numbered-stream';

/**
 * Streams changes of cashier sessions and their orders to the pages of payers on this process, by the numbers of
 * published events; each event is read once. Nothing is read until the first page is opened.
 */
export class SessionChanges {
  private readonly stream: NumberedStream<SessionEvent>;
  private started: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    log: Logger,
  ) {
    this.stream = new NumberedStream<SessionEvent>(
      {
        read: async (after, limit) => await findCashierEventsAfter(database, after, limit),
        last: async () => await lastEventNumber(database),
        keyOf: ({ sessionId }) => sessionId ?? '-',
        beforeDelivery: async () => {
          await Promise.resolve();
        },
      },
      log,
    );
  }

  /** How many pages follow. */
  get size(): number {
    return this.stream.size;
  }

  /**
   * Changes of a session and its order from now on: data read after the promise resolves misses no change.
   * @param onSlow called if the reader is too slow
   */
  async follow(sessionId: string, onSlow: () => void = () => undefined): Promise<AsyncIterableIterator<SessionEvent>> {
    this.started ??= this.start();
    await this.started;
    return this.stream.follow({ after: null, key: sessionId, accepts: () => true, onSlow });
  }

  private async start(): Promise<void> {
    try {
      await this.stream.start();
      await listenToEvents(this.database, () => {
        this.stream.wake();
      });
    } catch (error) {
      // The next page tries again.
      this.stream.stop();
      this.started = undefined;
      throw error;
    }
  }

  /** Stops reading. */
  stop(): void {
    this.stream.stop();
  }
}
