import { type DepositCandidate, planDeposit } from '../../domain/deposit-way';
import type { Money } from '../../domain/money';
import { type FoundRule, NEW_PAYER, type PayerPast, ruleFor, type RuleSet } from '../../domain/routing-rules';
import type { WayPlan } from '../../domain/way';
import type { RoutableAccountRow } from '../../db/accounts/bank-accounts';
import type { DepositChannelRow } from '../../db/deposits/channel-deposits';
import { findRulesInForce } from '../../db/routing/routing-rules';
import type { Needs } from '../context';

/** The accounts and channels that may take a deposit, as stored. */
export type StoredCandidate = DepositCandidate<RoutableAccountRow, DepositChannelRow>;

/** A hypothetical deposit. */
export interface DryDeposit {
  readonly currencyCode: string;
  readonly amount: Money;
  /** Null: a merchant of the default pool without a wallet. */
  readonly merchantId: string | null;
  /** When it would be created. */
  readonly at: Date;
  readonly payer: PayerPast;
  /** The target is drawn by the id: any id gives one of the possible routes. */
  readonly id: string;
}

/** How a hypothetical deposit would be routed. */
export interface DryRun {
  /** The rules in force, or the draft; null: no rules. */
  readonly rules: RuleSet | null;
  readonly found: FoundRule | null;
  readonly plan: WayPlan<StoredCandidate>;
  readonly accounts: readonly RoutableAccountRow[];
  readonly channels: readonly DepositChannelRow[];
  readonly walletChannelId: string | null;
}

/** The rules in force for deposits of a merchant in a currency, and the merchant's settings for it. */
export async function inForceFor(
  { loaders, ruleSets, database }: Needs<'database' | 'loaders' | 'ruleSets'>,
  currencyCode: string,
  merchantId: string | null,
): Promise<{ rules: RuleSet | null; walletChannelId: string | null; poolId: string | null }> {
  const currencies = merchantId === null ? [] : await loaders.currencies.load(merchantId);
  const currency = currencies.find((one) => one.currencyCode === currencyCode);
  return {
    rules: await ruleSets.of(await findRulesInForce(database, currencyCode, 'DEPOSIT')),
    walletChannelId: currency?.walletChannelId ?? null,
    poolId: currency?.poolId ?? null,
  };
}

/** Routes a hypothetical deposit by the present data. @param draft replaces the rules in force */
export async function dryRun(
  context: Needs<'database' | 'depositChannels' | 'loaders' | 'routableAccounts' | 'ruleSets'>,
  order: DryDeposit,
  draft: RuleSet | null = null,
): Promise<DryRun> {
  const { currencyCode, amount, merchantId, at, payer, id } = order;
  const { routableAccounts, depositChannels, loaders } = context;
  const { rules, walletChannelId, poolId } = await inForceFor(context, currencyCode, merchantId);
  const [{ accounts: stored }, channels] = await Promise.all([
    routableAccounts.of(currencyCode, true),
    depositChannels.of(currencyCode, true),
  ]);
  const uses = await Promise.all(stored.map((account) => loaders.accountUse.load(account.id)));
  const walletKind = channels.find((one) => one.id === walletChannelId)?.walletKind ?? null;
  const asked = { merchantId: merchantId ?? '', amount, walletKind, at, payer };
  const applied = draft ?? rules;
  const first = ruleFor(applied ?? { rules: [] }, asked);
  const found = typeof first === 'string' ? null : first;
  const plan = planDeposit(
    ...([found?.rule ?? null, stored, channels] as const),
    { id, currencyCode, amount, walletChannelId, poolId, tried: [] },
    payer.ways,
  );
  const full = new Set(
    stored.flatMap(({ id: accountId, maxOpenDeposits }, index) =>
      (uses[index]?.openDeposits ?? 0) >= maxOpenDeposits ? [accountId] : [],
    ),
  );
  return {
    rules: applied,
    found,
    accounts: stored,
    channels,
    walletChannelId,
    plan: {
      ways: plan.ways.filter(({ candidate }) => !full.has(candidate.id)),
      refused: [
        ...plan.refused,
        ...plan.ways.flatMap(({ candidate }) =>
          full.has(candidate.id) ? [{ candidate, reason: 'TOO_MANY_OPEN' }] : [],
        ),
      ],
    },
  };
}

/** A hypothetical deposit without a payer, created now. */
export const plainDeposit = (
  { now }: Needs<'now'>,
  currencyCode: string,
  amount: Money,
  merchantId: string | null,
): DryDeposit => ({
  currencyCode,
  amount,
  merchantId,
  at: now,
  payer: NEW_PAYER,
  id: currencyCode,
});

/** Why each candidate does not take the order, null if it does; candidates that the rule does not name are left out. */
export const reasonsOf = ({ plan }: DryRun): ReadonlyMap<string, string | null> =>
  new Map<string, string | null>([
    ...plan.ways.map(({ candidate }) => [candidate.id, null] as const),
    ...plan.refused.map(({ candidate, reason }) => [candidate.id, reason] as const),
  ]);
