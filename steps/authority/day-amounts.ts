import { businessError } from '../../domain/errors';
import { type Subjects, subjectsCounted } from '../../domain/authority/day-amounts';
import type { CountedDay } from '../../db/authority/day-amounts';
import type { Needs } from '../context';
import { rowOf, takesTwo } from './row';

/**
 * The counters of the day that a step counts against, by its row in the authority table.
 * @param subjects the owners of the counters; a subject that is not given is not counted
 * @throws BUSINESS_ERROR for a currency without day's amounts, if they are required
 */
export function countersOfStep(
  context: Needs<'authority' | 'changes'>,
  step: string,
  currencyCode: string,
  subjects: Subjects,
): readonly CountedDay[] {
  const limits = context.changes.dayLimits ?? null;
  const counted = subjectsCounted(limits, rowOf(context, step).counts, currencyCode, subjects);
  if (counted === null && takesTwo(context))
    throw businessError(
      'NOT_ENABLED',
      `no day's amounts are set for ${currencyCode} (DAY_AMOUNTS): nobody decides on it`,
    );
  return counted ?? [];
}
