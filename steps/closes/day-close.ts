import { businessError, CatalogueError, notFound } from '../../domain/errors';
import * as db from '../../db/closes/closes';
import type { Needs } from '../context';
import { type ActionNeeds, operatorAction, requireReason } from '../operators/operator-action';
import { actorName, operatorOf } from '../access/caller';
import type { Warrant } from '../../domain/authority/warrant';
import { takesTwo } from '../authority/row';

export const REFUSED: Readonly<Record<db.CloseRefusal, string>> = {
  CLOSED_ALREADY: 'the day is already closed',
  NOT_ENDED: 'the day has not ended',
  EARLIER_OPEN: 'close the days before it first',
};

export async function findOrRefuse({ database }: Needs<'database'>, id: string): Promise<db.CloseRow> {
  const close = await db.findClose(database.sql, id);
  if (!close) throw notFound('day');
  return close;
}

/** Closes a day of an account or channel. */
export async function closeDay(
  context: ActionNeeds,
  warrant: Warrant<'closeDay'>,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<db.CloseRow> {
  const { actor, now } = context;
  const { id: ownerId } = operatorOf(actor);
  const { account, currencyCode, day } = await findOrRefuse(context, id);
  const action = { action: warrant.step, subject: `day_close:${id}`, reason };
  const detail = { account, currencyCode, day };
  await operatorAction(context, { ...action, detail }, async (tx) => {
    const said = { by: actorName(actor), ownerId, reason, now };
    const refusal = await db.closeDay(tx, id, said);
    if (refusal) throw businessError('WRONG_STATE', REFUSED[refusal]);
  });
  return await findOrRefuse(context, id);
}

/** Ends an item of a day that was closed with differences. */
export async function endCloseItem(
  context: ActionNeeds,
  warrant: Warrant<'endCloseItem'>,
  { id, note }: { readonly id: string; readonly note: string },
): Promise<db.CloseRow> {
  const { actor, now } = context;
  requireReason(note);
  const action = { action: warrant.step, subject: `close_item:${id}`, reason: note };
  let closeId = '';
  await operatorAction(context, action, async (tx) => {
    const item = await db.lockItem(tx, id);
    if (!item) throw notFound('item');
    ({ closeId } = item);
    const close = await db.findClose(tx, closeId);
    if (takesTwo(context) && close?.closedBy === actorName(actor))
      throw new CatalogueError('AUTHORIZATION_ERROR', 'you closed the day: another person must explain its difference');
    if (!(await db.endItem(tx, id, { by: actorName(actor), note, now })))
      throw businessError('WRONG_STATE', 'the difference is explained');
  });
  return await findOrRefuse(context, closeId);
}
