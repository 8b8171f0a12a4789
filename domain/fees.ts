import { Decimal, type Money } from './money';

/** What a merchant pays for a deposit: a share of the amount (percent, up to 4 decimals) and a fixed part in the currency. */
export interface FeeRule {
  readonly percent: Money;
  readonly fixed: Money;
}

/** The fee on an amount, rounded half up to the currency's decimals: the customary rounding on an invoice. */
export const feeOn = (amount: Money, rule: FeeRule, decimals: number): Money =>
  amount
    .times(rule.percent)
    .div(100)
    .plus(rule.fixed)
    .toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP);
