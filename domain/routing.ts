import type { AccountLimits, AccountStatus } from './bank-account';
import { ACCOUNT_HEALTH_REFUSALS, type AccountHealthRefusal } from './health';
import type { Money } from './money';
import { RECEIVED_REFUSALS, receivedRefusal, type ReceivedUse } from './received-limits';

/**
 * Why an account cannot take a deposit. The last three are found under its lock, when the deposit is accepted; NOT_IN_RULE
 * is said by a dry run alone, of what the order's rule does not name.
 */
export const ROUTING_REFUSALS = [
  'NOT_IN_RULE',
  'NOT_IN_POOL',
  'NOT_ACTIVE',
  ...ACCOUNT_HEALTH_REFUSALS,
  'BELOW_MINIMUM',
  'ABOVE_MAXIMUM',
  ...RECEIVED_REFUSALS,
  'TOO_MANY_OPEN',
  'NO_FLOAT_SPACE',
  'ACCOUNT_CHANGED',
] as const;
/** One of ROUTING_REFUSALS. */
export type RoutingRefusal = (typeof ROUTING_REFUSALS)[number];

/** A managed account of the right currency, as far as the choice needs it. Amounts in its currency. */
export interface RoutableAccount extends Omit<AccountLimits, 'maxOpenDeposits'> {
  readonly id: string;
  readonly status: AccountStatus;
  /** Why it is passed over; null: it is not. */
  readonly passedOver: AccountHealthRefusal | null;
  /** What counts against its limits now. */
  readonly use: ReceivedUse;
  /** The pools that it is in; none: the default one of its currency. */
  readonly poolIds: readonly string[];
}

/**
 * Whether a merchant's orders may use what is in these pools.
 * @param poolId the merchant's pool; null: the default one of the currency
 */
export const isInPool = (poolIds: readonly string[], poolId: string | null): boolean =>
  poolId === null ? poolIds.length === 0 : poolIds.includes(poolId);

/** Why this account cannot take a deposit of this amount, or null if it can. */
export function routingRefusal(account: RoutableAccount, amount: Money): RoutingRefusal | null {
  const { minAmount, maxAmount } = account;
  if (account.status !== 'ACTIVE') return 'NOT_ACTIVE';
  if (account.passedOver) return account.passedOver;
  if (minAmount && amount.lt(minAmount)) return 'BELOW_MINIMUM';
  if (maxAmount && amount.gt(maxAmount)) return 'ABOVE_MAXIMUM';
  return receivedRefusal(account, account.use, amount);
}
