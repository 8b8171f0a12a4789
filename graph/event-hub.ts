import { EventEmitter, once } from 'node:events';
import { Repeater } from '@graphql-yoga/subscription';
import type { Database } from '../db/client';
import * as db from '../db/events';
import type { Logger } from '../log';
import { metrics } from '../metrics';

const BATCH = 1_000;
/** PostgreSQL did not answer: look again after this. */
const RETRY_MS = 1_000;

/**
 * Wakes this process's subscribers when events of their order were published. PostgreSQL's NOTIFY only says
 * that there are some, and subscribers read by number, so that a lost connection loses no event.
 */
export class EventHub {
  /** Emits an order's id. */
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private lastSeq = 0n;
  private reading: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    this.lastSeq = await db.lastEventNumber(this.database);
    await db.listenToEvents(this.database, () => {
      this.wake();
    });
  }

  private wake(): void {
    this.again = true;
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
  }

  private async read(): Promise<void> {
    while (this.again) {
      this.again = false;
      try {
        const events = await db.findEventsAfter(this.database, this.lastSeq, BATCH);
        for (const event of events) {
          this.lastSeq = event.seq ?? this.lastSeq;
          metrics.eventLag.observe(Math.max(0, Date.now() - event.at.getTime()) / 1000);
        }
        for (const orderId of new Set(events.map((event) => event.orderId)))
          this.changes.emit(orderId);
        if (events.length === BATCH) this.again = true;
      } catch (error) {
        // From the same number, a little later.
        this.log.error({ err: error }, 'event hub cannot read events');
        setTimeout(() => {
          this.wake();
        }, RETRY_MS).unref();
      }
    }
  }

  /** What is published of an order after a number; none where PostgreSQL is away, and its readers woken again soon. */
  private async eventsOf(orderId: string, seq: bigint): Promise<db.OrderEventRow[]> {
    try {
      return await db.findOrderEventsAfter(this.database, orderId, seq);
    } catch (error) {
      this.log.error({ err: error }, 'event hub cannot read events');
      setTimeout(() => this.changes.emit(orderId), RETRY_MS).unref();
      return [];
    }
  }

  /** An order's published events after a number, those that are there and each that comes, without a gap. */
  ofOrder(orderId: string, afterSeq: bigint): AsyncIterable<db.OrderEventRow> {
    return new Repeater<db.OrderEventRow>(async (push, stop) => {
      const ended = new AbortController();
      void stop.then(() => {
        ended.abort();
      });
      let seen = afterSeq;
      while (!ended.signal.aborted) {
        // Listening begins before the look, so that nothing falls between the two.
        const changed = once(this.changes, orderId, { signal: ended.signal }).catch(
          () => undefined,
        );
        for (const event of await this.eventsOf(orderId, seen)) {
          seen = event.seq ?? seen;
          await push(event);
        }
        await changed;
      }
    });
  }
}
