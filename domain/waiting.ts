import type { NotificationStatus } from './callback';
import type { CashierStatus } from './cashier';
import type { DepositStatus } from './deposit';
import type { Money } from './money';
import type { PayoutMethod, WithdrawalStatus } from './withdrawal';

/**
 * Whom or what a workflow waits for, as its search attribute `WaitsFor`: the payer; a channel's answer; people's decision on
 * a withdrawal; a person who transfers it by hand; people who find out what became of a payout; a merchant's answer to a
 * callback; the mail server; the receiver of a platform event.
 */
export const WAITS_FOR = [
  'PAYER',
  'CHANNEL',
  'DECISION',
  'TRANSFER',
  'OUTCOME',
  'MERCHANT',
  'MAIL_SERVER',
  'RECEIVER',
] as const;
/** One of `WAITS_FOR`. */
export type WaitsFor = (typeof WAITS_FOR)[number];

/** What a workflow waits for, in words, and since when. */
export interface Waiting {
  readonly waitsFor: string;
  readonly since: Date;
}

/** What a deposit's workflow waits for; null once it is done. */
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

/** What a withdrawal's workflow waits for; null once it is done. */
export function withdrawalWaits(withdrawal: {
  readonly status: WithdrawalStatus;
  readonly peopleNeeded: number;
  readonly decideBy: Date;
  readonly payoutMethod: PayoutMethod | null;
  readonly needsManualIntervention: boolean;
  readonly manualReason: string | null;
  readonly approvedAt: Date | null;
  readonly processedAt: Date | null;
  readonly createdAt: Date;
}): Waiting | null {
  const { status, createdAt } = withdrawal;
  if (status === 'PENDING') {
    const people = withdrawal.peopleNeeded === 1 ? 'a person' : `${withdrawal.peopleNeeded} people`;
    return {
      waitsFor: `${people} to decide, by ${withdrawal.decideBy.toISOString()}`,
      since: createdAt,
    };
  }
  if (status !== 'APPROVED') return null;
  const since = withdrawal.processedAt ?? withdrawal.approvedAt ?? createdAt;
  if (withdrawal.needsManualIntervention)
    return { waitsFor: `a person to find out: ${withdrawal.manualReason ?? 'unknown'}`, since };
  switch (withdrawal.payoutMethod) {
    case null:
      return { waitsFor: 'routing', since };
    case 'CHANNEL':
      return { waitsFor: "the channel's result", since };
    case 'MANUAL':
      return { waitsFor: 'a person to transfer it', since };
  }
}

/** What a callback waits for: where its delivery failed, a person; null once it is delivered. */
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
    case 'FAILED':
      return { waitsFor: 'an operator to resend it: its delivery failed', since: updatedAt };
    default:
      return null;
  }
}

/** What a cashier session's workflow waits for; null once it is done. */
export const cashierWaits = (session: {
  readonly status: CashierStatus;
  readonly expireAt: Date;
  readonly createdAt: Date;
}): Waiting | null =>
  session.status === 'PENDING'
    ? {
        waitsFor: `the payer's choice, until ${session.expireAt.toISOString()}`,
        since: session.createdAt,
      }
    : null;
