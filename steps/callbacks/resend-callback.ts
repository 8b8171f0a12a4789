import { businessError, notFound } from '../../domain/errors';
import * as db from '../../db/callbacks/callbacks';

import { idempotent } from '../idempotent';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { actorName, requireReach } from '../access/caller';

/** A callback that an operator wants to be sent again. */
export interface ResendRequest {
  readonly id: string;
  readonly reason: string;
  readonly key?: string | null;
}

/**
 * Sends a callback again: the same row and body, five fresh attempts.
 * @throws NOT_FOUND, BUSINESS_ERROR while an attempt is under way, INVALID_FIELD without a reason
 */
export async function resendCallback(
  context: ActionNeeds,
  { id, reason, key }: ResendRequest,
): Promise<db.NotificationRow> {
  const { actor, database, now } = context;
  const found = async (): Promise<db.NotificationRow> => {
    const callback = await db.findNotification(database, id);
    if (!callback) throw notFound('callback');
    requireReach(actor, callback.merchantId, 'callback');
    return callback;
  };
  const about = { orderNo: (await found()).orderNo };
  const action = { action: 'resendCallback', subject: `callback:${id}`, reason, about };
  return await idempotent(
    context,
    { mutation: 'resendCallback', key, args: { id, reason } },
    async (recordKey) => {
      await operatorAction(context, action, async (tx) => {
        await recordKey(tx, id);
        if (!(await db.rearmCallback(tx, id, actorName(actor), reason, now)))
          throw businessError('WRONG_STATE', 'an attempt is under way');
      });
      return await found();
    },
    found,
  );
}
