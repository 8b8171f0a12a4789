import { invalidField } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import type { Money } from '../domain/money';
import { momentOf } from '../domain/zone';
import { amountOf, Unreadable } from './amounts';
import { dateReader } from './dates';
import { type Fit, fitOf } from './fit';
import { RENEWED } from './published-patterns';
import type { TextPattern } from './pattern';
import { expressionOf, requireSteps, TooCostly } from './re2';
import { fieldOf, plainSpaces } from './text';

export type { TextPattern };

/** What a message reports. */
export interface ReadMovement {
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amount: Money;
  readonly balance: Money | null;
  readonly reference: string | null;
  readonly party: string | null;
  readonly partyAccount: string | null;
  readonly memo: string;
  readonly at: Date;
  /** Whether the message tells the time; else it is that of its arrival. */
  readonly timed: boolean;
}

/** A message, unchanged. */
export interface RawText {
  readonly sender: string;
  readonly text: string;
  readonly sentAt: Date;
}

const GROUPS = ['amount', 'balance', 'reference', 'payer', 'account', 'memo', 'time'] as const;
type Group = (typeof GROUPS)[number];

/** A message that a pattern fits in more than one way: the payer may have written what it reads. */
export class TwoWays extends Error {}

/** The most characters of a pattern, and of a message. */
export const MOST_PATTERN = 1_000;
export const MOST_TEXT = 2_000;

/** Whether a format has a date without a year, as banks often write it. */
const isYearless = (format: string): boolean => !format.includes('Y');

const readerOf = (format: string, yearsAhead: number) =>
  isYearless(format) ? dateReader(`YYYY ${format}`) : dateReader(format, yearsAhead);

/** The groups of a pattern. @throws INVALID_FIELD for one that is too long, too costly, or none of RE2 */
export function groupsOfPattern({ pattern }: TextPattern): string[] {
  if (pattern.length > MOST_PATTERN)
    throw invalidField('pattern', `must have at most ${MOST_PATTERN} characters`, 'OUT_OF_RANGE');
  // It turns the preference of repetitions round, and so would hide a second way to fit (fit.ts).
  if (/\(\?[a-zA-Z-]*U[a-zA-Z-]*[:)]/.test(pattern))
    throw invalidField('pattern', 'must not have the flag U', 'NOT_ALLOWED');
  try {
    return Object.keys(expressionOf(plainSpaces(pattern)).namedGroups());
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read';
    if (error instanceof TooCostly) throw invalidField('pattern', why, 'OUT_OF_RANGE');
    throw invalidField('pattern', `is not a regular expression of RE2: ${why}`);
  }
}

/** @throws INVALID_FIELD for a pattern that cannot read a message */
export function checkPattern(pattern: TextPattern): void {
  const names = groupsOfPattern(pattern);
  const stray = names.find((name) => !(GROUPS as readonly string[]).includes(name));
  if (stray !== undefined) throw invalidField('pattern', `has a group ${stray}; there are ${GROUPS.join(', ')}`);
  if (!names.includes('amount')) throw invalidField('pattern', 'must have a group `amount`', 'REQUIRED');
  if ((pattern.timeFormat !== null) !== names.includes('time'))
    throw invalidField('timeFormat', 'is required with a group `time`, and only then');
  if (pattern.timeFormat !== null && !/DD/.test(pattern.timeFormat))
    throw invalidField('timeFormat', 'must have a day, such as DD/MM/YYYY HH:mm');
  try {
    if (pattern.timeFormat !== null) readerOf(pattern.timeFormat, pattern.yearsAhead);
  } catch {
    throw invalidField('timeFormat', 'must have each of its parts once');
  }
}

/** The year of a date without one: the year in which it is nearest to the time when the message came. */
function withYear(text: string, read: ReturnType<typeof dateReader>, near: Date) {
  const year = near.getUTCFullYear();
  const far = (day: string): number => Math.abs(Date.parse(`${day}T12:00:00Z`) - near.getTime());
  return [year - 1, year, year + 1]
    .flatMap((one) => {
      try {
        return [read(`${one} ${text}`)];
      } catch {
        return [];
      }
    })
    .sort((a, b) => far(a.day) - far(b.day))[0];
}

/** Operators put two letters before a sender, or one after it: VM-bKash, bKash-S. */
const bareSender = (sender: string): string =>
  plainSpaces(sender)
    .trim()
    .toLowerCase()
    .replace(/^[a-z]{2}-(?=..)/, '')
    .replace(/(?<=..)-[a-z]$/, '');

/** Whether messages of this sender are those of a pattern. */
function isSender({ sender: expected }: TextPattern, sender: string): boolean {
  if (expected === null) return true;
  const wanted = expected.trim().toLowerCase();
  return wanted === plainSpaces(sender).trim().toLowerCase() || wanted === bareSender(sender);
}

/** Fits a pattern to a text, within the budget. @throws TooCostly */
export function fitWithin(pattern: string, text: string): Fit {
  const compile = (source: string) => {
    const expression = expressionOf(source);
    requireSteps(expression, text);
    return expression;
  };
  return fitOf(compile, plainSpaces(pattern), text);
}

/** The forms in which a message is read: without marks of direction, or with a space for each. */
export const formsOf = (text: string): readonly string[] => [
  ...new Set([plainSpaces(text).trim(), plainSpaces(text, ' ').trim()]),
];

/** The groups in the first form that a pattern fits. @returns null if it fits none @throws TwoWays, Unreadable */
function groupsIn(
  forms: readonly string[],
  fit: (form: string) => Fit,
): Readonly<Record<string, string | null>> | null {
  let isElsewhere = false;
  for (const form of forms) {
    const found = fit(form);
    if (found.kind === 'FITS') return found.groups;
    if (found.kind === 'SEVERAL_WAYS') throw new TwoWays('it fits in more than one way');
    isElsewhere ||= found.kind === 'ELSEWHERE';
  }
  if (isElsewhere) throw new Unreadable('it fits, but not from the first character');
  return null;
}

/**
 * What a message reports by a pattern.
 * @param fit fits the pattern to a form of the text, by default here
 * @returns null if the pattern does not fit
 * @throws TwoWays if it fits in two ways; Unreadable if it fits elsewhere than from the first character, or its amount or
 * time is invalid; TooCostly beyond the budget
 */
export function readText(
  pattern: TextPattern,
  { sender, text, sentAt }: RawText,
  zone: string,
  decimals: number,
  fit: (pattern: string, text: string) => Fit = fitWithin,
): ReadMovement | null {
  if (!isSender(pattern, sender)) return null;
  const groups = groupsIn(formsOf(text), (form) => fit(RENEWED.get(pattern.pattern) ?? pattern.pattern, form));
  if (!groups) return null;
  const group = (name: Group): string | undefined => groups[name] ?? undefined;
  const { direction, decimalSign, timeFormat, yearsAhead } = pattern;
  const amount = amountOf(group('amount') ?? '', decimalSign, decimals).abs();
  if (amount.isZero()) throw new Unreadable('its amount is zero');
  const balance = group('balance');
  const time = group('time');
  let at = sentAt;
  let timed = false;
  if (time !== undefined && timeFormat !== null) {
    const read = readerOf(timeFormat, yearsAhead);
    const when = isYearless(timeFormat) ? withYear(time, read, sentAt) : read(time);
    if (!when) throw new Unreadable(`the time ${JSON.stringify(time)} does not have the format ${timeFormat}`);
    timed = when.time !== null;
    at = when.time === null ? sentAt : momentOf(zone, when.day, when.time);
  }
  return {
    direction,
    amount,
    at,
    timed,
    balance: balance === undefined ? null : amountOf(balance, decimalSign, decimals),
    reference: fieldOf(group('reference'), LIMITS.bankReference),
    party: fieldOf(group('payer'), LIMITS.accountHolder),
    partyAccount: fieldOf(group('account'), LIMITS.accountNo),
    memo: fieldOf(group('memo'), LIMITS.bankMemo) ?? '',
  };
}

/** Whether two patterns read the same of a message, as far as both say it. */
export function readAlike(a: ReadMovement, b: ReadMovement): boolean {
  const same = <Value>(
    [one, other]: readonly [Value | null, Value | null],
    equal = Object.is as (x: Value, y: Value) => boolean,
  ): boolean => one === null || other === null || equal(one, other);
  return (
    a.direction === b.direction &&
    (!a.timed || !b.timed || a.at.getTime() === b.at.getTime()) &&
    a.amount.equals(b.amount) &&
    same([a.balance, b.balance], (x, y) => x.equals(y)) &&
    same([a.reference, b.reference]) &&
    same([a.party, b.party]) &&
    same([a.partyAccount, b.partyAccount]) &&
    same([a.memo || null, b.memo || null])
  );
}
