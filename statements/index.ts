export type { Reading } from './read';
export { readApart } from './read-apart';
export { Unreadable } from './amounts';
export { PUBLISHED_PATTERNS, type PublishedPattern } from './published-patterns';
export { checkPattern, MOST_TEXT, readAlike, readText, type TextPattern, TwoWays } from './text-pattern';
export { TooCostly } from './re2';
export { tryPattern } from './trial';
export { checkMemoPattern, memoFits } from './memo-pattern';
