import {
  isCancellation,
  proxyLocalActivities,
  setCurrentDetails,
  sleep,
} from '@temporalio/workflow';
import type { NotificationStatus } from '../domain/callback';
import type { CallbackActivities } from '../temporal/activities/callbacks';
import { attemptCallback, type CallbackDeliveryStart, endedWith } from './callback-delivery';
import { listenForChanges } from './shared';

/**
 * The first attempt is made within the workflow's first task: 6 events instead of 12, and one task instead of three. It
 * lasts as long as the merchant's timeout allows, 60 s at most. It is never repeated here: the row decides what follows.
 */
const { attemptCallbackAtOnce } = proxyLocalActivities<CallbackActivities>({
  startToCloseTimeout: '75s',
  retry: { maximumAttempts: 1 },
});

/** @returns undefined if the attempts of Temporal's retries take over */
async function firstStatus(notificationId: string): Promise<NotificationStatus | undefined> {
  try {
    const { status, againAfterMs } = await attemptCallbackAtOnce(notificationId);
    if (againAfterMs !== undefined) await sleep(againAfterMs);
    return status;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return undefined;
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
  let status = await firstStatus(start.notificationId);
  while (status === undefined || changes.arrived()) {
    // An operator may resend the callback while an attempt is under way.
    changes.readingNow();
    status = await attemptCallback(start.notificationId);
  }

  setCurrentDetails(endedWith(status));
  return status;
}
