import { invalidField } from './errors';
import { LIMITS } from './limits';
import { Decimal, type Money, ZERO } from './money';

/** A share of the amount (percent, up to 4 decimals) and a fixed part in the currency. */
export interface FeeRule {
  readonly percent: Money;
  readonly fixed: Money;
}

/** Other rates from an amount on. */
export interface FeeTier extends FeeRule {
  /** The least amount that it is for, in the currency. */
  readonly from: Money;
}

/**
 * How tiers apply. WHOLE: the rates of the tier in which the amount lies are those of all of it. SLICES: each tier's
 * percent is that of the part of the amount which lies in it, so that the fee never jumps.
 */
export const TIER_MODES = ['WHOLE', 'SLICES'] as const;
/** One of TIER_MODES. */
export type TierMode = (typeof TIER_MODES)[number];

/**
 * By what tiers begin: by the amount of the order, or by what the merchant has had completed in the month before it, of
 * its currency and kind of order.
 */
export const TIER_BASES = ['AMOUNT', 'MONTH_VOLUME'] as const;
/** One of TIER_BASES. */
export type TierBasis = (typeof TIER_BASES)[number];

/** A fee rule with tiers and bounds. Amounts in the currency. */
export interface FeeTerms extends FeeRule {
  /** What the fee is at least, and at most; null is no bound. */
  readonly minimum: Money | null;
  readonly maximum: Money | null;
  /** By `from`, ascending; percent and fixed are those of amounts below the first. */
  readonly tiers: readonly FeeTier[];
  readonly tierMode: TierMode;
  readonly tierBy: TierBasis;
}

/** A part of an amount, and the percentage of it. */
export interface FeeShare {
  /** The amount from which on the percentage is this one; zero without tiers. */
  readonly from: Money;
  readonly of: Money;
  readonly percent: Money;
}

/** A fee, and how it came about. */
export interface FeeWorking {
  readonly shares: readonly FeeShare[];
  readonly fixed: Money;
  /** Shares and fixed part, rounded half up to the currency's decimals, before the bounds. */
  readonly computed: Money;
  /** The bound that took the place of what was computed. */
  readonly bound: 'MINIMUM' | 'MAXIMUM' | null;
  readonly fee: Money;
}

const MOST_TIERS = 20;
const MOST_PERCENT_DECIMALS = 4;

/** A rule as terms: a plain one has neither tiers nor bounds. */
export const termsOf = (rule: FeeRule | FeeTerms): FeeTerms =>
  'tiers' in rule
    ? rule
    : {
        ...{ ...rule, minimum: null, maximum: null },
        ...({ tiers: [], tierMode: 'WHOLE', tierBy: 'AMOUNT' } as const),
      };

/**
 * Terms by the month's volume as terms by the amount of the order that comes after it: what was completed fills the tiers
 * first. Others stay as they are.
 * @param volume what was completed in the month so far, in the currency
 */
export function termsAt(volume: Money, terms: FeeTerms): FeeTerms {
  if (terms.tierBy === 'AMOUNT') return terms;
  const reached = terms.tiers.filter(({ from }) => from.lte(volume)).at(-1) ?? terms;
  const { percent, fixed } = reached;
  if (terms.tierMode === 'WHOLE') return { ...terms, percent, fixed, tiers: [], tierBy: 'AMOUNT' };
  const ahead = terms.tiers.filter(({ from }) => from.gt(volume));
  const tiers = ahead.map((tier) => ({ ...tier, from: tier.from.minus(volume) }));
  return { ...terms, percent, tiers, tierBy: 'AMOUNT' };
}

/** The parts of an amount by the percentages that they bear, and the fixed part. */
function sharesOf(amount: Money, terms: FeeTerms): Pick<FeeWorking, 'shares' | 'fixed'> {
  const base: FeeTier = { from: ZERO, percent: terms.percent, fixed: terms.fixed };
  const reached = [base, ...terms.tiers.filter(({ from }) => from.lte(amount))];
  if (terms.tierMode === 'WHOLE') {
    const { from, percent, fixed } = reached.at(-1) ?? base;
    return { shares: [{ from, of: amount, percent }], fixed };
  }
  const shares = reached.map(({ from, percent }, at) => {
    const end = reached[at + 1]?.from ?? amount;
    return { from, of: end.minus(from), percent };
  });
  return { shares, fixed: base.fixed };
}

/**
 * The fee on an amount, with its working. Terms by the month's volume are those of a month in which nothing was completed,
 * unless termsAt has made them terms of another.
 * @param decimals of the currency
 */
export function workOutFee(amount: Money, rule: FeeRule | FeeTerms, decimals: number): FeeWorking {
  const terms = termsAt(ZERO, termsOf(rule));
  const { shares, fixed } = sharesOf(amount, terms);
  const computed = shares
    .reduce((sum, { of, percent }) => sum.plus(of.times(percent).div(100)), fixed)
    .toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP);
  const { minimum, maximum } = terms;
  if (minimum && computed.lt(minimum))
    return { shares, fixed, computed, bound: 'MINIMUM', fee: minimum };
  if (maximum && computed.gt(maximum))
    return { shares, fixed, computed, bound: 'MAXIMUM', fee: maximum };
  return { shares, fixed, computed, bound: null, fee: computed };
}

/** The fee on an amount, rounded half up to the currency's decimals, as is customary on invoices. */
export const feeOn = (amount: Money, rule: FeeRule | FeeTerms, decimals: number): Money =>
  workOutFee(amount, rule, decimals).fee;

/**
 * The charge for a deposit once its money has arrived: the fee quoted at creation, or a new one where another amount
 * arrived.
 */
export const chargeOn = (
  received: Money,
  quoted: { readonly amount: Money; readonly fee: Money },
  rule: FeeRule | FeeTerms,
  decimals: number,
): Money => (received.equals(quoted.amount) ? quoted.fee : feeOn(received, rule, decimals));

/** What of an order's fee its merchant's balance holds. */
export interface FeeHold {
  /** Null where the merchant does not prepay. */
  readonly feeHeld: Money | null;
  /** When it went back; null while it is held. */
  readonly feeReleasedAt: Date | null;
}

/** What of a charge the credit itself pays: the rest of it, where the balance holds a fee. */
export const feeOfCredit = (charge: Money, { feeHeld, feeReleasedAt }: FeeHold): Money =>
  feeHeld === null || feeReleasedAt !== null ? charge : Decimal.max(charge.minus(feeHeld), ZERO);

/** The orders that a schedule prices. */
export type PricedOrder = 'DEPOSIT' | 'WITHDRAWAL';

/** What of a schedule says for which orders it is. Both null: all. */
export interface FeeScope {
  readonly channelId: string | null;
  readonly walletKind: string | null;
}

/**
 * Of the schedules in force the one for an order: that of its channel before that of its kind of wallet before that of
 * all orders.
 * @param way null where the order goes to no channel, or to one that is not known yet
 */
export function scheduleFor<Schedule extends FeeScope>(
  schedules: readonly Schedule[],
  way: { readonly id: string; readonly walletKind: string | null } | null,
): Schedule | undefined {
  const ofChannel = schedules.find(({ channelId }) => channelId !== null && channelId === way?.id);
  const ofWallet = schedules.find(
    ({ walletKind }) => walletKind !== null && walletKind === way?.walletKind,
  );
  return (
    ofChannel ??
    ofWallet ??
    schedules.find(({ channelId, walletKind }) => channelId === null && walletKind === null)
  );
}

const isAmount = (amount: Money, decimals: number): boolean =>
  !amount.isNegative() &&
  amount.decimalPlaces() <= decimals &&
  amount.trunc().toFixed().length <= LIMITS.amountIntegerDigits;

/** @throws INVALID_FIELD for a rule that cannot be. @param decimals of the currency */
export function checkFeeRule({ percent, fixed }: FeeRule, decimals: number): void {
  if (percent.isNegative() || percent.gte(100))
    throw invalidField('percent', 'must be 0 up to 100', 'OUT_OF_RANGE');
  if (!isAmount(fixed, decimals))
    throw invalidField(
      'fixed',
      `must be 0 or more, with at most ${decimals} decimal places`,
      'OUT_OF_RANGE',
    );
}

/** @throws INVALID_FIELD for terms that cannot be. @param decimals of the currency */
export function checkFeeTerms(terms: FeeTerms, decimals: number): void {
  const { minimum, maximum, tiers, tierMode } = terms;
  for (const rule of [terms, ...tiers]) {
    checkFeeRule(rule, decimals);
    if (rule.percent.decimalPlaces() > MOST_PERCENT_DECIMALS)
      throw invalidField('percent', 'must have at most 4 decimal places', 'OUT_OF_RANGE');
  }
  for (const [field, bound] of [
    ['minimum', minimum],
    ['maximum', maximum],
  ] as const)
    if (bound && !(bound.gt(0) && isAmount(bound, decimals)))
      throw invalidField(
        field,
        `must be more than 0, with at most ${decimals} decimal places`,
        'OUT_OF_RANGE',
      );
  if (minimum && maximum && minimum.gt(maximum))
    throw invalidField('minimum', 'must not be above the maximum', 'OUT_OF_RANGE');
  if (tiers.length > MOST_TIERS)
    throw invalidField('tiers', `must be at most ${MOST_TIERS}`, 'OUT_OF_RANGE');
  let last = ZERO;
  for (const { from, fixed } of tiers) {
    if (!from.gt(last) || !isAmount(from, decimals))
      throw invalidField(
        'tiers',
        `must begin above 0 and rise, with at most ${decimals} decimal places`,
        'OUT_OF_RANGE',
      );
    if (tierMode === 'SLICES' && !fixed.isZero())
      throw invalidField('tiers', 'have no fixed part in slices', 'NOT_ALLOWED');
    last = from;
  }
}
