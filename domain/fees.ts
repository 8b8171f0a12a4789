import { invalidField } from './errors';
import { LIMITS } from './limits';
import { Decimal, type Money, ZERO } from './money';

/** A share of the amount (percent, up to 4 decimals) and a fixed part in the currency. */
export interface FeeRule {
  readonly percent: Money;
  readonly fixed: Money;
}

/** Rates that apply from an amount on. */
export interface FeeTier extends FeeRule {
  /** The least amount of the tier, in the currency. */
  readonly from: Money;
}

/**
 * How tiers apply. WHOLE: the rates of the amount's tier apply to all of it. SLICES: each tier's percent applies to the
 * part of the amount within the tier, so that the fee never jumps.
 */
export const TIER_MODES = ['WHOLE', 'SLICES'] as const;
/** One of TIER_MODES. */
export type TierMode = (typeof TIER_MODES)[number];

/**
 * What selects the tier: the amount of the order, or the merchant's volume in the month before it, of its currency and
 * kind of order.
 */
export const TIER_BASES = ['AMOUNT', 'MONTH_VOLUME'] as const;
/** One of TIER_BASES. */
export type TierBasis = (typeof TIER_BASES)[number];

/** A fee rule with tiers and bounds. Amounts in the currency. */
export interface FeeTerms extends FeeRule {
  /** The minimum and the maximum of the fee; null is no bound. */
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

/** A fee with its calculation. */
export interface FeeWorking {
  readonly shares: readonly FeeShare[];
  readonly fixed: Money;
  /** Shares and fixed part, rounded half up to the currency's decimals, before the bounds. */
  readonly computed: Money;
  /** The bound that replaced the computed fee. */
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
        ...rule,
        minimum: null,
        maximum: null,
        ...({ tiers: [], tierMode: 'WHOLE', tierBy: 'AMOUNT' } as const),
      };

/**
 * Converts terms by the month's volume to terms by the amount of the next order: the volume fills the tiers first.
 * Other terms stay unchanged. @param volume what was completed in the month so far, in the currency
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

/** The parts of an amount with their percentages, and the fixed part. */
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
 * The fee on an amount, with its calculation. Terms by the month's volume are applied with volume zero, unless termsAt
 * has converted them.
 * @param decimals of the currency
 */
export function workOutFee(amount: Money, rule: FeeRule | FeeTerms, decimals: number): FeeWorking {
  const terms = termsAt(ZERO, termsOf(rule));
  const { shares, fixed } = sharesOf(amount, terms);
  const computed = shares
    .reduce((sum, { of, percent }) => sum.plus(of.times(percent).div(100)), fixed)
    .toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP);
  const { minimum, maximum } = terms;
  if (minimum && computed.lt(minimum)) return { shares, fixed, computed, bound: 'MINIMUM', fee: minimum };
  if (maximum && computed.gt(maximum)) return { shares, fixed, computed, bound: 'MAXIMUM', fee: maximum };
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

/** The fee of an order that its merchant's balance holds. */
export interface FeeHold {
  /** Null if the merchant does not prepay. */
  readonly feeHeld: Money | null;
  /** When it was released; null while it is held. */
  readonly feeReleasedAt: Date | null;
}

/** The part of a charge that the credit itself pays: the rest of it, if the balance holds a fee. */
export const feeOfCredit = (charge: Money, { feeHeld, feeReleasedAt }: FeeHold): Money =>
  feeHeld === null || feeReleasedAt !== null ? charge : Decimal.max(charge.minus(feeHeld), ZERO);

/** The orders that a schedule prices. */
export type PricedOrder = 'DEPOSIT' | 'WITHDRAWAL';

/** The fields of a schedule that select its orders. Both null: all. */
export interface FeeScope {
  readonly channelId: string | null;
  readonly walletKind: string | null;
}

/**
 * The schedule in force for an order: that of its channel, else of its kind of wallet, else of all orders. @param way
 * null if the order goes to no channel, or to one that is not known yet
 */
export function scheduleFor<Schedule extends FeeScope>(
  schedules: readonly Schedule[],
  way: { readonly id: string; readonly walletKind: string | null } | null,
): Schedule | undefined {
  const ofChannel = schedules.find(({ channelId }) => channelId !== null && channelId === way?.id);
  const ofWallet = schedules.find(({ walletKind }) => walletKind !== null && walletKind === way?.walletKind);
  return (
    ofChannel ?? ofWallet ?? schedules.find(({ channelId, walletKind }) => channelId === null && walletKind === null)
  );
}

const isAmount = (amount: Money, decimals: number): boolean =>
  !amount.isNegative() &&
  amount.decimalPlaces() <= decimals &&
  amount.trunc().toFixed().length <= LIMITS.amountIntegerDigits;

/**
 * @throws INVALID_FIELD for an invalid rule. @param decimals of the currency
 */
export function checkFeeRule({ percent, fixed }: FeeRule, decimals: number): void {
  if (percent.isNegative() || percent.gte(100)) throw invalidField('percent', 'must be 0 up to 100', 'OUT_OF_RANGE');
  if (!isAmount(fixed, decimals))
    throw invalidField('fixed', `must be 0 or more, with at most ${decimals} decimal places`, 'OUT_OF_RANGE');
}

/**
 * @throws INVALID_FIELD for invalid terms. @param decimals of the currency
 */
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
      throw invalidField(field, `must be more than 0, with at most ${decimals} decimal places`, 'OUT_OF_RANGE');
  if (minimum && maximum && minimum.gt(maximum))
    throw invalidField('minimum', 'must not be above the maximum', 'OUT_OF_RANGE');
  if (tiers.length > MOST_TIERS) throw invalidField('tiers', `must be at most ${MOST_TIERS}`, 'OUT_OF_RANGE');
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
