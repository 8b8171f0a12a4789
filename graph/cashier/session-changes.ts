import { findCashierEventsAfter, type SessionEvent } from '../../db/cashier/sessions';
import type { Database } from '../../db/client';
import { lastEventNumber, listenToEvents } from '../../db/events/events';
import type { Logger } from '../../runtime/log';
import { NumberedStream } from '../events/numbered-stream';

/**
 * What happens to cashier sessions and their orders, for the payers who look at this process's pages: by the numbers
 * of published events, each event read once. Nothing is read until the first payer looks.
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

  /** How many look. */
  get size(): number {
    return this.stream.size;
  }

  /**
   * What happens to a session and its order from now on: what is read after the promise resolves misses nothing.
   * @param onSlow its reader takes less than comes
   */
  async follow(
    sessionId: string,
    onSlow: () => void = () => undefined,
  ): Promise<AsyncIterableIterator<SessionEvent>> {
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
      // Whoever looks next tries again.
      this.stream.stop();
      this.started = undefined;
      throw error;
    }
  }

  /** Reads nothing more. */
  stop(): void {
    this.stream.stop();
  }
}
