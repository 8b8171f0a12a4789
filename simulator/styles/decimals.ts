/** Amounts as a count of hundredths: a provider's own arithmetic, exact. */

/** @param amount plain decimal with at most two decimals other than 0 */
export function centsOf(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.');
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0').slice(0, 2));
}

/** Plain decimal with two decimals. */
export function decimalOf(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
