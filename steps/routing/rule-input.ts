import type { RoutedKind, RouteTarget as Target } from '../../domain/routing-rules';
import type { Needs } from '../context';

/** Whether the targets of a rule are of the currency. */
export async function isOfCurrency(
  { loaders }: Needs<'loaders'>,
  { kind, id }: Target,
  currencyCode: string,
  orderKind: RoutedKind,
): Promise<boolean> {
  if (id === null) return true;
  if (kind === 'POOL') return (await loaders.pools.load(id))?.currencyCode === currencyCode;
  if (kind === 'ACCOUNT') return (await loaders.bankAccounts.load(id))?.currencyCode === currencyCode;
  const channel = await loaders.channels.load(id);
  const taken = orderKind === 'DEPOSIT' ? channel?.depositCurrencies : channel?.currencies;
  return taken?.includes(currencyCode) ?? false;
}
