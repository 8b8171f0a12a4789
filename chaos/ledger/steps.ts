/** What may happen to a merchant's balance by itself. Amounts in hundredths. */
export type BalanceStep =
  | { readonly act: 'topUp'; readonly amount: bigint }
  /** Above or below zero. */
  | { readonly act: 'adjust'; readonly amount: bigint }
  /** Deposits that are credited in one transaction. */
  | { readonly act: 'deposit'; readonly amounts: readonly bigint[]; readonly fee: bigint }
  /** The days of all credits that are held are over. */
  | { readonly act: 'release' }
  | { readonly act: 'withdraw'; readonly amount: bigint; readonly fee: bigint };

/** What may happen to a deposit that was credited. */
export const DEPOSIT_ACTS = ['creditAgain', 'recall'] as const;
/** One of DEPOSIT_ACTS. */
export type DepositAct = (typeof DEPOSIT_ACTS)[number];

/** What may happen to a withdrawal. */
export const WITHDRAWAL_ACTS = [
  'approve',
  'reject',
  // By a channel: `refuse` leaves it to another try, `fail` ends the order.
  'send',
  'refuse',
  'pay',
  'fail',
  // What the channel of the newest try says after that has ended.
  'succeedLate',
  'giveBack',
  // By a person.
  'openTask',
  'transfer',
  'cancel',
] as const;
/** One of WITHDRAWAL_ACTS. */
export type WithdrawalAct = (typeof WITHDRAWAL_ACTS)[number];

/** A step that is about the order with this index, in the order of their creation. */
export interface OrderStep {
  readonly act: DepositAct | WithdrawalAct;
  readonly order: number;
}

/** One step, with all that it needs. */
export type Step = BalanceStep | OrderStep;

/** What a merchant's row of balances says. In hundredths. */
export interface Balances {
  readonly available: bigint;
  readonly frozen: bigint;
  /** What the merchant owes us. */
  readonly owed: bigint;
}

/** A side that runs steps: the model or the platform. */
export interface Taker {
  /** @returns whether it had an effect on the ledger or on an order; a step that does not fit has none */
  take(step: Step): boolean | Promise<boolean>;
  balances(): Balances | Promise<Balances>;
}
