import { Decimal, type Money } from './money';

/** What a merchant pays for a deposit: a share of the amount (percent, up to 4 decimals) and a fixed part in the currency. */
export interface FeeRule {
  readonly percent: Money;
  readonly fixed: Money;
}

/**
 * What a deposit is charged once its money is known: the quote of its creation, asked anew only where another
 * amount came than was to be paid.
 */
export const chargeOn = (
  received: Money,
  quoted: { readonly amount: Money; readonly fee: Money },
  rule: FeeRule,
  decimals: number,
): Money => (received.equals(quoted.amount) ? quoted.fee : feeOn(received, rule, decimals));

/** The fee on an amount, rounded half up to the currency's decimals: the customary rounding on an invoice. */
export const feeOn = (amount: Money, rule: FeeRule, decimals: number): Money =>
  amount
    .times(rule.percent)
    .div(100)
    .plus(rule.fixed)
    .toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP);
