import type { Warrant } from '../../domain/authority/warrant';
import { businessError, notFound } from '../../domain/errors';
import * as db from '../../db/health/board';
import { actorName } from '../access/caller';
import type { Needs } from '../context';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';

/** The most orders of each kind that one call moves. */
export const MOVED_AT_ONCE = 500;

/**
 * Takes back orders that were never sent to a channel that gets none now, and gives them to the next one.
 * @throws NOT_FOUND; WRONG_STATE if the channel gets orders as usual
 */
export async function moveWaiting(
  context: ActionNeeds & Needs<'loaders'>,
  warrant: Warrant<'moveWaiting'>,
  { channelId, reason }: { readonly channelId: string; readonly reason: string },
): Promise<{ readonly payouts: number; readonly deposits: number }> {
  const { actor, loaders, now } = context;
  if (!(await loaders.channels.load(channelId))) throw notFound('channel');
  const move = { actor: actorName(actor), reason, limit: MOVED_AT_ONCE };
  const action = { action: warrant.step, subject: `channel:${channelId}`, reason };
  return await operatorAction(context, action, async (tx) => {
    const moved = await db.moveWaiting(tx, channelId, move, now);
    if (!moved) throw businessError('WRONG_STATE', 'the channel gets orders as usual');
    return moved;
  });
}
