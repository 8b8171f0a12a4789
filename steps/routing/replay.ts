import { setImmediate as turn } from 'node:timers/promises';
import { feeOn } from '../../domain/fees';
import { currencyDecimals, type Money, ZERO } from '../../domain/money';
import { DepositReplay } from '../../domain/replay';
import { ReplayResult } from '../../domain/replay-result';
import type { RuleSet } from '../../domain/routing-rules';
import { findRoutableAccounts } from '../../db/accounts/bank-accounts';
import type { Database } from '../../db/client';
import { findDepositChannels } from '../../db/deposits/channel-deposits';
import * as db from '../../db/routing/replay';
import type { RuleSets } from '../../db/routing/routing-rules';

/** What a replay needs. */
export interface ReplayDeps {
  readonly database: Database;
  readonly ruleSets: RuleSets;
}

/** What to replay. */
export interface ReplayedDay extends db.ReplayedTime {
  readonly currencyCode: string;
  /** Null: the rules that were in force. */
  readonly draft: RuleSet | null;
}

/** The result, and how many orders it covers. */
export interface DayReplay {
  readonly result: ReplayResult;
  /** All orders of the span; more than were replayed if time was up. */
  readonly ofOrders: number;
}

/** Orders of one page. */
export const PAGE = 2_000;
/** Orders replayed before other requests get their turn. */
export const AT_ONCE = 100;

/** Whether the rules depend on payers' past. */
export const asksPayers = (rules: RuleSet | null): boolean =>
  rules?.rules.some((rule) => rule.payerTiers.length > 0 || rule.stickyPayer) ?? false;

/**
 * Replays the deposits of a span by a draft of rules, page by page, so that other requests of the process get their
 * turns.
 * @param withinMs it stops after this time, with what was replayed until then
 */
export async function replayDeposits(
  { database, ruleSets }: ReplayDeps,
  { currencyCode, draft, from, to }: ReplayedDay,
  withinMs: number,
): Promise<DayReplay> {
  const time = { from, to };
  const [accounts, channels, open, receipts, received, ofOrders] = await Promise.all([
    findRoutableAccounts(database, [currencyCode], from),
    findDepositChannels(database, [currencyCode], null, from),
    db.findOpenBefore(database, currencyCode, time),
    db.findOtherReceipts(database, currencyCode, time),
    db.findReceivedBefore(database, currencyCode, time),
    db.countPastDeposits(database, currencyCode, time),
  ]);
  const decimals = currencyDecimals(currencyCode) ?? 0;
  const costs = new Map(channels.map((channel) => [channel.id, channel.depositCost]));
  const costOf = (id: string, amount: Money): Money => {
    const cost = costs.get(id);
    return cost ? feeOn(amount, cost, decimals) : ZERO;
  };
  const wallets = new Map(channels.map(({ id, walletKind }) => [id, walletKind]));
  const ids = [...accounts, ...channels].map(({ id }) => id);
  const health = await db.findHealthOf(database, ids, time);
  const replay = new DepositReplay(
    {
      currencyCode,
      open,
      receipts,
      health,
      pasts: new Map(),
      accounts: accounts.map((one) => db.replayedAccount(one, received.get(one.id))),
      channels: channels.map((one) => db.replayedChannel(one, received.get(one.id))),
    },
    draft,
  );
  const result = new ReplayResult(costOf);
  const known = new Set<string>();
  /** Gives the replay the past of payers that are new to it. */
  async function meet(met: readonly { readonly merchantId: string; readonly payer: string | null }[]): Promise<void> {
    const fresh = met.flatMap(({ merchantId, payer }) => {
      if (payer === null || known.has(`${merchantId} ${payer}`)) return [];
      known.add(`${merchantId} ${payer}`);
      return [{ merchantId, payer }];
    });
    if (fresh.length > 0) replay.learn(await db.findPastsBefore(database, currencyCode, fresh, from));
  }
  if (asksPayers(draft) || draft === null) await meet(open);

  const until = performance.now() + withinMs;
  /** The next page is read while this one is replayed. */
  const pageAfter = async (after: db.ReplayCursor | null): Promise<db.StoredPastOrder[]> =>
    await db.findPastDeposits(database, currencyCode, time, after, PAGE);
  let reading = pageAfter(null);
  for (;;) {
    const page = await reading;
    const last = page.length < PAGE ? undefined : page.at(-1);
    if (last) reading = pageAfter(last);
    // If time is up, this read is abandoned.
    reading.catch(() => undefined);
    const sets = await Promise.all(page.map(({ rulesId }) => ruleSets.of(rulesId)));
    if (asksPayers(draft) || sets.some(asksPayers)) await meet(page);
    for (const [at, order] of page.entries()) {
      const walletKind = wallets.get(order.walletChannelId ?? '') ?? null;
      result.add(replay.next({ ...order, walletKind, rules: sets[at] ?? null }));
      if (at % AT_ONCE === 0) await turn();
    }
    if (!last || performance.now() > until) return { result, ofOrders };
  }
}
