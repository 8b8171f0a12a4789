import { Decimal, type Money } from './money';

/** The fee of a deposit: a share of the amount (percent, up to 4 decimals) and a fixed part in the currency. */
export interface FeeRule {
  readonly percent: Money;
  readonly fixed: Money;
}

/**
 * The charge for a deposit once its money has arrived: the fee quoted at creation, or a new one where another amount
 * arrived.
 */
export const chargeOn = (
  received: Money,
  quoted: { readonly amount: Money; readonly fee: Money },
  rule: FeeRule,
  decimals: number,
): Money => (received.equals(quoted.amount) ? quoted.fee : feeOn(received, rule, decimals));

/** The fee on an amount, rounded half up to the currency's decimals, as is customary on invoices. */
export const feeOn = (amount: Money, rule: FeeRule, decimals: number): Money =>
  amount
    .times(rule.percent)
    .div(100)
    .plus(rule.fixed)
    .toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP);
