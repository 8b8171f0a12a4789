import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { NotificationStatus } from '../domain/callback';
import { LIMITS } from '../domain/limits';
import type { CallbackActivities } from '../temporal/activities/callbacks';
import { CALLBACKS_TASK_QUEUE, listenForChanges } from './shared';

/** Written by the outbox; ids and codes only. */
export interface CallbackDeliveryStart {
  readonly version: 1;
  readonly notificationId: string;
  readonly orderNo: string;
  readonly notificationType: string;
  readonly merchantCode: string;
  /** The trace id of the request that created the order; older orders have none. */
  readonly traceId?: string;
}

/**
 * Attempts are 30 s apart (contract, "Acknowledgement and retries"). Temporal sets no maximum: the row's own count ends
 * them, so that a crash before a claim uses none of the five. A merchant's timeout is 60 s at most; the rest of the 75
 * s is for our own steps.
 */
export const { attemptCallback } = proxyActivities<CallbackActivities>({
  taskQueue: CALLBACKS_TASK_QUEUE,
  startToCloseTimeout: '75s',
  // Detects a dead worker.
  heartbeatTimeout: '15s',
  summary: "A request to the merchant's server",
  retry: { initialInterval: LIMITS.callbackRetrySeconds * 1000, backoffCoefficient: 1 },
});

/**
 * Delivers one callback: attempts until the merchant acknowledges it, refuses it, or five have failed. Older releases started
 * it; `callbackDelivery2` is started now.
 */
export async function callbackDelivery(start: CallbackDeliveryStart): Promise<NotificationStatus> {
  const changes = listenForChanges();
  setCurrentDetails(
    `${start.notificationType} of ${start.orderNo}: attempts 30 s apart until the merchant answers 2xx or 4xx, five at most`,
  );

  let status: NotificationStatus;
  do {
    // An operator may resend the callback while an attempt is under way.
    changes.readingNow();
    status = await attemptCallback(start.notificationId);
  } while (changes.arrived());

  setCurrentDetails(endedWith(status));
  return status;
}

/** What the workflow's details say at its end. */
export function endedWith(status: NotificationStatus): string {
  if (status === 'WAITING_RETRY')
    return 'No live api key can sign it: it begins again with the next key of its merchant';
  return status === 'FAILED'
    ? 'FAILED: an operator can resend it'
    : `${status}: nothing more to do`;
}
