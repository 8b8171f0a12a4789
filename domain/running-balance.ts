import type { Money } from './money';

/** The newest balance that a bank told of an account, and the bank's time of it. */
export interface ToldBalance {
  readonly balance: Money;
  readonly at: Date;
}

/** What a transfer says of the account's running balance. */
export interface RunningBalanceVerdict {
  /** Its balance is the newest now. */
  readonly note: boolean;
  /** It does not follow from the one before: a transfer was kept from us or made up. */
  readonly broken: boolean;
}

/**
 * Compares the balance that a bank tells after a transfer with the one that it told before.
 * @param last null before any
 * @param transfer `balanceAfter` null where the bank tells none
 */
export function followBalance(
  last: ToldBalance | null,
  transfer: {
    /** Seen from the account: a credit adds, a debit takes. */
    readonly direction: 'CREDIT' | 'DEBIT';
    readonly amount: Money;
    readonly balanceAfter: Money | null;
    readonly bankTime: Date;
  },
): RunningBalanceVerdict {
  const { direction, amount, balanceAfter, bankTime } = transfer;
  if (balanceAfter === null) return { note: false, broken: false };
  if (last === null) return { note: true, broken: false };
  const change = direction === 'CREDIT' ? amount : amount.negated();
  const follows = last.balance.plus(change).equals(balanceAfter);
  // What is no later than the last one may have been reported out of order: it proves nothing.
  if (!follows && bankTime <= last.at) return { note: false, broken: false };
  return { note: bankTime >= last.at, broken: !follows };
}
