import { type FeeRule, type FeeTerms, type FeeWorking, type PricedOrder, termsOf } from './fees';
import { Decimal, type Money } from './money';

/* Fees as text, for operators: the terms of a schedule, and the calculation of a fee. */

/** An amount for people: with its currency's decimals and separated thousands. */
const written = (amount: Money, decimals: number): string => {
  const [whole = '', fraction] = amount.toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
};

const rates = ({ percent, fixed }: { readonly percent: Money; readonly fixed: Money }, decimals: number): string =>
  [
    ...(percent.isZero() && !fixed.isZero() ? [] : [`${percent.toFixed()} %`]),
    ...(fixed.isZero() ? [] : [written(fixed, decimals)]),
  ].join(' + ');

/** Terms in one line. @param decimals of the currency */
export function wordsOfTerms(rule: FeeRule | FeeTerms, decimals: number): string {
  const terms = termsOf(rule);
  const { minimum, maximum, tiers, tierMode, tierBy } = terms;
  const what = tierBy === 'MONTH_VOLUME' ? ' completed in the month' : '';
  const of = tierMode === 'SLICES' ? 'of what is above it' : 'of all of it';
  return [
    rates(terms, decimals),
    ...tiers.map((tier) => `from ${written(tier.from, decimals)}${what}: ${rates(tier, decimals)} ${of}`),
    ...(minimum ? [`at least ${written(minimum, decimals)}`] : []),
    ...(maximum ? [`at most ${written(maximum, decimals)}`] : []),
  ].join('; ');
}

/** The volume before an order, in one line. @param decimals of the currency */
export const wordsOfVolume = (volume: Money, decimals: number): string =>
  `${written(volume, decimals)} completed in the month before it`;

/** The calculation of a fee, one line for each step. @param decimals of the currency */
export function wordsOfWorking(working: FeeWorking, decimals: number): string[] {
  const { shares, fixed, computed, bound, fee } = working;
  const exact = shares.reduce((sum, { of, percent }) => sum.plus(of.times(percent).div(100)), fixed);
  return [
    ...shares
      .filter(({ of }) => !of.isZero())
      .map(
        ({ of, percent }) =>
          `${written(of, decimals)} × ${percent.toFixed()} % = ${of.times(percent).div(100).toFixed()}`,
      ),
    ...(fixed.isZero() ? [] : [`plus ${written(fixed, decimals)}, whatever the amount`]),
    ...(exact.equals(computed) ? [] : [`${exact.toFixed()}, rounded half up: ${written(computed, decimals)}`]),
    ...(bound === 'MINIMUM' ? [`never less than ${written(fee, decimals)}`] : []),
    ...(bound === 'MAXIMUM' ? [`never more than ${written(fee, decimals)}`] : []),
  ];
}

/** What an order's amount and fee mean for the merchant, in one line. @param decimals of the currency */
export function wordsOfOutcome(kind: PricedOrder, amount: Money, fee: Money, decimals: number): string {
  if (kind === 'WITHDRAWAL')
    return `the beneficiary gets ${written(amount, decimals)}, and ${written(amount.plus(fee), decimals)} leave the balance`;
  return fee.gte(amount)
    ? 'refused: the fee exceeds the amount'
    : `the merchant gets ${written(Decimal.sub(amount, fee), decimals)}`;
}
