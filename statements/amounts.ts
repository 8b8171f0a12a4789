import { LIMITS } from '../domain/limits';
import { type Money, money } from '../domain/money';

/** Why a field cannot be read; the message quotes the field. */
export class Unreadable extends Error {}

const shown = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/**
 * A signed amount as banks write it: grouped or not, a minus before or after it, or in brackets.
 * @param decimals decimal places of the currency
 * @throws Unreadable
 */
export function amountOf(text: string, decimalSign: '.' | ',', decimals: number): Money {
  const bare = text.replace(/[\s\u00a0\u202f']/g, '');
  const brackets = /^\((.*)\)$/.exec(bare);
  const unsigned = (brackets?.[1] ?? bare).replace(/^[+]/, '');
  const minus = /^[-\u2212]/.test(unsigned) || /[-\u2212]$/.test(unsigned) || brackets !== null;
  const digits = unsigned.replace(/^[-\u2212]|[-\u2212]$/g, '');
  const group = decimalSign === '.' ? ',' : '.';
  const [whole = '', fraction = '', ...more] = digits.split(decimalSign);
  const groups = whole.split(group);
  const grouped = groups.length === 1 || groups.slice(1).every((part) => /^\d{2,4}$/.test(part));
  const integer = groups.join('');
  if (more.length > 0 || !grouped || !/^\d+$/.test(integer) || !/^\d*$/.test(fraction))
    throw new Unreadable(`the amount ${shown(text)} is not a number`);
  if (integer.replace(/^0+/, '').length > LIMITS.amountIntegerDigits)
    throw new Unreadable(`the amount ${shown(text)} has too many digits`);
  const value = money(`${integer}.${fraction === '' ? '0' : fraction}`);
  if (value.decimalPlaces() > decimals)
    throw new Unreadable(`the amount ${shown(text)} has more than ${decimals} decimal places`);
  return minus ? value.negated() : value;
}
