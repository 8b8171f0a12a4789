import { money, type Money } from '../money';
import type { MoneyFormat } from './schema';

const DECIMAL = /^(0|[1-9]\d{0,17})(\.\d{1,8})?$/;

/** An amount as the provider writes it; null where it cannot write it exactly. */
export function writeAmount(amount: Money, { unit, digits }: MoneyFormat): string | null {
  if (unit === 'minor') {
    const count = amount.times(money('10').pow(digits));
    return count.isInteger() ? count.toFixed(0) : null;
  }
  return amount.decimalPlaces() <= digits ? amount.toFixed(digits) : null;
}

/** An amount that the provider wrote; null where it is none. */
export function readAmount(text: string | null, { unit, digits }: MoneyFormat): Money | null {
  if (text === null || !DECIMAL.test(text)) return null;
  const written = money(text);
  if (unit === 'major') return written;
  return written.isInteger() ? written.div(money('10').pow(digits)) : null;
}
