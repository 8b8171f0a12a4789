import type { WalletKind } from './channel-deposit';
import { type QuietHours, isQuiet } from './review';
import { type Money, money } from './money';

/*
 * Rules that say where orders go. The rules of a currency and kind of order are a list, and the first that an order fits
 * decides; an order that fits none goes where it went without rules (domain/way.ts).
 */

/** What is routed: a payer's money to an account or a channel, or a payout to a channel. */
export const ROUTED_KINDS = ['DEPOSIT', 'PAYOUT'] as const;
/** One of ROUTED_KINDS. */
export type RoutedKind = (typeof ROUTED_KINDS)[number];

/** How well a payer is known to a merchant, by its completed orders: none, 1-9, and 10 or more. */
export const PAYER_TIERS = ['NEW', 'KNOWN', 'TRUSTED'] as const;
/** One of PAYER_TIERS. */
export type PayerTier = (typeof PAYER_TIERS)[number];

/** As many completed orders make a payer TRUSTED; no more of them are read. */
export const TRUSTED_FROM = 10;

/** The tier of a payer with so many completed orders. */
export function tierOf(completed: number): PayerTier {
  if (completed === 0) return 'NEW';
  return completed < TRUSTED_FROM ? 'KNOWN' : 'TRUSTED';
}

/** What a rule may name. */
export const TARGET_KINDS = ['POOL', 'ACCOUNT', 'CHANNEL'] as const;
/** One of TARGET_KINDS. */
export type TargetKind = (typeof TARGET_KINDS)[number];

/** Something that takes orders. */
export type RouteTarget = Readonly<{
  kind: TargetKind;
  /** Null of a pool: the order's merchant's own one. */
  id: string | null;
  /** Its share among the targets of its group. */
  weight: number;
}>;

/** Targets of equal rank, drawn by their weights. */
export type RouteGroup = Readonly<{ targets: readonly RouteTarget[] }>;

/** Which orders a rule is for, and where they go. An empty list, and null, are no condition. */
export interface RoutingRule {
  readonly name: string;
  /** The least and the most amount, both included; in the currency. */
  readonly minAmount: Money | null;
  readonly maxAmount: Money | null;
  readonly merchantIds: readonly string[];
  readonly payerTiers: readonly PayerTier[];
  readonly walletKinds: readonly WalletKind[];
  /** The time of day at which the order is routed, the end excluded; may pass midnight. */
  readonly hours: (QuietHours & { readonly timeZone: string }) | null;
  /** Nothing takes these orders. Of a payout: no channel does, and people transfer it. */
  readonly refuses: boolean;
  /** What the payer paid at before comes first, the latest before others. */
  readonly stickyPayer: boolean;
  /** In the order in which they are asked. */
  readonly groups: readonly RouteGroup[];
}

/** A version of the rules of a currency and kind of order. */
export interface RuleSet {
  /** Null of a draft. */
  readonly id: string | null;
  /** 1, 2, 3 …; null of a draft. */
  readonly version: number | null;
  readonly rules: readonly RoutingRule[];
}

/** What is known of a payer: how well, and where its orders were completed, the latest first. */
export interface PayerPast {
  readonly tier: PayerTier;
  /** Ids of accounts and channels. */
  readonly ways: readonly string[];
}

/** A payer that nobody knows. */
export const NEW_PAYER: PayerPast = { tier: 'NEW', ways: [] };

/** What of an order rules look at. */
export interface RuledOrder {
  readonly merchantId: string;
  readonly amount: Money;
  /** The wallet that it is paid from or to; null: none. */
  readonly walletKind: WalletKind | null;
  readonly at: Date;
  /** Undefined while it has not been read. */
  readonly payer: PayerPast | undefined;
}

/** The rule for an order, and its place from 1. */
export interface FoundRule {
  readonly rule: RoutingRule;
  readonly place: number;
}

/** What an order that is looked at by rules comes to: one of them, none, or its payer's past is to be read first. */
export type RuleFor = FoundRule | 'NONE' | 'ASKS_PAYER';

const isListed = <Item>(list: readonly Item[], item: Item): boolean => list.length === 0 || list.includes(item);

/** Whether a rule is for an order, without its conditions on the payer. */
export function fitsOrder(rule: RoutingRule, order: Omit<RuledOrder, 'payer'>): boolean {
  const { minAmount, maxAmount, walletKinds, hours } = rule;
  return (
    !(minAmount && order.amount.lt(minAmount)) &&
    !(maxAmount && order.amount.gt(maxAmount)) &&
    isListed(rule.merchantIds, order.merchantId) &&
    (walletKinds.length === 0 || (order.walletKind !== null && walletKinds.includes(order.walletKind))) &&
    (hours === null || isQuiet(hours, order.at, hours.timeZone))
  );
}

/** The first rule that an order fits. The payer's past is asked for only where it decides. */
export function ruleFor({ rules }: Pick<RuleSet, 'rules'>, order: RuledOrder): RuleFor {
  for (const [index, rule] of rules.entries()) {
    if (!fitsOrder(rule, order)) continue;
    const { payerTiers, stickyPayer, refuses } = rule;
    const asks = payerTiers.length > 0 || (stickyPayer && !refuses);
    if (asks && order.payer === undefined) return 'ASKS_PAYER';
    if (payerTiers.length === 0 || (order.payer && payerTiers.includes(order.payer.tier)))
      return { rule, place: index + 1 };
  }
  return 'NONE';
}

/** A rule as it is stored: plain decimals. */
export type KeptRule = Omit<RoutingRule, 'minAmount' | 'maxAmount'> & {
  readonly minAmount: string | null;
  readonly maxAmount: string | null;
};

/** A rule from its stored form. */
export const readRule = (kept: KeptRule): RoutingRule => ({
  ...kept,
  minAmount: kept.minAmount === null ? null : money(kept.minAmount),
  maxAmount: kept.maxAmount === null ? null : money(kept.maxAmount),
});

/** A rule in its stored form. */
export const keepRule = (rule: RoutingRule): KeptRule => ({
  ...rule,
  minAmount: rule.minAmount?.toFixed() ?? null,
  maxAmount: rule.maxAmount?.toFixed() ?? null,
});
