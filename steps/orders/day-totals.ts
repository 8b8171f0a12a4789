import { invalidField } from '../../domain/errors';
import { shownMerchants } from '../../domain/permissions';
import type * as db from '../../db/orders/day-totals';
import type { Needs } from '../context';
import { operatorOf } from '../access/caller';

/** The longest span that one query sums, days. */
export const MOST_DAYS = 92;

const DAY_MS = 86_400_000;

/** The arguments of the sums. */
export interface AskedTotals<Status extends string> {
  readonly from: Date;
  readonly to: Date;
  readonly merchantId?: string[] | null;
  readonly currencyCode?: string[] | null;
  readonly zone: string;
  readonly status?: Status[] | null;
}

const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    // An offset's sign means the opposite to PostgreSQL.
    return !/^[+-]/.test(zone);
  } catch {
    return false;
  }
};

/** @throws INVALID_FIELD */
export function askedOf<Status extends string>(
  filter: AskedTotals<Status>,
  { actor }: Needs<'actor'>,
): db.DayTotalsFilter {
  const { from, to, currencyCode, status, zone } = filter;
  if (to.getTime() <= from.getTime()) throw invalidField('filter.to', 'must be after `from`', 'OUT_OF_RANGE');
  if (to.getTime() - from.getTime() > MOST_DAYS * DAY_MS)
    throw invalidField('filter.to', `must be at most ${MOST_DAYS} days after \`from\``, 'OUT_OF_RANGE');
  if (!isZone(zone)) throw invalidField('filter.zone', 'is not a time zone');
  return {
    createdAt: { from, to },
    merchantId: shownMerchants(operatorOf(actor), filter.merchantId) ?? null,
    currencyCode: currencyCode ?? null,
    status: status ?? null,
    zone,
  };
}
