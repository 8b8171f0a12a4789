import { RE2JS, RE2JSSyntaxException } from 're2js';
import { invalidField } from '../domain/errors';
import { LIMITS } from '../domain/limits';

/** The most characters of a pattern. */
const MOST_PATTERN = 500;

const compiled = new Map<string, RE2JS>();

/**
 * Compiled once, because a rule's version never changes. RE2 is linear in the text: no pattern can block the platform.
 */
function expressionOf(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = RE2JS.compile(pattern, RE2JS.DOTALL | RE2JS.CASE_INSENSITIVE);
  if (compiled.size > 500) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

/** Whether a pattern fits any part of a line's text; case does not matter. */
export const memoFits = (pattern: string, memo: string): boolean =>
  expressionOf(pattern).matcher(memo.slice(0, LIMITS.bankMemo)).find();

/** @throws INVALID_FIELD if the pattern is invalid, or fits lines without a text */
export function checkMemoPattern(pattern: string): void {
  if (pattern.trim() === '' || pattern.length > MOST_PATTERN)
    throw invalidField('memoPattern', `must have 1-${MOST_PATTERN} characters`, 'OUT_OF_RANGE');
  let fitsAll: boolean;
  try {
    fitsAll = memoFits(pattern, '');
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw invalidField('memoPattern', `is not a regular expression of RE2: ${error.message}`);
  }
  if (fitsAll) throw invalidField('memoPattern', 'fits lines without a text', 'NOT_ALLOWED');
}
