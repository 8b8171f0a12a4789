import { type PayableChannel, type PayoutOrder, payoutRefusal } from './channel';
import { WALLET_CURRENCY, WALLET_KINDS, type WalletKind } from './channel-deposit';
import type { RoutingRule } from './routing-rules';
import { type Candidate, planWays, type UnaskedCandidate, type WayPlan } from './way';

/** A channel with the pools of the payout's currency that it is in. */
export interface PooledChannel extends PayableChannel {
  readonly poolIds: readonly string[];
  /** Whether the merchant of the payout uses it without a rule. */
  readonly isMerchants: boolean;
}

/** A channel that may get a payout, before it is asked. */
export interface UnaskedPayoutCandidate<Channel> extends UnaskedCandidate {
  readonly channel: Channel;
}

/** A channel that may get a payout. */
export type PayoutCandidate<Channel> = Candidate & UnaskedPayoutCandidate<Channel>;

/** The payout that looks for its way. */
export interface PayoutToRoute extends PayoutOrder {
  /** Its way is drawn from this. */
  readonly id: string;
}

/** The wallet that a payout goes to; null: a bank. */
export const walletOfPayout = (
  currencyCode: string,
  beneficiaryBankCode: string | null | undefined,
): WalletKind | null =>
  (currencyCode === WALLET_CURRENCY ? WALLET_KINDS.find((kind) => kind === beneficiaryBankCode) : undefined) ?? null;

/** A channel among those that may get a payout. */
export const unaskedPayoutCandidate = <Channel extends PooledChannel>(
  channel: Channel,
): UnaskedPayoutCandidate<Channel> => ({
  kind: 'CHANNEL',
  id: channel.id,
  channel,
  first: false,
  poolIds: channel.poolIds,
  isMerchants: channel.isMerchants,
  priority: channel.priority,
  weight: channel.weight,
});

/**
 * The channels that may take a payout, in the order in which they are asked: by a rule, or without one by priority, and by
 * chance and weight among equals. All is drawn from the order's id: a database that was restored to an earlier state
 * chooses the same way again.
 * @param past ids of the channels that paid the beneficiary before, the latest first
 */
export const planPayout = <Channel extends PooledChannel>(
  rule: RoutingRule | null,
  channels: readonly Channel[],
  order: PayoutToRoute,
  past: readonly string[],
): WayPlan<PayoutCandidate<Channel>> =>
  planWays(
    rule,
    channels.map((channel) => ({
      ...unaskedPayoutCandidate(channel),
      refusal: payoutRefusal(channel, order),
    })),
    past,
    order.id,
  );
