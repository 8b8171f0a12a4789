import { setCurrentDetails } from '@temporalio/workflow';
import type { NotificationStatus } from '../domain/callback';
import { attemptCallback, type CallbackDeliveryStart } from './callback-delivery';
import { firstAttempt } from './callback-delivery-2';

/** Written by the relay, from the outbox rows of several callbacks. */
export interface CallbackBatchStart {
  readonly version: 1;
  readonly callbacks: readonly CallbackDeliveryStart[];
}

/**
 * Delivers several callbacks, each as `callbackDelivery2` does and none waiting for another: one workflow for callbacks that
 * were late together. Whatever wakes one of them meanwhile starts its own `callbackDelivery2`; its row lets only one of the
 * two make an attempt.
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
