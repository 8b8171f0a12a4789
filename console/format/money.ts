/**
 * An amount for display: the API's "1500000.0000" as "1,500,000.00". Never through a number, so that no digit changes;
 * digits beyond the currency's own are shown where they are not zero.
 * @param decimals of the currency
 */
export function formatMoney(amount: string, decimals: number): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '') return amount;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const shown = fraction.replace(/0+$/, '').padEnd(decimals, '0');
  return `${sign}${grouped}${shown === '' ? '' : `.${shown}`}`;
}

/** An amount to type elsewhere: "1500000.00", without separators. */
export const plainMoney = (amount: string, decimals: number): string =>
  formatMoney(amount, decimals).replaceAll(',', '');

/** The decimals of a currency; two if unknown. */
export function decimalsOf(currencyCode: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** Whether an amount is below zero. */
export const isNegative = (amount: string): boolean => amount.startsWith('-');

/** Whether an amount is zero, with any number of decimals. */
export const isZero = (amount: string): boolean => /^-?0+(\.0+)?$/.test(amount);

/** In units of the API's four decimals: "1.5" as 15000. */
const unitsOf = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(4, '0').slice(0, 4));
  return isNegative(text) ? -units : units;
};

/** The exact sum of amounts of one currency. */
export function sumOf(amounts: readonly string[]): string {
  const sum = amounts.reduce((all, amount) => all + unitsOf(amount), 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(5, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** `used` as a share of `most`, in whole percent, for a bar. */
export function percentOf(used: string, most: string): number {
  const all = unitsOf(most);
  if (all <= 0n) return 0;
  const part = (unitsOf(used) * 100n) / all;
  return part > 100n ? 100 : Number(part);
}
