import { businessError, notFound } from '../../domain/errors';
import * as db from '../../db/events/outbox';

import { type ActionNeeds, operatorAction } from '../operators/operator-action';

/**
 * @throws NOT_FOUND once Temporal has taken it, BUSINESS_ERROR if it is not parked
 */
export async function release(context: ActionNeeds, id: string, reason: string): Promise<db.OutboxView> {
  const { database, now } = context;
  const row = await db.findOutbox(database, id);
  if (!row) throw notFound('outbox row');
  const action = { action: 'releaseOutboxRow', subject: row.key, reason, detail: { id } };
  return await operatorAction(context, action, async (tx) => {
    const released = await db.releaseOutbox(tx, id, now);
    if (!released) throw businessError('WRONG_STATE', 'the outbox row is not parked');
    return released;
  });
}
