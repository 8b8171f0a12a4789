import type { RouteNames } from '../../domain/routing-words';
import type { KeptRule, RoutingRule } from '../../domain/routing-rules';
import type { Needs } from '../context';

/** Names by ids, from the loaders; the id itself if it no longer exists. */
async function namesBy<Row>(
  ids: readonly string[],
  load: (id: string) => Promise<Row | undefined>,
  nameOf: (row: Row) => string,
): Promise<ReadonlyMap<string, string>> {
  const unique = [...new Set(ids)];
  const rows = await Promise.all(unique.map(load));
  return new Map(rows.flatMap((row, at) => (row === undefined ? [] : [[unique[at] ?? '', nameOf(row)] as const])));
}

/** The readable names in rules. */
export async function namesOfRules(
  { loaders }: Needs<'loaders'>,
  rules: readonly (RoutingRule | KeptRule)[],
): Promise<RouteNames> {
  const targets = rules.flatMap(({ groups }) => groups.flatMap((group) => group.targets));
  const idsOf = (kind: string): string[] =>
    targets.flatMap((target) => (target.kind === kind && target.id !== null ? [target.id] : []));
  const [pools, accounts, channels, merchants] = await Promise.all([
    namesBy(
      idsOf('POOL'),
      (id) => loaders.pools.load(id),
      ({ name }) => `the pool ${name}`,
    ),
    namesBy(
      idsOf('ACCOUNT'),
      (id) => loaders.bankAccounts.load(id),
      ({ name }) => `the account ${name}`,
    ),
    namesBy(
      idsOf('CHANNEL'),
      (id) => loaders.channels.load(id),
      ({ channelCode }) => `the channel ${channelCode}`,
    ),
    namesBy(
      rules.flatMap(({ merchantIds }) => merchantIds),
      (id) => loaders.merchants.load(id),
      ({ merchantCode }) => merchantCode,
    ),
  ]);
  const known = { POOL: pools, ACCOUNT: accounts, CHANNEL: channels };
  return {
    target: ({ kind, id }) => (id === null ? 'the pool of the merchant' : (known[kind].get(id) ?? id)),
    merchant: (id) => merchants.get(id) ?? id,
  };
}
