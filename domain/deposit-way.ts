import {
  type DepositChannel,
  depositChannelRefusal,
  type DepositToRoute,
  isChannelInPool,
} from './channel-deposit';
import { isInPool, type RoutableAccount, routingRefusal } from './routing';
import type { RoutingRule } from './routing-rules';
import { type Candidate, type Candidates, candidatesOf, planWays, type WayPlan } from './way';

/** An account that may take a deposit. */
export interface AccountCandidate<Account> extends Candidate {
  readonly kind: 'ACCOUNT';
  readonly account: Account;
}

/** A channel that may take a deposit. */
export interface ChannelCandidate<Channel> extends Candidate {
  readonly kind: 'CHANNEL';
  readonly channel: Channel;
}

/** What may take a deposit. */
export type DepositCandidate<Account, Channel> =
  AccountCandidate<Account> | ChannelCandidate<Channel>;

/** A deposit that looks for its way. */
export interface DepositCase extends Omit<DepositToRoute, 'poolId'> {
  /** Its way is drawn from this. */
  readonly id: string;
  readonly poolId: string | null;
}

/** What of a deposit says who may take it, whatever else it is. */
export type DepositPlace = Pick<DepositCase, 'currencyCode' | 'poolId' | 'walletChannelId'>;

/** The pools of a currency, of those of a channel. */
function poolsOf({ poolKeys }: DepositChannel, currencyCode: string): string[] {
  const prefix = `${currencyCode} `;
  return poolKeys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
}

function channelCandidate<Channel extends DepositChannel>(
  channel: Channel,
  { currencyCode, poolId, walletChannelId }: DepositPlace,
): ChannelCandidate<Channel> {
  return {
    ...{ kind: 'CHANNEL', id: channel.id, channel },
    poolIds: poolsOf(channel, currencyCode),
    // A wallet is the merchant's own by its configuration, whatever its pool, and the others are refused.
    isMerchants: walletChannelId !== null || isChannelInPool(channel, currencyCode, poolId),
    first: channel.depositsFirst || walletChannelId !== null,
    ...{ priority: channel.priority, weight: channel.weight },
  };
}

const accountCandidate = <Account extends RoutableAccount>(
  account: Account,
  { poolId }: DepositPlace,
): AccountCandidate<Account> => ({
  ...{ kind: 'ACCOUNT', id: account.id, account },
  poolIds: account.poolIds,
  isMerchants: isInPool(account.poolIds, poolId),
  ...{ first: false, priority: 0, weight: 1 },
});

/** By the accounts and channels that were read together, and then by place. */
const made = new WeakMap<object, WeakMap<object, Map<string, Candidates<never>>>>();

/**
 * What may take deposits of a place. A merchant with a mobile wallet in the currency uses that alone. The same lists are
 * asked for many deposits, and answer what was made of them for the first one.
 */
export function depositCandidates<Account extends RoutableAccount, Channel extends DepositChannel>(
  accounts: readonly Account[],
  channels: readonly Channel[],
  place: DepositPlace,
): Candidates<DepositCandidate<Account, Channel>> {
  const ofAccounts = made.get(accounts) ?? new WeakMap<object, Map<string, Candidates<never>>>();
  const places = ofAccounts.get(channels) ?? new Map<string, Candidates<never>>();
  made.set(accounts, ofAccounts.set(channels, places));
  const { currencyCode, poolId, walletChannelId } = place;
  const key = `${currencyCode} ${poolId} ${walletChannelId}`;
  const known = places.get(key) as Candidates<DepositCandidate<Account, Channel>> | undefined;
  if (known) return known;
  const found = candidatesOf<DepositCandidate<Account, Channel>>([
    ...channels.map((channel) => channelCandidate(channel, place)),
    ...(walletChannelId === null ? accounts : []).map((one) => accountCandidate(one, place)),
  ]);
  places.set(key, found as Candidates<never>);
  return found;
}

/** Why a candidate does not take a deposit; null: it does. */
export const refusalOfDeposit = (
  candidate: DepositCandidate<RoutableAccount, DepositChannel>,
  order: DepositCase,
): string | null =>
  candidate.kind === 'ACCOUNT'
    ? routingRefusal(candidate.account, order.amount)
    : depositChannelRefusal(candidate.channel, { ...order, poolId: undefined });

/**
 * Plans the ways of a deposit: by a rule, or as without rules.
 * @param past ids of the accounts and channels that its payer paid at, the latest first
 */
export const planDeposit = <Account extends RoutableAccount, Channel extends DepositChannel>(
  rule: RoutingRule | null,
  accounts: readonly Account[],
  channels: readonly Channel[],
  order: DepositCase,
  past: readonly string[],
): WayPlan<DepositCandidate<Account, Channel>> =>
  planWays(rule, depositCandidates(accounts, channels, order), past, order.id, (candidate) =>
    refusalOfDeposit(candidate, order),
  );
