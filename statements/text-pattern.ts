import { RE2JS } from 're2js';
import { invalidField } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import type { Money } from '../domain/money';
import { momentOf } from '../domain/zone';
import { amountOf, Unreadable } from './amounts';
import { dateReader } from './dates';
import { fieldOf } from './text';

/** How to read messages of a bank. */
export interface TextPattern {
  readonly sender: string | null;
  readonly direction: 'CREDIT' | 'DEBIT';
  /** A regular expression of RE2, which is linear in the text: no pattern can block the platform. */
  readonly pattern: string;
  readonly timeFormat: string | null;
  readonly decimalSign: '.' | ',';
  readonly yearsAhead: number;
}

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
}

/** A message, unchanged. */
export interface RawText {
  readonly sender: string;
  readonly text: string;
  readonly sentAt: Date;
}

const GROUPS = ['amount', 'balance', 'reference', 'payer', 'account', 'memo', 'time'] as const;
type Group = (typeof GROUPS)[number];

/** The most characters of a pattern, and of the part of a message that is read. */
export const MOST_PATTERN = 1_000;
export const MOST_TEXT = 2_000;

const compiled = new Map<string, RE2JS>();

/** Compiled once, because the pattern of a version never changes. */
function expressionOf(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = RE2JS.compile(pattern, RE2JS.DOTALL | RE2JS.CASE_INSENSITIVE);
  if (compiled.size > 500) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

/** Whether a format has a date without a year, as banks often write it. */
const isYearless = (format: string): boolean => !format.includes('Y');

const readerOf = (format: string, yearsAhead: number) =>
  isYearless(format) ? dateReader(`YYYY ${format}`) : dateReader(format, yearsAhead);

/** @throws INVALID_FIELD for a pattern that cannot read a message */
export function checkPattern(pattern: TextPattern): void {
  if (pattern.pattern.length > MOST_PATTERN)
    throw invalidField('pattern', `must have at most ${MOST_PATTERN} characters`, 'OUT_OF_RANGE');
  let names: string[];
  try {
    names = Object.keys(expressionOf(pattern.pattern).namedGroups());
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read';
    throw invalidField('pattern', `is not a regular expression of RE2: ${why}`);
  }
  const stray = names.find((name) => !(GROUPS as readonly string[]).includes(name));
  if (stray !== undefined)
    throw invalidField('pattern', `has a group ${stray}; there are ${GROUPS.join(', ')}`);
  if (!names.includes('amount'))
    throw invalidField('pattern', 'must have a group `amount`', 'REQUIRED');
  if ((pattern.timeFormat !== null) !== names.includes('time'))
    throw invalidField('timeFormat', 'is required with a group `time`, and only then');
  if (pattern.timeFormat !== null && !/DD/.test(pattern.timeFormat))
    throw invalidField('timeFormat', 'must have a day, such as DD/MM/YYYY HH:mm');
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

/**
 * What a message reports by a pattern.
 * @returns null if the pattern does not fit
 * @throws Unreadable if it fits, and its amount or time is invalid
 */
export function readText(
  pattern: TextPattern,
  { sender, text, sentAt }: RawText,
  zone: string,
  decimals: number,
): ReadMovement | null {
  if (pattern.sender !== null && pattern.sender.toLowerCase() !== sender.trim().toLowerCase())
    return null;
  const expression = expressionOf(pattern.pattern);
  const match = expression.matcher(text.slice(0, MOST_TEXT));
  if (!match.find()) return null;
  const names = new Set(Object.keys(expression.namedGroups()));
  const group = (name: Group): string | undefined =>
    names.has(name) ? (match.group(name) ?? undefined) : undefined;
  const { direction, decimalSign, timeFormat, yearsAhead } = pattern;
  const amount = amountOf(group('amount') ?? '', decimalSign, decimals).abs();
  if (amount.isZero()) throw new Unreadable('its amount is zero');
  const balance = group('balance');
  const time = group('time');
  let at = sentAt;
  if (time !== undefined && timeFormat !== null) {
    const read = readerOf(timeFormat, yearsAhead);
    const when = isYearless(timeFormat) ? withYear(time, read, sentAt) : read(time);
    if (!when)
      throw new Unreadable(
        `the time ${JSON.stringify(time)} does not have the format ${timeFormat}`,
      );
    at = when.time === null ? sentAt : momentOf(zone, when.day, when.time);
  }
  return {
    ...{ direction, amount, at },
    balance: balance === undefined ? null : amountOf(balance, decimalSign, LIMITS.moneyDecimals),
    reference: fieldOf(group('reference'), LIMITS.bankReference),
    party: fieldOf(group('payer'), LIMITS.accountHolder),
    partyAccount: fieldOf(group('account'), LIMITS.accountNo),
    memo: fieldOf(group('memo'), LIMITS.bankMemo) ?? '',
  };
}
