import { setImmediate as turn } from 'node:timers/promises';
import { feeOn } from '../../domain/fees';
import { currencyDecimals, type Money, ZERO } from '../../domain/money';
import { PayoutReplay } from '../../domain/payout-replay';
import { ReplayResult } from '../../domain/replay-result';
import * as db from '../../db/routing/payout-replay';
import { findHealthOf } from '../../db/routing/replay';
import { findRoutingRules, ruleSetOf } from '../../db/routing/routing-rules';
import { asksPayers, AT_ONCE, type DayReplay, PAGE, type ReplayDeps, type ReplayedDay } from './replay';

/**
 * Replays the payouts of a span by a draft of rules, as replayDeposits does.
 * @param withinMs it stops after this time, with what was replayed until then
 */
export async function replayPayouts(
  { database }: Pick<ReplayDeps, 'database'>,
  { currencyCode, draft, from, to }: ReplayedDay,
  withinMs: number,
): Promise<DayReplay> {
  const until = performance.now() + withinMs;
  const [routed, channels, versions] = await Promise.all([
    db.findRoutedPayouts(database, currencyCode, { from, to }),
    db.findReplayedChannels(database, currencyCode, from),
    findRoutingRules(database.sql, currencyCode, 'PAYOUT', false),
  ]);
  const rulesOf = new Map(versions.map((row) => [row.version, ruleSetOf(row)]));
  // Payouts of the day may have been routed later.
  const end = new Date(Math.max(to.getTime(), (routed.at(-1)?.at.getTime() ?? 0) + 1));
  const [others, health] = await Promise.all([
    db.findOtherPayouts(database, currencyCode, { from, to }, { from, to: end }),
    findHealthOf(
      database,
      channels.map(({ id }) => id),
      { from, to: end },
    ),
  ]);
  const replay = new PayoutReplay({ currencyCode, channels, others, health }, draft);
  const costs = new Map(channels.map(({ id, cost }) => [id, cost]));
  const decimals = currencyDecimals(currencyCode) ?? 0;
  const result = new ReplayResult((id: string, amount: Money): Money => {
    const cost = costs.get(id);
    return cost ? feeOn(amount, cost, decimals) : ZERO;
  });
  const known = new Set<string>();
  /** Gives the replay the past of beneficiaries that are new to it. */
  async function meet(met: readonly (db.BeneficiaryKey & { readonly payer: string })[]): Promise<void> {
    const fresh = met.filter(({ merchantId, payer }) => {
      const key = `${merchantId} ${payer}`;
      return !known.has(key) && known.add(key);
    });
    if (fresh.length > 0) replay.learn(await db.findBeneficiaryPastsBefore(database, currencyCode, fresh, from));
  }
  const asks = draft ? asksPayers(draft) : [...rulesOf.values()].some(asksPayers);
  if (asks) await meet(others);

  for (let start = 0; start < routed.length && performance.now() <= until; start += PAGE) {
    const ids = routed.slice(start, start + PAGE).map(({ id }) => id);
    const page = await db.findPastPayouts(database, ids);
    if (asks) await meet(page);
    for (const [at, { rulesVersion, ...order }] of page.entries()) {
      const rules = rulesVersion === null ? null : (rulesOf.get(rulesVersion) ?? null);
      result.add(replay.next({ ...order, rules }));
      if (at % AT_ONCE === 0) await turn();
    }
  }
  return { result, ofOrders: routed.length };
}
