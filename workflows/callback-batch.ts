import { setCurrentDetails } from '@temporalio/workflow';
import type { NotificationStatus } from '../domain/callback';
import { attemptCallback, type CallbackDeliveryStart } from './callback-delivery';
import { firstAttempt } from './callback-delivery-2';

/** Several callbacks that were late together. */
export interface CallbackBatchStart {
  readonly version: 1;
  readonly callbacks: readonly CallbackDeliveryStart[];
}

/**
 * Delivers several callbacks, each as `callbackDelivery2` does and none waiting for another. No new ones are started: each
 * callback is a `callbackDelivery2` of its own. This type stays for those that are open.
 * @returns how each ended
 * @throws the first failure, after all others have ended
 */
export async function callbackBatch({
  callbacks,
}: CallbackBatchStart): Promise<NotificationStatus[]> {
  setCurrentDetails(
    `${callbacks.length} callbacks: attempts 30 s apart until each merchant answers 2xx or 4xx, five at most`,
  );
  const ended = await Promise.allSettled(
    callbacks.map(
      async ({ notificationId }) =>
        (await firstAttempt(notificationId)) ?? (await attemptCallback(notificationId)),
    ),
  );
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
