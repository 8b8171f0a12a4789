import type { BillingRowFragment } from '../../generated/operations';

/** Ten thousandths of an amount with four decimals. */
const units = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** An amount of ten thousandths, four decimals. */
function amountOf(whole: bigint): string {
  const digits = (whole < 0n ? -whole : whole).toString().padStart(5, '0');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** A merchant's balance at an end of a statement: available and frozen, less the debt. */
export function balanceOf(row: BillingRowFragment, end: 'opening' | 'closing'): string {
  const [available, frozen, receivable] =
    end === 'opening'
      ? [row.openingAvailable, row.openingFrozen, row.openingReceivable]
      : [row.closingAvailable, row.closingFrozen, row.closingReceivable];
  return amountOf(units(available) + units(frozen) - units(receivable));
}

/** A line's change of the balance: its amount less the fee. */
export const changeOf = ({ amount, fee }: { amount: string; fee: string }): string =>
  amountOf(units(amount) - units(fee));
