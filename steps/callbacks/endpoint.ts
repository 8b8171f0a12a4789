import { invalidField, notFound } from '../../domain/errors';
import type { Needs } from '../context';
import { operatorOf } from '../access/caller';

/** The longest span in which callbacks are counted or resent together. */
export const MOST_DAYS = 30;

/** @throws INVALID_FIELD */
export function checkSince(since: Date, now: Date): void {
  if (since.getTime() < now.getTime() - MOST_DAYS * 86_400_000)
    throw invalidField('since', `must be at most ${MOST_DAYS} days ago`, 'OUT_OF_RANGE');
}

/** The named merchants that the operator may see. @throws NOT_FOUND */
export function merchantsOf(
  { actor }: Needs<'actor'>,
  merchantId: string | null | undefined,
): readonly string[] | null {
  const { merchantIds } = operatorOf(actor);
  if (merchantId == null) return merchantIds;
  if (merchantIds !== null && !merchantIds.includes(merchantId)) throw notFound('merchant');
  return [merchantId];
}
