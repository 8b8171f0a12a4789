import { dayAfter, dayOf, isDay, startOfDay } from '../../domain/zone';
import { invalidField } from '../../domain/errors';
import { checkedZone } from '../zone';
import { currencyDecimals, type Money } from '../../domain/money';
import type { ReplayResult } from '../../domain/replay-result';
import type { RoutedKind } from '../../domain/routing-rules';
import type { Needs } from '../context';
import { type DayReplay, replayDeposits, type ReplayDeps, type ReplayedDay } from './replay';
import { replayPayouts } from './replay-payouts';

/** The deadline of a root field is 16 s; the rest is for the reads before and after. */
const REPLAY_WITHIN_MS = 10_000;

/** A replay in one line. */
export function wordsOfReplay({ result, ofOrders }: DayReplay, orderKind: RoutedKind, currencyCode: string): string {
  const { orders, moved, refused, saved, costBefore, costAfter } = result;
  const decimals = currencyDecimals(currencyCode) ?? 0;
  const money = (amount: Money): string => `${amount.toFixed(decimals)} ${currencyCode}`;
  const part = orders < ofOrders ? ` of ${ofOrders}` : '';
  return [
    orderKind === 'DEPOSIT'
      ? `${orders}${part} deposits: ${moved} moved, ${refused} refused`
      : `${orders}${part} payouts: ${moved} moved, ${refused} to people`,
    `cost ${money(costAfter)} instead of ${money(costBefore)}, saved ${money(saved)}`,
  ].join('; ');
}

/** The name of an account or channel. */
async function naming({ loaders }: Needs<'loaders'>, ids: readonly string[], nowhere: string) {
  const found = await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const account = (await loaders.bankAccounts.load(id)) ?? null;
      const channel = account ? null : ((await loaders.channels.load(id)) ?? null);
      return [id, { account, channel }] as const;
    }),
  );
  const known = new Map(found);
  const parts = (id: string) => known.get(id) ?? { account: null, channel: null };
  const name = (id: string | null): string => {
    if (id === null) return nowhere;
    const { account, channel } = parts(id);
    return account?.name ?? channel?.channelCode ?? id;
  };
  return { parts, name };
}

export async function shownResult(context: Needs<'loaders'>, orderKind: RoutedKind, result: ReplayResult) {
  const { shares, examples } = result;
  const ids = [
    ...shares.map(({ id }) => id),
    ...examples.flatMap(({ from, to }) => [from, to].filter((id) => id !== null)),
  ];
  const { parts, name } = await naming(context, ids, orderKind === 'DEPOSIT' ? 'nothing' : 'people');
  return {
    shares: shares.map(({ id, before, after }) => ({ ...parts(id), before, after })),
    examples: examples.map(({ orderId, from, to, rule }) => ({
      orderId,
      words: `from ${name(from)} to ${name(to)}${rule === null ? '' : ` by ${rule}`}`,
    })),
  };
}

/** Replays a day of orders of a kind, within the time of a request. */
export const replayOrders = async (deps: ReplayDeps, orderKind: RoutedKind, day: ReplayedDay): Promise<DayReplay> =>
  orderKind === 'DEPOSIT'
    ? await replayDeposits(deps, day, REPLAY_WITHIN_MS)
    : await replayPayouts(deps, day, REPLAY_WITHIN_MS);

/** The span of a past day. @throws INVALID_FIELD */
export async function dayOfReplay(
  context: Needs<'database' | 'now'>,
  { day, timeZone }: { readonly day?: string | null; readonly timeZone?: string | null },
): Promise<{ from: Date; to: Date }> {
  const zone = await checkedZone(context, timeZone ?? 'UTC');
  const today = dayOf(zone, context.now);
  const yesterday = dayOf(zone, new Date(startOfDay(zone, today).getTime() - 1));
  const chosen = day ?? yesterday;
  if (!isDay(chosen) || chosen > today)
    throw invalidField('day', 'must be a day, YYYY-MM-DD, that is not to come', 'OUT_OF_RANGE');
  return { from: startOfDay(zone, chosen), to: startOfDay(zone, dayAfter(chosen)) };
}
