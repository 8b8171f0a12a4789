import { condition, proxyActivities, proxyLocalActivities, setCurrentDetails } from '@temporalio/workflow';
import type { PlatformEventActivities } from '../temporal/activities/platform-events';
import { BACKGROUND_TASK_QUEUE, DATABASE_STEP, listenForChanges } from './shared';

/** Written by the outbox; ids and codes only: no address and nothing of what the event reports. */
export interface PlatformEventDeliveryStart {
  readonly version: 1;
  readonly eventId: string;
  /** What happened, such as `billing_statement_issued`. */
  readonly event: string;
  /** Whose event it is; the platform's own have none. */
  readonly merchantCode?: string;
}

/**
 * Temporal sets no maximum: the delivery's own count ends its attempts, so that a crash before a claim uses none. A
 * failed attempt returns when the next one is due.
 */
const { attemptDelivery } = proxyActivities<PlatformEventActivities>({
  taskQueue: BACKGROUND_TASK_QUEUE,
  startToCloseTimeout: '90s',
  // Detects a dead worker.
  heartbeatTimeout: '15s',
  retry: { initialInterval: '30s', backoffCoefficient: 1 },
});

const { openDeliveries } = proxyLocalActivities<PlatformEventActivities>(DATABASE_STEP);

/**
 * Delivers an event to all its addresses, each independent of the others. A delivery that an operator resends begins at
 * once, even if others still wait for their next attempt.
 */
export async function platformEventDelivery({ eventId, event }: PlatformEventDeliveryStart): Promise<void> {
  const changes = listenForChanges();
  setCurrentDetails(`${event}: each address is tried until it takes the event or its attempts end`);
  const running = new Map<string, Promise<void>>();
  for (;;) {
    changes.readingNow();
    for (const id of await openDeliveries(eventId)) {
      if (running.has(id)) continue;
      const attempts = attemptDelivery(id).then(() => {
        running.delete(id);
        // It may have been resent since its last attempt.
        changes.tell();
      });
      running.set(id, attempts);
    }
    if (running.size === 0 && !changes.arrived()) break;
    await Promise.race([condition(changes.arrived), Promise.all(running.values())]);
  }
  setCurrentDetails('Nothing more to do: an operator can resend what failed');
}
