import { RE2JS } from 're2js';

/** The most instructions of a pattern's program: RE2 needs time in proportion to program × text. */
export const MOST_PROGRAM = 1_000;
/** The most instructions × characters of one reading, some tens of milliseconds at worst. */
const MOST_STEPS = 400_000;

/** A pattern whose program, or whose reading of a text, would take too long. */
export class TooCostly extends Error {}

interface Frame {
  /** Instructions of all before the last atom. */
  before: number;
  /** Instructions of the last atom, which a repetition multiplies. */
  last: number;
}

/** The index after a class such as `[^])a-z]`. */
function afterClass(pattern: string, from: number): number {
  let at = from + 1;
  if (pattern[at] === '^') at++;
  if (pattern[at] === ']') at++;
  while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** What stands at a place of a pattern, and the index after it. */
function tokenAt(pattern: string, at: number): { readonly end: number; readonly repeat?: number } {
  const rest = pattern.slice(at, at + 64);
  if (rest.startsWith('[')) return { end: afterClass(pattern, at) };
  const escape = /^\\(?:[pPx]\{[^}]*\}|x[0-9a-fA-F]{2}|[^])/.exec(rest);
  if (escape) return { end: at + escape[0].length };
  const counted = /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
  if (!counted) return { end: at + 1 };
  return {
    end: at + counted[0].length,
    repeat: Math.max(Number(counted[1]), Number(counted[2] ?? 0)) + (counted[2] === '' ? 1 : 0),
  };
}

/**
 * How many instructions the program of a pattern may have, at most, without compiling it: compiling
 * one of 240,000 takes seconds. Repetitions multiply what they repeat.
 */
export function programBound(pattern: string): number {
  const frames: Frame[] = [{ before: 2, last: 0 }];
  const top = (): Frame => frames[frames.length - 1] ?? { before: 0, last: 0 };
  const push = (size: number): void => {
    const frame = top();
    frame.before += frame.last;
    frame.last = size;
  };
  for (let at = 0; at < pattern.length;) {
    const { end, repeat } = tokenAt(pattern, at);
    const sign = end === at + 1 ? pattern[at] : '';
    if (sign === '(') {
      const head = /^\(\?(?:P?<\w+>|[a-zA-Z-]*:?)/.exec(pattern.slice(at, at + 64));
      frames.push({ before: 2, last: 0 });
      at = head ? at + head[0].length : end;
      continue;
    }
    if (sign === ')' && frames.length > 1) {
      const { before, last } = frames.pop() ?? top();
      push(before + last);
    } else if (repeat !== undefined) {
      top().last = (top().last + 1) * Math.max(1, repeat);
    } else if (sign === '*' || sign === '+' || sign === '?') top().last += 1;
    else push(1);
    at = end;
  }
  return frames.reduce((sum, { before, last }) => sum + before + last, 0);
}

const compiled = new Map<string, RE2JS>();

/**
 * A pattern's expression, without regard to case. Compiled once, because a version of a pattern never changes.
 * @throws TooCostly beyond MOST_PROGRAM; re2js' error for what is no pattern
 */
export function expressionOf(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const tooLarge = new TooCostly(
    `makes a program of more than ${MOST_PROGRAM} steps: use fewer or smaller repetitions {n,m}`,
  );
  // Between \Q and \E a bracket or brace is a letter: the estimate would take it for what it is elsewhere.
  if (/\\Q/.test(pattern)) throw new TooCostly('must write letters as they are, without \\Q');
  // The estimate may be twice as large as the program.
  if (programBound(pattern) > 2 * MOST_PROGRAM) throw tooLarge;
  const made = RE2JS.compile(pattern, RE2JS.DOTALL | RE2JS.CASE_INSENSITIVE);
  if (made.programSize() > MOST_PROGRAM) throw tooLarge;
  if (compiled.size > 500) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

/** @throws TooCostly for a text that is too long for a program of this size */
export function requireSteps(expression: RE2JS, text: string): void {
  const most = Math.floor(MOST_STEPS / expression.programSize());
  if (text.length > most) throw new TooCostly(`is too large for a text of ${text.length} characters: at most ${most}`);
}
