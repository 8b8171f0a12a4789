import { isCancellation, proxyActivities, proxyLocalActivities, setCurrentDetails } from '@temporalio/workflow';
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
  /** The trace id of the request that created the order. */
  readonly traceId?: string;
}

/**
 * Attempts are 30 s apart (contract, "Acknowledgement and retries"). Temporal sets no maximum: the row's own count ends
 * them, so that a crash before a claim uses none of the five. A merchant's timeout is 60 s at most; the rest of the 75
 * s is for our own steps.
 */
const { attemptCallback } = proxyActivities<CallbackActivities>({
  taskQueue: CALLBACKS_TASK_QUEUE,
  startToCloseTimeout: '75s',
  // Detects a dead worker.
  heartbeatTimeout: '15s',
  summary: "A request to the merchant's server",
  retry: { initialInterval: LIMITS.callbackRetrySeconds * 1000, backoffCoefficient: 1 },
});

/**
 * The first attempt is made within the workflow's first task: 6 events instead of 12, and one task instead of three. It
 * lasts as long as the merchant's timeout allows, 60 s at most. It is never repeated here: the row says what follows.
 */
const { attemptCallbackAtOnce } = proxyLocalActivities<CallbackActivities>({
  startToCloseTimeout: '75s',
  retry: { maximumAttempts: 1 },
});

/** @returns null if more attempts must follow, or this one failed on our side */
async function firstAttempt(notificationId: string): Promise<NotificationStatus | null> {
  try {
    return await attemptCallbackAtOnce(notificationId);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return null;
  }
}

/**
 * Delivers one callback: attempts 30 s apart until the merchant acknowledges it, refuses it, or five have failed. From the
 * second on they are an activity with Temporal's retries.
 */
export async function callbackDelivery2(start: CallbackDeliveryStart): Promise<NotificationStatus> {
  const changes = listenForChanges();
  setCurrentDetails(
    `${start.notificationType} of ${start.orderNo}: attempts 30 s apart until the merchant answers 2xx or 4xx, five at most`,
  );

  changes.readingNow();
  let status = await firstAttempt(start.notificationId);
  while (status === null || changes.arrived()) {
    // An operator may resend the callback while an attempt is under way.
    changes.readingNow();
    status = await attemptCallback(start.notificationId);
  }

  setCurrentDetails(endedWith(status));
  return status;
}

/** What the workflow's details say at its end. */
function endedWith(status: NotificationStatus): string {
  if (status === 'WAITING_RETRY')
    return 'No live api key can sign it: it begins again with the next key of its merchant';
  return status === 'FAILED' ? 'FAILED: an operator can resend it' : `${status}: nothing more to do`;
}
