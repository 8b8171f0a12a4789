import { LIMITS } from '../domain/limits';
import { type Money, money } from '../domain/money';

/** Why a field cannot be read; the message quotes the field. */
export class Unreadable extends Error {}

/** The account's currency: its code by ISO 4217, and its decimal places. */
export interface Currency {
  readonly code: string;
  readonly decimals: number;
}

const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** How people of our markets write a currency, beside its code and the symbols that Unicode has for it. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  BDT: ['tk', 'tk.', 'taka'],
  CNY: ['￥', 'rmb'],
  IDR: ['rp.'],
  INR: ['rs', 'rs.'],
  JPY: ['￥'],
  KES: ['ksh', 'ksh.'],
  LKR: ['rs.'],
  NPR: ['rs.'],
  PKR: ['rs.'],
  THB: ['บ', 'บ.', 'บาท', 'baht'],
  VND: ['đ', 'vnđ', 'đồng'],
};

const symbolOf = (currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
    .formatToParts(1)
    .find(({ type }) => type === 'currency')?.value ?? '';

const MARKERS = new Map<string, ReadonlySet<string>>();

/** What may stand beside an amount of this currency, in lower case: nothing, its code, a symbol or a word. */
function markersOf(currency: string): ReadonlySet<string> {
  const known = MARKERS.get(currency);
  if (known) return known;
  const symbols = (['symbol', 'narrowSymbol'] as const).map((form) => symbolOf(currency, form));
  const words = ['', currency, ...symbols, ...(WORDS[currency] ?? [])];
  const markers = new Set(words.map((word) => word.toLowerCase()));
  MARKERS.set(currency, markers);
  return markers;
}
/** Whether a text names this currency. */
export const isOfCurrency = (text: string, currency: string): boolean =>
  text.trim() !== '' && markersOf(currency).has(text.trim().toLowerCase());
const NO_MARKER: ReadonlySet<string> = new Set(['']);

/** Groups of three with one sign between them, or as India groups: 1,00,000. No group begins with a zero of its own. */
const GROUPED = /^[1-9]\d{0,2}(?:([.,'’\s])\d{3})(?:\1\d{3})*$/;
const INDIAN = /^[1-9]\d?(?:,\d{2})+,\d{3}$/;

const SIMPLE = /^(\d+)(?:\.(\d*))?$/;

/** The marks on one side of the digits, without space. */
interface Marks {
  readonly signs: string;
  /** A marker of the currency, or nothing. */
  readonly marker: string;
  /** `cr` or `dr`, if it is there. */
  readonly side: string;
}

function marksOf(text: string, markers: ReadonlySet<string>): Marks | null {
  const bare = text
    .replace(/\s/g, '')
    .toLowerCase()
    .replace(/^\(([cd]r)\.?\)$/, '$1');
  const signs = bare.replace(/[^-+()\u2013\u2212]/g, '');
  const words = bare.replace(/[-+()\u2013\u2212]/g, '');
  if (markers.has(words)) return { signs, marker: words, side: '' };
  const [, before = '', side = '', after = ''] = /^(.*?)([cd]r)\.?(.*)$/.exec(words) ?? [];
  const marker = before + after;
  return side !== '' && markers.has(marker) ? { signs, marker, side } : null;
}

/**
 * Whether the marks around the digits make an amount negative.
 * @returns null if there are several signs: nothing says what they mean together
 */
function negativeBy(before: Marks, after: Marks): boolean | null {
  const signs = before.signs + after.signs;
  const brackets = before.signs === '(' && after.signs === ')';
  if (before.marker !== '' && after.marker !== '' && before.marker !== after.marker) return null;
  const sides = before.side + after.side;
  if (brackets) return sides === '' ? true : null;
  if (signs.length + sides.length / 2 > 1 || /[()]/.test(signs)) return null;
  return /[-\u2013\u2212]/.test(signs) || sides === 'dr';
}

function checkedValue(text: string, integer: string, fraction: string): Money {
  if (integer.replace(/^0+/, '').length > LIMITS.amountIntegerDigits)
    throw new Unreadable(`the amount ${shown(text)} has too many digits`);
  return money(`${integer === '' ? '0' : integer}.${fraction === '' ? '0' : fraction}`);
}

const tooExact = (text: string, decimals: number): Unreadable =>
  new Unreadable(`the amount ${shown(text)} has more than ${decimals} decimal places`);

/**
 * A signed amount as banks print it. Thousands may be grouped, in threes or as India groups. A minus stands before or
 * after, or the amount is in brackets; `Cr` and `Dr` are signs too. It has no more *written* decimals than the currency:
 * `1.000` of a currency with two is a thousand by another hand. Two zeros may always be written: no group has two.
 * @param decimals decimal places of the currency
 * @param currency whose code, symbol or word may stand beside it; undefined: none may
 * @throws Unreadable
 */
export function amountOf(text: string, decimalSign: '.' | ',', decimals: number, currency?: string): Money {
  const notOne = (): Unreadable => new Unreadable(`the amount ${shown(text)} is not a number`);
  // Most amounts are no more than this.
  const [, simple, cents = ''] = (decimalSign === '.' && SIMPLE.exec(text)) || [];
  if (simple !== undefined && cents.length <= decimals) return checkedValue(text, simple, cents);
  // Excel writes ="1.00" for a text.
  // And people of India 500/- for 500.
  const said = text
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/(\d)\s*\/-(?=\D*$)/, '$1');
  const [, head = '', digits = '', tail = ''] = /^([^\d]*)(\d(?:.*\d)?)([^\d]*)$/.exec(said) ?? [];
  if (digits === '') throw notOne();
  const markers = currency === undefined ? NO_MARKER : markersOf(currency);
  // `.50` and `5.` have their decimal sign outside the digits; the point of `Rs.` is no decimal sign.
  const leads = !marksOf(head, markers) && head.endsWith(decimalSign);
  const ends = tail.startsWith(decimalSign);
  const before = marksOf(leads ? head.slice(0, -1) : head, markers);
  const after = marksOf(ends ? tail.slice(1) : tail, markers);
  if (!before || !after)
    throw currency === undefined
      ? notOne()
      : new Unreadable(`the amount ${shown(text)} has a mark that is not of ${currency}`);
  const negative = negativeBy(before, after);
  // `500.-` is 500, and not -500.
  if (negative === null || (ends && (leads || after.signs !== ''))) throw notOne();
  const [whole = '', fraction = '', ...more] = (leads ? decimalSign + digits : digits).split(decimalSign);
  const plain = /^\d*$/.test(whole);
  const indian = decimalSign === '.' && INDIAN.test(whole);
  if (more.length > 0 || !/^\d*$/.test(fraction) || (ends && fraction !== '')) throw notOne();
  if (!plain && !indian && !GROUPED.test(whole)) throw notOne();
  if (fraction.length > Math.max(decimals, fraction === '00' ? 2 : 0)) throw tooExact(text, decimals);
  const value = checkedValue(text, whole.replace(/\D/g, ''), fraction);
  return negative ? value.negated() : value;
}

/**
 * An amount of a form that never groups, such as ISO 20022's: a plain decimal with a point. Its precision counts by
 * value, as zeros at its end can mean nothing else.
 * @throws Unreadable
 */
export function plainAmountOf(text: string, decimals: number): Money {
  const [found, sign = '', integer = '', , fraction = ''] = /^([-+]?)(\d*)(\.(\d*))?$/.exec(text.trim()) ?? [];
  if (found === undefined || integer + fraction === '')
    throw new Unreadable(`the amount ${shown(text)} is not a number`);
  if (fraction.length > 20) throw tooExact(text, decimals);
  const value = checkedValue(text, integer, fraction);
  if (value.decimalPlaces() > decimals) throw tooExact(text, decimals);
  return sign === '-' ? value.negated() : value;
}
