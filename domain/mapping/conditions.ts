import { textAt, valueAt, type Values } from './document';
import type { Condition } from './schema';

/** Whether an answer has this fact. */
export function holds(condition: Condition, http: number, values: Values): boolean {
  if ('http' in condition) return condition.http.includes(http);
  if ('absent' in condition) return (valueAt(values, condition.absent) ?? null) === null;
  return condition.is.includes(textAt(values, condition.at) ?? '');
}
