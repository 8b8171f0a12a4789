import {
  type AccountLimits,
  type AccountStatus,
  RECEIVED_REFUSALS,
  receivedRefusal,
  type ReceivedUse,
} from './bank-account';
import { ACCOUNT_HEALTH_REFUSALS, type AccountHealthRefusal } from './health';
import type { Money } from './money';

/** Why an account cannot take a deposit. The last three are found under its lock, when the deposit is accepted. */
export const ROUTING_REFUSALS = [
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

/** An account that was not chosen, and why, as operators see it. */
export interface RefusedAccount {
  readonly accountId: string;
  readonly reason: RoutingRefusal;
}

/** The accounts that may take a deposit, in the order in which they are tried, and those that may not. */
export interface RoutePlan<Account> {
  readonly eligible: readonly Account[];
  readonly refused: readonly RefusedAccount[];
}

/**
 * Chooses among the accounts of a currency. Fair: every eligible account is first equally often, and so for every later
 * place.
 * @param draw gives random numbers, 0 ≤ n < 1
 */
export function planRoute<Account extends RoutableAccount>(
  accounts: readonly Account[],
  amount: Money,
  draw: () => number,
): RoutePlan<Account> {
  const eligible: Account[] = [];
  const refused: RefusedAccount[] = [];
  for (const account of accounts) {
    const reason = routingRefusal(account, amount);
    if (reason) refused.push({ accountId: account.id, reason });
    else eligible.push(account);
  }
  return { eligible: shuffled(eligible, draw), refused };
}

/** Fisher-Yates: every order is equally likely. */
function shuffled<Item>(items: readonly Item[], draw: () => number): Item[] {
  const left = [...items];
  const order: Item[] = [];
  while (left.length > 0) order.push(...left.splice(Math.floor(draw() * left.length), 1));
  return order;
}
