import { businessError, notFound } from '../../domain/errors';
import * as db from '../../db/platform-events/deliveries';

import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { operatorOf, requireReach } from '../access/caller';

/** Delivers an event again. */
export async function resendEventDelivery(
  context: ActionNeeds,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<db.EventDeliveryRow> {
  const { actor, database, now } = context;
  const found = async (): Promise<db.EventDeliveryRow> => {
    const delivery = await db.findEventDelivery(database, id);
    if (!delivery) throw notFound('delivery');
    const { merchantId } = delivery;
    if (merchantId !== null) requireReach(actor, merchantId, 'delivery');
    else if (operatorOf(actor).merchantIds !== null) throw notFound('delivery');
    return delivery;
  };
  await found();
  const action = { action: 'resendEventDelivery', subject: `event_delivery:${id}`, reason };
  await operatorAction(context, action, async (tx) => {
    if (!(await db.rearmDelivery(tx, id, now))) throw businessError('WRONG_STATE', 'an attempt is under way');
  });
  return await found();
}
