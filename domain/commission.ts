import { invalidField } from './errors';
import { Decimal, type Money } from './money';

/**
 * What earned the fee of a commission: a completed deposit or withdrawal, a payout that was paid after its failure,
 * money that was credited late, or a returned payout's fee that became ours again.
 */
export const COMMISSION_SOURCES = ['DEPOSIT', 'WITHDRAWAL', 'LATE_PAYMENT', 'LATE_CREDIT', 'RETURN_REVERSED'] as const;
/** One of COMMISSION_SOURCES. */
export type CommissionSource = (typeof COMMISSION_SOURCES)[number];

const MOST_DECIMALS = 4;
/** The longest name of a reseller, characters. */
export const RESELLER_NAME_LENGTH = 128;

/**
 * @throws INVALID_FIELD for an invalid share of fees. @param percent of the fee
 */
export function checkCommission(percent: Money): void {
  if (!percent.gt(0) || percent.gt(100) || percent.decimalPlaces() > MOST_DECIMALS)
    throw invalidField(
      'percent',
      `must be above 0, up to 100, with at most ${MOST_DECIMALS} decimal places`,
      'OUT_OF_RANGE',
    );
}

/**
 * The share of a fee, rounded half up to the currency's decimals, as commission_on (db/functions/commission.sql) has it.
 * @param percent of the fee
 */
export const commissionOn = (fee: Money, percent: Money, decimals: number): Money =>
  fee.times(percent).div(100).toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP);
