import currencies from 'currency-codes';
import { Decimal } from 'decimal.js';
import { LIMITS } from './limits';

/** Money is decimal throughout: 14 integer digits and 4 decimals, far inside 40 significant digits. */
Decimal.set({ precision: 40, toExpNeg: -40, toExpPos: 40 });

/** An exact amount in some currency. */
export type Money = Decimal;
export { Decimal };

/** Reads a text that is known to be an amount: from the database or from our own code. */
export const money = (value: string | Decimal): Money => new Decimal(value);
/** Nothing. */
export const ZERO: Money = money('0');

/** Money as it is printed everywhere: plain decimal, exactly four decimal places. */
export const formatMoney = (value: Money): string => value.toFixed(LIMITS.moneyDecimals);

/**
 * The decimal places of a currency by ISO 4217, or undefined where the code is unknown. Precious metals, funds and test
 * codes have none.
 */
export function currencyDecimals(code: string): number | undefined {
  if (!/^[A-Z]{3}$/.test(code)) return undefined;
  if (code.startsWith('X') && !CIRCULATING_X.has(code)) return undefined;
  return currencies.code(code)?.digits;
}
const CIRCULATING_X: ReadonlySet<string> = new Set(['XAF', 'XCD', 'XCG', 'XOF', 'XPF']);

const PLAIN_DECIMAL = /^(0|[1-9]\d*)(\.\d+)?$/;

/** In time linear in the text: /0+$/ would try each zero of a long run that does not end the text. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/**
 * Reads an amount as merchants and banks write it: plain digits without sign, exponent, grouping or leading zero.
 * Precision counts by value, so "100.0000" is valid for a currency of two decimals.
 * @param decimals decimal places allowed by the currency
 * @returns the amount, or what is wrong with it
 */
export function parseAmount(text: string, decimals: number): Money | { problem: string } {
  if (!PLAIN_DECIMAL.test(text)) return { problem: 'must be a plain decimal number' };
  const [integer = '', fraction = ''] = text.split('.');
  if (integer.length > LIMITS.amountIntegerDigits)
    return { problem: `must have at most ${LIMITS.amountIntegerDigits} integer digits` };
  const significant = withoutTrailingZeros(fraction);
  if (significant.length > decimals) return { problem: `must have at most ${decimals} decimal places` };
  const value = money(significant === '' ? integer : `${integer}.${significant}`);
  return value.isZero() ? { problem: 'must be greater than 0' } : value;
}
