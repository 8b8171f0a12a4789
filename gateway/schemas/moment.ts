import { type TString, Type } from 'typebox';
import { invalidField } from '../../domain/errors';

/** RFC 3339 with an offset, in this century; anything else is a fault of the agent. */
const RFC_3339 = '^20\\d{2}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})$';

/** A moment as an agent writes it. */
export const Moment = (description: string): TString =>
  Type.String({
    format: 'date-time',
    pattern: RFC_3339,
    description,
    examples: ['2026-01-01T09:30:00+06:00'],
  });

/**
 * A moment in UTC, as ISO 8601. The schema checks its form, not the lengths of months.
 * @throws INVALID_FIELD for a day that its month does not have
 */
export function utcOf(field: string, text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalidField(field, 'must be a valid date and time');
  return time.toISOString();
}
