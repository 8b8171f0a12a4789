import { setTimeout as sleep } from 'node:timers/promises';
import { businessError, CatalogueError } from '../../domain/errors';
import type { DepositView } from '../../db/deposits/deposits';
import type { Needs } from '../context';

/** How long a merchant waits at most for a channel's details, milliseconds; the gateway answers within 4.5 s. */
const OPEN_WITHIN_MS = 3_800;
/** The interval of reads, milliseconds: a channel needs some tens. */
const LOOK_EVERY_MS = { first: 20, most: 200 };

/**
 * Waits until a channel has provided the payment details of a committed order. The order's workflow sends the request
 * to the channel; this only reads the row. @throws SERVICE_UNAVAILABLE if no channel answers in time: the order stays,
 * and the workflow continues; BUSINESS_ERROR if none takes it: the order is FAILED, and its number stays claimed
 */
export async function untilOpened(
  {
    openings,
    merchantDeposits,
    openWithinMs = OPEN_WITHIN_MS,
    relayHints,
  }: Needs<'merchantDeposits' | 'openWithinMs' | 'openings' | 'relayHints'>,
  { id, merchantId, orderNo }: DepositView,
): Promise<DepositView> {
  relayHints.tell();
  const until = performance.now() + openWithinMs;
  for (let wait = LOOK_EVERY_MS.first; !(await openings.call(id));) {
    if (performance.now() + wait > until)
      throw new CatalogueError('SERVICE_UNAVAILABLE', 'the payment channel has not answered yet: query the order');
    await sleep(wait);
    wait = Math.min(LOOK_EVERY_MS.most, wait * 1.5);
  }
  const opened = await merchantDeposits.call({ merchantId, orderNo, merchantOrderNo: null });
  if (!opened) throw new Error(`the deposit ${orderNo} is gone`);
  if (opened.channelOrderNo === null) throw businessError('NO_CAPACITY', 'no payment channel takes this deposit');
  return opened;
}
