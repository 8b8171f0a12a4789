import type { RoutingRule, TargetKind } from '../../domain/routing-rules';

/** A target in short; its weight is 1 unless given. */
export type ShortTarget = readonly [kind: TargetKind, id: string | null, weight?: number];

/** A rule for all orders with one group of these targets. */
export const plainRule = (name: string, targets: readonly ShortTarget[]): RoutingRule => ({
  name,
  minAmount: null,
  maxAmount: null,
  merchantIds: [],
  payerTiers: [],
  walletKinds: [],
  hours: null,
  refuses: false,
  stickyPayer: false,
  groups: targets.length === 0 ? [] : [groupOf(targets)],
});

/** A group of these targets. */
export const groupOf = (targets: readonly ShortTarget[]): RoutingRule['groups'][number] => ({
  targets: targets.map(([kind, id, weight = 1]) => ({ kind, id, weight })),
});
