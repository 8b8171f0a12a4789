import { invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';

export const WEEKDAYS = 'Days of the week, 1 Monday to 7 Sunday.';

/** @throws INVALID_FIELD */
export function checkedName(field: string, text: string): string {
  const name = text.trim();
  if (name === '' || Array.from(name).length > LIMITS.calendarName)
    throw invalidField(field, `must be 1-${LIMITS.calendarName} characters`, 'OUT_OF_RANGE');
  return name;
}

/** Days of the week, sorted. @throws INVALID_FIELD */
export function checkedWeekdays(field: string, days: readonly number[], most: number): number[] {
  if (days.some((day) => day < 1 || day > 7) || new Set(days).size !== days.length)
    throw invalidField(field, 'must be different days from 1 to 7', 'OUT_OF_RANGE');
  if (days.length > most) throw invalidField(field, `must be at most ${most} days`, 'OUT_OF_RANGE');
  return [...days].sort();
}
