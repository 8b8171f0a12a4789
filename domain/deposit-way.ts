import { type DepositChannel, depositChannelRefusal, type DepositToRoute, isChannelInPool } from './channel-deposit';
import { isInPool, type RoutableAccount, routingRefusal } from './routing';
import type { RoutingRule } from './routing-rules';
import { type Candidate, planWays, type UnaskedCandidate, type WayPlan } from './way';

/** An account that may take a deposit. */
export interface UnaskedAccount<Account> extends UnaskedCandidate {
  readonly kind: 'ACCOUNT';
  readonly account: Account;
}

/** A channel that may take a deposit. */
export interface UnaskedChannel<Channel> extends UnaskedCandidate {
  readonly kind: 'CHANNEL';
  readonly channel: Channel;
}

/** A candidate for a deposit, before its refusal is determined. */
export type UnaskedDepositCandidate<Account, Channel> = UnaskedAccount<Account> | UnaskedChannel<Channel>;

/** A candidate for a deposit: an account or a channel. */
export type DepositCandidate<Account, Channel> = Candidate & UnaskedDepositCandidate<Account, Channel>;

/** A deposit to be routed. */
export interface DepositCase extends Omit<DepositToRoute, 'poolId'> {
  /** The seed of random choices. */
  readonly id: string;
  readonly poolId: string | null;
}

/** The data of a deposit that decides which candidates may take it. */
export type DepositPlace = Pick<DepositCase, 'currencyCode' | 'poolId' | 'walletChannelId'>;

/** A channel's pools of one currency. */
function poolsOf({ poolKeys }: DepositChannel, currencyCode: string): string[] {
  const prefix = `${currencyCode} `;
  return poolKeys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
}

function unaskedChannel<Channel extends DepositChannel>(
  channel: Channel,
  { currencyCode, poolId, walletChannelId }: DepositPlace,
): UnaskedChannel<Channel> {
  return {
    kind: 'CHANNEL',
    id: channel.id,
    channel,
    poolIds: poolsOf(channel, currencyCode),
    // A merchant's wallet is its own by configuration, in any pool; other wallets are refused.
    isMerchants: walletChannelId !== null || isChannelInPool(channel, currencyCode, poolId),
    first: channel.depositsFirst || walletChannelId !== null,
    priority: channel.priority,
    weight: channel.weight,
  };
}

const unaskedAccount = <Account extends RoutableAccount>(
  account: Account,
  { poolId }: DepositPlace,
): UnaskedAccount<Account> => ({
  kind: 'ACCOUNT',
  id: account.id,
  account,
  poolIds: account.poolIds,
  isMerchants: isInPool(account.poolIds, poolId),
  first: false,
  priority: 0,
  weight: 1,
});

/**
 * The candidates for deposits of a merchant in a currency. A merchant with a mobile wallet in the currency uses only
 * that.
 */
export const unaskedCandidates = <Account extends RoutableAccount, Channel extends DepositChannel>(
  accounts: readonly Account[],
  channels: readonly Channel[],
  place: DepositPlace,
): UnaskedDepositCandidate<Account, Channel>[] => [
  ...channels.map((channel) => unaskedChannel(channel, place)),
  ...(place.walletChannelId === null ? accounts : []).map((account) => unaskedAccount(account, place)),
];

/** Why a candidate cannot take a deposit; null: it can. */
export const refusalOfDeposit = (
  candidate: UnaskedDepositCandidate<RoutableAccount, DepositChannel>,
  order: DepositCase,
): string | null =>
  candidate.kind === 'ACCOUNT'
    ? routingRefusal(candidate.account, order.amount)
    : depositChannelRefusal(candidate.channel, { ...order, poolId: undefined });

/**
 * Plans the ways of a deposit: by a rule, or by the default order.
 * @param past ids of the accounts and channels that its payer paid at, the latest first
 */
export const planDeposit = <Account extends RoutableAccount, Channel extends DepositChannel>(
  rule: RoutingRule | null,
  accounts: readonly Account[],
  channels: readonly Channel[],
  order: DepositCase,
  past: readonly string[],
): WayPlan<DepositCandidate<Account, Channel>> =>
  planWays(
    rule,
    unaskedCandidates(accounts, channels, order).map((candidate) => ({
      ...candidate,
      refusal: refusalOfDeposit(candidate, order),
    })),
    past,
    order.id,
  );
