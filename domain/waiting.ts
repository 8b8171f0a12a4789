import type { NotificationStatus } from './callback';
import type { DepositStatus } from './deposit';
import type { Money } from './money';

/** What a workflow waits for, in words, and since when. */
export interface Waiting {
  readonly waitsFor: string;
  readonly since: Date;
}

/** What a deposit's workflow waits for; null once it has nothing more to do. */
export function depositWaits(deposit: {
  readonly status: DepositStatus;
  readonly amount: Money;
  readonly currencyCode: string;
  readonly expireAt: Date;
  readonly createdAt: Date;
  readonly matchedAt: Date | null;
}): Waiting | null {
  switch (deposit.status) {
    case 'PENDING': {
      const { amount, currencyCode, expireAt, createdAt } = deposit;
      const money = `${amount.toFixed(4)} ${currencyCode}`;
      return {
        waitsFor: `a transfer of ${money}, until ${expireAt.toISOString()}`,
        since: createdAt,
      };
    }
    case 'MATCHED':
      return {
        waitsFor: "the credit to the merchant's balance",
        since: deposit.matchedAt ?? deposit.createdAt,
      };
    default:
      return null;
  }
}

/** What a callback's workflow waits for; null once it is delivered or given up. */
export function callbackWaits(callback: {
  readonly status: NotificationStatus;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date | null;
  readonly updatedAt: Date;
}): Waiting | null {
  const { status, attemptCount, nextAttemptAt, updatedAt } = callback;
  switch (status) {
    case 'WAITING_RETRY':
      return {
        waitsFor: `attempt ${attemptCount + 1}, due ${(nextAttemptAt ?? updatedAt).toISOString()}`,
        since: updatedAt,
      };
    case 'SENDING':
      return { waitsFor: `the answer to attempt ${attemptCount}`, since: updatedAt };
    default:
      return null;
  }
}
