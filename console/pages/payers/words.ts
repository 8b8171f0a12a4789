import type {
  PayerComparison,
  PayerList,
  PayerOutcome,
  PayerTrait,
  VelocityCount,
  VelocityOutcome,
  VelocityTrait,
} from '../../generated/operations';

/** The lists' names. */
export const LIST_WORDS: Readonly<Record<PayerList, string>> = {
  DENY: 'Denylist',
  WATCH: 'Watchlist',
  ALLOW: 'Allowlist',
};

/** The effect of an entry on each list. */
export const LIST_MEANS: Readonly<Record<PayerList, string>> = {
  DENY: 'Creates are refused, and money waits for an operator. This is a restriction, so it takes effect at once.',
  WATCH: 'Orders are marked, and an alert is raised. It takes effect at once.',
  ALLOW: 'Nothing is counted, and payers are not compared. Another operator must approve.',
};

/** The traits of payers. */
export const TRAIT_WORDS: Readonly<Record<PayerTrait, string>> = {
  NAME: 'Name',
  ACCOUNT: 'Account number',
  USER: 'User (user_id)',
  EMAIL: 'E-mail address',
  MOBILE: 'Mobile number',
};

/** The traits by which orders are counted. */
export const BY_WORDS: Readonly<Record<VelocityTrait, string>> = {
  USER: 'one user (user_id)',
  ACCOUNT: 'one account number',
  EMAIL: 'one e-mail address',
  MOBILE: 'one mobile number',
};

/** What is counted. */
export const COUNT_WORDS: Readonly<Record<VelocityCount, string>> = {
  ATTEMPTS: 'orders',
  AMOUNT: 'amount',
  FAILED: 'unpaid orders',
};

/** The outcomes of a count that is exceeded. */
export const OUTCOME_WORDS: Readonly<Record<VelocityOutcome, string>> = {
  REFUSE: 'Refuse the create',
  WAIT: 'Make the money wait',
  WATCH: 'Mark and alert',
};

/** The findings about an order's payer. */
export const PAYER_FOUND: Readonly<Record<PayerOutcome, string>> = {
  WAIT: 'Its money waits',
  WATCH: 'Watched',
  ALLOW: 'Allowed',
};

/** The outcomes for money of another payer. */
export const COMPARISON_WORDS: Readonly<Record<PayerComparison, string>> = {
  IGNORE: 'Match it',
  WAIT: 'Make it wait for an operator',
  RETURN: 'Send it back',
};

/** The choices of a select, in the order of their names. */
export const choicesOf = <Value extends string>(
  words: Readonly<Record<Value, string>>,
): { value: Value; label: string }[] =>
  (Object.entries(words) as [Value, string][]).map(([value, label]) => ({ value, label }));
