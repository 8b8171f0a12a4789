import type { Money } from './money';

/** The newest balance that a bank reported for an account, and its bank time. */
export interface ReportedBalance {
  readonly balance: Money;
  readonly at: Date;
}

/** What a bank credit or debit says about the account's running balance. */
export interface RunningBalanceVerdict {
  /** Whether its balance is now the newest. */
  readonly note: boolean;
  /** Whether its balance contradicts the one before: a movement was withheld or invented. */
  readonly broken: boolean;
}

/**
 * Compares the balance that a bank reports after a movement with the one before.
 * @param last null before the first
 * @param transfer `balanceAfter` is null where the bank reports none
 */
export function followBalance(
  last: ReportedBalance | null,
  transfer: {
    /** From the account's side: a credit adds, a debit takes. */
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
  // A movement no later than the last one may have been reported out of order: it proves nothing.
  if (!follows && bankTime <= last.at) return { note: false, broken: false };
  return { note: bankTime >= last.at, broken: !follows };
}
