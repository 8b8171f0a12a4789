import { RE2JSSyntaxException } from 're2js';
import { invalidField } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { expressionOf, requireSteps, TooCostly } from './re2';

/** The most characters of a pattern. */
const MOST_PATTERN = 500;

/** Whether a pattern fits any part of a line's text; case does not matter. One beyond the budget of RE2 fits nothing. */
export function memoFits(pattern: string, memo: string): boolean {
  try {
    const text = memo.slice(0, LIMITS.bankMemo);
    const expression = expressionOf(pattern);
    requireSteps(expression, text);
    return expression.matcher(text).find();
  } catch (error) {
    if (error instanceof TooCostly) return false;
    throw error;
  }
}

/** @throws INVALID_FIELD if the pattern is invalid, or fits lines without a text */
export function checkMemoPattern(pattern: string): void {
  if (pattern.trim() === '' || pattern.length > MOST_PATTERN)
    throw invalidField('memoPattern', `must have 1-${MOST_PATTERN} characters`, 'OUT_OF_RANGE');
  let fitsAll: boolean;
  try {
    const expression = expressionOf(pattern);
    // The longest memo, so that a pattern in force never stops at one.
    requireSteps(expression, ' '.repeat(LIMITS.bankMemo));
    fitsAll = expression.matcher('').find();
  } catch (error) {
    if (error instanceof TooCostly) throw invalidField('memoPattern', error.message, 'OUT_OF_RANGE');
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw invalidField('memoPattern', `is not a regular expression of RE2: ${error.message}`);
  }
  if (fitsAll) throw invalidField('memoPattern', 'fits lines without a text', 'NOT_ALLOWED');
}
