import { LIMITS } from './limits';
import { formatMoney, type Money, money } from './money';
import { accountKey, type PayerSaid, payerDifference } from './payer';
import { entryWords, type PayerEntry, type PayerTrait, TRAIT_WORDS } from './payer-lists';

/*
 * Decides about an order, and about its money, by the payer. Pure: facts in, verdict out. The findings are stored with
 * the order as text.
 */

/** What becomes of money whose payer is not the one that the merchant announced. */
export const PAYER_COMPARISONS = ['IGNORE', 'WAIT', 'RETURN'] as const;
/** One of PAYER_COMPARISONS. */
export type PayerComparison = (typeof PAYER_COMPARISONS)[number];

/** By what orders of a payer are counted. Names are shared: they are compared, not counted. */
export const VELOCITY_TRAITS = ['USER', 'ACCOUNT', 'EMAIL', 'MOBILE'] as const satisfies readonly PayerTrait[];
/** One of VELOCITY_TRAITS. */
export type VelocityTrait = (typeof VELOCITY_TRAITS)[number];

/** What is counted of a payer's orders: all, their amounts, or those that ended unpaid. */
export const VELOCITY_COUNTS = ['ATTEMPTS', 'AMOUNT', 'FAILED'] as const;
/** One of VELOCITY_COUNTS. */
export type VelocityCount = (typeof VELOCITY_COUNTS)[number];

/** What a rule does that is passed; the first of several counts. */
export const VELOCITY_OUTCOMES = ['REFUSE', 'WAIT', 'WATCH'] as const;
/** One of VELOCITY_OUTCOMES. */
export type VelocityOutcome = (typeof VELOCITY_OUTCOMES)[number];

/** How much of one payer is too much. */
export interface VelocityRule {
  readonly by: VelocityTrait;
  readonly counts: VelocityCount;
  /** How far back orders count by their creation, minutes. */
  readonly minutes: number;
  /** The rule is passed by more than this: a number of orders, or an amount. */
  readonly above: Money;
  readonly outcome: VelocityOutcome;
}

/** What is asked of the payers of a merchant in one currency. */
export interface PayerRules {
  readonly comparison: PayerComparison;
  readonly velocity: readonly VelocityRule[];
}

/** Rules as they are stored: plain decimals. */
export interface KeptPayerRules {
  readonly comparison: PayerComparison;
  readonly velocity: readonly (Omit<VelocityRule, 'above'> & { readonly above: string })[];
}

/** Rules from their stored form. */
export const readPayerRules = ({ comparison, velocity }: KeptPayerRules): PayerRules => ({
  comparison,
  velocity: velocity.map((rule) => ({ ...rule, above: money(rule.above) })),
});

/** Rules in their stored form. */
export const keepPayerRules = ({ comparison, velocity }: PayerRules): KeptPayerRules => ({
  comparison,
  velocity: velocity.map(({ by, counts, minutes, above, outcome }) => ({
    by,
    counts,
    minutes,
    above: above.toFixed(),
    outcome,
  })),
});

/** The orders of a payer that a rule counts, before the one that is judged. */
export interface PayerCount {
  readonly orders: number;
  readonly amount: Money;
  /** Expired, cancelled or failed. */
  readonly failed: number;
}

/** What a new order is judged by. */
export interface PayerCase {
  readonly amount: Money;
  readonly currencyCode: string;
  /** The entry that counts for its payer; null: none fits. */
  readonly entry: PayerEntry | null;
  readonly velocity: readonly VelocityRule[];
  /** One for each of these rules; null where the order does not tell the rule's trait. */
  readonly counts: readonly (PayerCount | null)[];
}

/** What was found of a new order's payer. REFUSE: there is no order. ALLOW: its money is not compared. */
export const PAYER_OUTCOMES = ['REFUSE', 'WAIT', 'WATCH', 'ALLOW'] as const;
/** One of PAYER_OUTCOMES. */
export type PayerOutcome = (typeof PAYER_OUTCOMES)[number];

/** The verdict on a new order, with what was found in words; null where nothing was. */
export interface PayerVerdict {
  readonly outcome: PayerOutcome;
  readonly findings: readonly string[];
}

const SPANS: readonly [unit: string, minutes: number][] = [
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
];

/** Minutes as people read them: 2 hours, 90 minutes. */
export function minutesWords(minutes: number): string {
  const [unit, size] = SPANS.find(([, each]) => minutes % each === 0) ?? ['minute', 1];
  return minutes === size ? `1 ${unit}` : `${minutes / size} ${unit}s`;
}

/** A rule as people read it. */
export function velocityWords(rule: VelocityRule, currencyCode: string): string {
  const { by, counts, minutes, above } = rule;
  const what =
    counts === 'AMOUNT'
      ? `${formatMoney(above)} ${currencyCode}`
      : `${above.toFixed()} ${counts === 'FAILED' ? 'unpaid orders' : 'orders'}`;
  return `more than ${what} of one ${TRAIT_WORDS[by]} in ${minutesWords(minutes)}`;
}

/** Whether an order passes a rule, itself included; one that ended unpaid was made before. */
function passes({ counts, above }: VelocityRule, amount: Money, count: PayerCount): boolean {
  switch (counts) {
    case 'ATTEMPTS':
      return above.lt(count.orders + 1);
    case 'AMOUNT':
      return count.amount.plus(amount).gt(above);
    case 'FAILED':
      return above.lt(count.failed);
  }
}

/**
 * Judges a new order by its payer. A denied payer is refused whatever else; an allowed one passes every count. A watched
 * one is counted as well.
 */
export function judgePayer(order: PayerCase): PayerVerdict | null {
  const { amount, currencyCode, entry, velocity, counts } = order;
  if (entry?.list === 'DENY') return { outcome: 'REFUSE', findings: [entryWords(entry)] };
  if (entry?.list === 'ALLOW') return { outcome: 'ALLOW', findings: [entryWords(entry)] };
  const passed = velocity.filter((rule, at) => {
    const count = counts[at] ?? null;
    return count !== null && passes(rule, amount, count);
  });
  const findings = [...(entry ? [entryWords(entry)] : []), ...passed.map((rule) => velocityWords(rule, currencyCode))];
  const outcomes = new Set<PayerOutcome>(passed.map(({ outcome }) => outcome));
  if (entry) outcomes.add('WATCH');
  const outcome = VELOCITY_OUTCOMES.find((one) => outcomes.has(one));
  return outcome ? { outcome, findings } : null;
}

/** Why money that names an order still waits for an operator. */
export type PayerDoubt = 'PAYER_DENIED' | 'PAYER_WAITS' | 'PAYER_DIFFERS';

/** What money is judged by once it names its order. */
export interface PaidCase {
  readonly reported: PayerSaid;
  /** The entry that counts for the payer whom the bank reports; null: none fits. */
  readonly entry: PayerEntry | null;
  readonly order: {
    readonly payerName: string | null;
    readonly payerAccountNo: string | null;
    readonly payerAccountLast4: string | null;
    /** Found when it was created. */
    readonly payerOutcome: PayerOutcome | null;
    readonly payerFindings: readonly string[] | null;
    readonly comparison: PayerComparison;
  };
}

/** What was found of money's payer, in words. */
export interface PaidVerdict {
  /** Null: it is still matched, with an alert. */
  readonly doubt: PayerDoubt | null;
  readonly finding: string;
  /** Whether it goes back to who sent it. */
  readonly goesBack: boolean;
}

/** Judges money by its payer: the lists first, then the order's own finding, then the comparison. */
export function judgePaid({ reported, entry, order }: PaidCase): PaidVerdict | null {
  const found = (doubt: PayerDoubt | null, finding: string, goesBack = false): PaidVerdict => ({
    doubt,
    finding,
    goesBack,
  });
  if (entry?.list === 'DENY') return found('PAYER_DENIED', entryWords(entry));
  if (order.payerOutcome === 'WAIT') return found('PAYER_WAITS', (order.payerFindings ?? []).join('; '));
  const allowed = entry?.list === 'ALLOW' || order.payerOutcome === 'ALLOW';
  if (!allowed && order.comparison !== 'IGNORE') {
    const { payerName: name, payerAccountNo, payerAccountLast4: last4 } = order;
    const account = payerAccountNo ?? (last4 === null ? null : `*${last4}`);
    const difference = payerDifference(reported, { name, account });
    if (difference !== null) return found('PAYER_DIFFERS', difference, order.comparison === 'RETURN');
  }
  return entry?.list === 'WATCH' ? found(null, entryWords(entry)) : null;
}

/** Where money goes back to; null where the bank did not say so much: then a person finds out. */
export function payeeOf({ name, account }: PayerSaid): { readonly name: string; readonly account: string } | null {
  const payee = { name: name?.trim() ?? '', account: account?.trim() ?? '' };
  const { beneficiaryName, beneficiaryAccount } = LIMITS;
  const known = payee.name !== '' && accountKey(payee.account) !== null;
  return known && payee.name.length <= beneficiaryName && payee.account.length <= beneficiaryAccount ? payee : null;
}
