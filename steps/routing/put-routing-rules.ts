import type { RoutedKind, RoutingRule } from '../../domain/routing-rules';
import type { Needs } from '../context';
import { dayOfReplay, replayOrders, wordsOfReplay } from './routing-replay';

/** How the rules would have routed yesterday's orders, in one line, for the approver. */
export async function replayOfYesterday(
  context: Needs<'database' | 'now' | 'ruleSets'>,
  { currencyCode, orderKind }: { readonly currencyCode: string; readonly orderKind: RoutedKind },
  rules: readonly RoutingRule[],
): Promise<string> {
  const time = await dayOfReplay(context, {});
  const draft = { id: null, version: null, rules };
  const replay = await replayOrders(context, orderKind, { currencyCode, draft, ...time });
  return wordsOfReplay(replay, orderKind, currencyCode);
}
