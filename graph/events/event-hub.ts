import type { Database } from '../../db/client';
import { type DepositView, findDeposits } from '../../db/deposits/deposits';
import * as db from '../../db/events/events';
import { findWithdrawals, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import { findAlertsAfter, lastAlertNumber, type PublishedAlert } from '../../db/alerts/alerts';
import { findTransferChangesAfter, lastTransferNumber, type TransferChange } from '../../db/transfers/bank-transfers';
import type { Logger } from '../../runtime/log';
import { metrics } from '../../runtime/metrics';
import { LiveLogins } from './live-logins';
import { NumberedStream } from './numbered-stream';
import { QueueWatch } from './queue-watch';

/** An event of an order. */
export interface OrderChange {
  readonly seq: bigint;
  readonly event: db.PublishedEvent;
  /**
   * The deposit as it was when the event was read, which is after the event. Undefined for an order of another kind.
   */
  readonly deposit: DepositView | undefined;
  /** The same of a withdrawal. */
  readonly withdrawal: WithdrawalView | undefined;
}

/** The dependencies of the hub. */
export interface EventHubDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
}

/**
 * The streams of this process's subscribers. PostgreSQL's NOTIFY only signals that there is something to read;
 * everything is read by number, once for all subscribers.
 */
export class EventHub {
  readonly logins: LiveLogins;
  /** All events of orders. */
  readonly orders: NumberedStream<OrderChange>;
  /** Every alert, each time that it changes. */
  readonly alerts: NumberedStream<PublishedAlert>;
  /** Every bank transfer, each time that it changes. */
  readonly transfers: NumberedStream<TransferChange>;
  /** How much work waits. */
  readonly queues: QueueWatch;

  constructor(private readonly deps: EventHubDeps) {
    const { database, clock, log } = deps;
    this.logins = new LiveLogins(database, clock, log);
    const beforeDelivery = async (): Promise<void> => {
      await this.logins.check();
    };
    this.orders = new NumberedStream<OrderChange>(
      {
        read: async (after, limit) => await this.withOrders(await db.findEventsAfter(database, after, limit)),
        last: async () => await db.lastEventNumber(database),
        keyOf: ({ event }) => event.orderId,
        beforeDelivery,
        onItem: ({ event }) => {
          const lag = clock().getTime() - event.at.getTime();
          metrics.eventLag.observe(Math.max(0, lag) / 1000);
        },
      },
      log,
    );
    this.alerts = new NumberedStream<PublishedAlert>(
      {
        read: async (after, limit) => await findAlertsAfter(database, after, limit),
        last: async () => await lastAlertNumber(database),
        keyOf: ({ id }) => id,
        beforeDelivery,
      },
      log,
    );
    this.transfers = new NumberedStream<TransferChange>(
      {
        read: async (after, limit) => await findTransferChangesAfter(database, after, limit),
        last: async () => await lastTransferNumber(database),
        keyOf: ({ transfer }) => transfer.id,
        beforeDelivery,
      },
      log,
    );
    this.queues = new QueueWatch(database, beforeDelivery, log);
  }

  /** Follows events published from now on. */
  async start(): Promise<void> {
    await Promise.all([this.orders.start(), this.alerts.start(), this.transfers.start()]);
    await db.listenToEvents(this.deps.database, () => {
      this.orders.wake();
      this.alerts.wake();
      this.transfers.wake();
    });
    this.logins.start();
  }

  /** Stops following. */
  stop(): void {
    this.orders.stop();
    this.alerts.stop();
    this.transfers.stop();
    this.queues.stop();
    this.logins.stop();
  }

  /** Events of one order after a number. */
  async changesOf(orderId: string, after: bigint): Promise<OrderChange[]> {
    return await this.withOrders(await db.findOrderEventsAfter(this.deps.database, orderId, after));
  }

  private async withOrders(events: readonly db.PublishedEvent[]): Promise<OrderChange[]> {
    if (events.length === 0) return [];
    const { database } = this.deps;
    const idsOf = (noun: string): string[] => [
      ...new Set(events.flatMap((event) => (event.noun === noun ? [event.orderId] : []))),
    ];
    const [deposits, withdrawals] = await Promise.all([
      ordersOf(idsOf('deposit'), async (ids) => await findDeposits(database, ids)),
      ordersOf(idsOf('withdrawal'), async (ids) => await findWithdrawals(database, ids)),
    ]);
    return events.map((event) => ({
      seq: event.seq,
      event,
      deposit: deposits.get(event.orderId),
      withdrawal: withdrawals.get(event.orderId),
    }));
  }
}

/** Orders by their ids; without ids nothing is read. */
async function ordersOf<Order extends { readonly id: string }>(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<readonly Order[]>,
): Promise<ReadonlyMap<string, Order>> {
  return new Map(ids.length === 0 ? [] : (await find(ids)).map((order) => [order.id, order]));
}
