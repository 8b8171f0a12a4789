import type { JSONValue } from 'postgres';
import { soughtAccount } from '../../crypto/beneficiary';
import { openBeneficiary, type Seals } from '../../crypto/personal';
import { planPayout, walletOfPayout } from '../../domain/payout-way';
import { type PayerPast, ruleFor, type RuleFor } from '../../domain/routing-rules';
import type { Database } from '../../db/client';
import { findPayableChannels, type PayableChannelRow } from '../../db/payouts/payouts';
import { findBeneficiaryPast, findRulesInForce, type RuleSets } from '../../db/routing/routing-rules';
import type { WithdrawalCase } from '../../db/withdrawals/withdrawals';

/** The most channels that a stored routing decision names. */
const NOTED = 20;

/** The channel of a payout, and why it was chosen. */
export interface PayoutRoute {
  /** Null: no channel accepts it; it becomes a manual payout. */
  readonly channel: PayableChannelRow | null;
  /** For operators. */
  readonly note: Readonly<Record<string, JSONValue>>;
}

/** What routing reads. */
interface RouteDeps extends Seals {
  readonly database: Database;
  readonly ruleSets: RuleSets;
}

/** The next channel of a payout, by the rules in force at this moment, or as without rules. */
export async function findPayoutRoute(
  { database, ruleSets, ...seals }: RouteDeps,
  order: WithdrawalCase,
  now: Date,
): Promise<PayoutRoute> {
  const { currencyCode, merchantId, amount, beneficiaryBankCode } = order;
  const [channels, rulesId] = await Promise.all([
    findPayableChannels(database, order.id, now),
    findRulesInForce(database, currencyCode, 'PAYOUT'),
  ]);
  const rules = await ruleSets.of(rulesId);
  const asked = {
    merchantId,
    amount,
    walletKind: walletOfPayout(currencyCode, beneficiaryBankCode),
    at: now,
  };
  let payer: PayerPast | undefined;
  let found: RuleFor = rules ? ruleFor(rules, { ...asked, payer }) : 'NONE';
  if (rules && found === 'ASKS_PAYER') {
    payer = await findBeneficiaryPast(database, {
      merchantId,
      currencyCode,
      beneficiaryBankCode,
      ...soughtAccount(seals.lookup, openBeneficiary(seals.sealer, order)),
    });
    found = ruleFor(rules, { ...asked, payer });
  }
  const rule = typeof found === 'string' ? null : found;
  const plan = planPayout(rule?.rule ?? null, channels, order, payer?.ways ?? []);
  const [way] = plan.ways;
  return {
    channel: way?.candidate.channel ?? null,
    note: {
      ...(way && { channel: way.candidate.id }),
      refused: plan.refused.slice(0, NOTED).map(({ candidate, reason }) => ({ channel: candidate.id, reason })),
      ...(rules && { rulesVersion: rules.version }),
      ...(rule && { rule: rule.place, ruleName: rule.rule.name }),
      ...(way && way.group !== null && { group: way.group }),
      ...(way?.sticky && { sticky: true }),
      ...(payer && { payerTier: payer.tier }),
    },
  };
}
