import {
  type DepositChannel,
  depositChannelRefusal,
  type DepositToRoute,
  isChannelInPool,
} from './channel-deposit';
import { isInPool, type RoutableAccount, routingRefusal } from './routing';
import type { RoutingRule } from './routing-rules';
import { type Candidate, planWays, type WayPlan } from './way';

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

/** The pools of a currency, of those of a channel. */
function poolsOf({ poolKeys }: DepositChannel, currencyCode: string): string[] {
  const prefix = `${currencyCode} `;
  return poolKeys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
}

function channelCandidate<Channel extends DepositChannel>(
  channel: Channel,
  order: DepositCase,
): ChannelCandidate<Channel> {
  const { currencyCode, poolId, walletChannelId } = order;
  return {
    ...{ kind: 'CHANNEL', id: channel.id, channel },
    poolIds: poolsOf(channel, currencyCode),
    // A wallet is the merchant's own by its configuration, whatever its pool, and the others are refused.
    isMerchants: walletChannelId !== null || isChannelInPool(channel, currencyCode, poolId),
    first: channel.depositsFirst || walletChannelId !== null,
    ...{ priority: channel.priority, weight: channel.weight },
    refusal: depositChannelRefusal(channel, { ...order, poolId: undefined }),
  };
}

const accountCandidate = <Account extends RoutableAccount>(
  account: Account,
  { poolId, amount }: DepositCase,
): AccountCandidate<Account> => ({
  ...{ kind: 'ACCOUNT', id: account.id, account },
  poolIds: account.poolIds,
  isMerchants: isInPool(account.poolIds, poolId),
  ...{ first: false, priority: 0, weight: 1 },
  refusal: routingRefusal(account, amount),
});

/** What may take a deposit. A merchant with a mobile wallet in the currency uses that alone. */
export const depositCandidates = <Account extends RoutableAccount, Channel extends DepositChannel>(
  accounts: readonly Account[],
  channels: readonly Channel[],
  order: DepositCase,
): DepositCandidate<Account, Channel>[] => [
  ...channels.map((channel) => channelCandidate(channel, order)),
  ...(order.walletChannelId === null ? accounts : []).map((account) =>
    accountCandidate(account, order),
  ),
];

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
  planWays(rule, depositCandidates(accounts, channels, order), past, order.id);
