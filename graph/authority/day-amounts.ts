import { businessError } from '../../domain/errors';
import type { Counter } from '../../domain/authority/step';
import type { CountedDay } from '../../db/authority/day-amounts';
import type { GraphContext } from '../context';
import { rowOf, takesTwo } from './warrant';

/**
 * The counters that a step counts against, as its row says.
 * @param subjects whose they are; what is not named is not counted
 * @throws BUSINESS_ERROR for a currency without day's amounts, where they are required
 */
export function countersOfStep(
  context: GraphContext,
  step: string,
  currencyCode: string,
  subjects: Readonly<Partial<Record<Counter, string>>>,
): CountedDay[] {
  const limits = context.changes.dayLimits ?? null;
  const counts = rowOf(context, step).counts;
  if (limits === null) return [];
  const of = limits[currencyCode];
  if (!of && takesTwo(context))
    throw businessError(
      'NOT_ENABLED',
      `no day's amounts are set for ${currencyCode} (DAY_AMOUNTS): nobody decides on it`,
    );
  return counts.flatMap((counter) => {
    const subject = subjects[counter];
    return subject === undefined || !of ? [] : [{ counter, subject, most: of[counter] }];
  });
}
