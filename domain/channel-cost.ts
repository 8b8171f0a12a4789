import type { Money } from './money';

/** An answer that may report the channel's charge. */
interface ChargedAnswer {
  readonly kind: string;
  /** Null: it does not say. */
  readonly cost?: Money | null;
  /** A charge beyond a bound: it is reported, and not booked. */
  readonly excessiveCost?: Money;
}

/**
 * A channel's answer with a charge that may be booked: at most the order's amount and the agreed charge together. So a
 * faulty or false answer cannot book an absurd cost. The agreed charge is part of the bound because a fixed one may be
 * more than a small order.
 */
export function withBoundedCost<Answer extends ChargedAnswer>(answer: Answer, amount: Money, agreed: Money): Answer {
  const { cost } = answer;
  if (!cost?.gt(amount.plus(agreed))) return answer;
  return { ...answer, cost: null, excessiveCost: cost };
}
