/** Steps about a merchant's balance itself. Amounts in hundredths. */
export type BalanceStep =
  | { readonly act: 'topUp'; readonly amount: bigint }
  /** Above or below zero. */
  | { readonly act: 'adjust'; readonly amount: bigint }
  /** Deposits that are credited in one transaction. */
  | { readonly act: 'deposit'; readonly amounts: readonly bigint[]; readonly fee: bigint }
  /** The days of all held credits are over. */
  | { readonly act: 'release' }
  | { readonly act: 'withdraw'; readonly amount: bigint; readonly fee: bigint };

/** Steps about a credited deposit. */
export const DEPOSIT_ACTS = ['creditAgain', 'recall'] as const;
/** One of DEPOSIT_ACTS. */
export type DepositAct = (typeof DEPOSIT_ACTS)[number];

/** Steps about a withdrawal. */
export const WITHDRAWAL_ACTS = [
  'approve',
  'reject',
  // By a channel: `refuse` leaves the order to another attempt, `fail` ends it.
  'send',
  'refuse',
  'pay',
  'fail',
  // A report of the newest attempt's channel after the attempt has ended.
  'succeedLate',
  'giveBack',
  // By a person.
  'openTask',
  'transfer',
  'cancel',
] as const;
/** One of WITHDRAWAL_ACTS. */
export type WithdrawalAct = (typeof WITHDRAWAL_ACTS)[number];

/** A step about the order with this index, in the order of their creation. */
export interface OrderStep {
  readonly act: DepositAct | WithdrawalAct;
  readonly order: number;
}

/** One step, with its values. */
export type Step = BalanceStep | OrderStep;

/** A merchant's balances in its row. In hundredths. */
export interface Balances {
  readonly available: bigint;
  readonly frozen: bigint;
  /** The merchant's debt to us. */
  readonly owed: bigint;
}

/** A side that runs steps: the model or the platform. */
export interface Taker {
  /** @returns whether it had an effect on the ledger or on an order; an impossible step has none */
  take(step: Step): boolean | Promise<boolean>;
  balances(): Balances | Promise<Balances>;
}
