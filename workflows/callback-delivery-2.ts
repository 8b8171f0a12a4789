import { isCancellation, proxyLocalActivities, setCurrentDetails } from '@temporalio/workflow';
import type { NotificationStatus } from '../domain/callback';
import type { CallbackActivities } from '../temporal/activities/callbacks';
import { attemptCallback, type CallbackDeliveryStart, endedWith } from './callback-delivery';
import { listenForChanges } from './shared';

/**
 * The first attempt is made within the workflow's first task: 6 events instead of 12, and one task instead of three. It
 * lasts as long as the merchant's timeout allows, 60 s at most. It is never repeated here: the row says what follows.
 */
const { attemptCallbackAtOnce } = proxyLocalActivities<CallbackActivities>({
  startToCloseTimeout: '75s',
  retry: { maximumAttempts: 1 },
});

/** @returns null if more attempts must follow, or this one failed on our side */
export async function firstAttempt(notificationId: string): Promise<NotificationStatus | null> {
  try {
    return await attemptCallbackAtOnce(notificationId);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return null;
  }
}

/**
 * Delivers one callback: attempts 30 s apart until the merchant acknowledges it, refuses it, or five have failed. From the
 * second on they are an activity with Temporal's retries, as in `callbackDelivery`.
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
