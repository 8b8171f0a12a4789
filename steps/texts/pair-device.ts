import type { Warrant } from '../../domain/authority/warrant';
import { notFound } from '../../domain/errors';
import * as db from '../../db/texts/texts';
import { actorName } from '../access/caller';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';

/** Lets what a device forwards be read, the messages that wait too. @throws NOT_FOUND */
export async function pairDevice(
  context: ActionNeeds,
  warrant: Warrant<'pairDevice'>,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<db.DeviceRow | undefined> {
  const { actor, database, now } = context;
  if (!(await db.findDevice(database, id))) throw notFound('device');
  const action = { action: warrant.step, subject: `agent_device:${id}`, reason };
  await operatorAction(context, action, async (tx) => {
    await db.pairDevice(tx, id, actorName(actor), now);
  });
  return await db.findDevice(database, id);
}

/** What a device forwards is kept, and read no more. @throws NOT_FOUND */
export async function unpairDevice(
  context: ActionNeeds,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<db.DeviceRow | undefined> {
  const { database, now } = context;
  if (!(await db.findDevice(database, id))) throw notFound('device');
  const action = { action: 'unpairDevice', subject: `agent_device:${id}`, reason };
  await operatorAction(context, action, async (tx) => {
    await db.unpairDevice(tx, id, now);
  });
  return await db.findDevice(database, id);
}
