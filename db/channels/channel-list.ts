import type { Fragment, Sql } from 'postgres';
import type { ChannelHealth, ChannelKind } from '../../domain/channel';
import { channelOf, type ChannelRow, type RawChannel } from './channels';
import type { Database } from '../client';
import { all, among, countUpTo, keyset, type Page, pageOf, type PageRequest, type SortColumn } from '../pages';

/** Filter of a list of channels. All given conditions must hold; absent and null mean none. */
export interface ChannelFilter {
  readonly kind?: readonly ChannelKind[] | null;
  readonly enabled?: boolean | null;
  readonly health?: readonly ChannelHealth[] | null;
  /** It pays out or takes deposits in this currency. */
  readonly currencyCode?: string | null;
}

/** What channels are sorted by. */
export type ChannelSortBy = 'NAME';

/** How each is sorted. */
export const CHANNEL_SORTS: Readonly<Record<ChannelSortBy, SortColumn<ChannelRow>>> = {
  NAME: { column: 'c.name', type: 'text', value: ({ name }) => name },
};

const from = (sql: Sql, filter: ChannelFilter, ...more: Fragment[]): Fragment =>
  sql`from channels c where ${all(sql, [
    among(sql, 'c.kind', filter.kind),
    filter.enabled != null && sql`c.enabled = ${filter.enabled}`,
    among(sql, 'c.health', filter.health),
    filter.currencyCode != null && sql`${filter.currencyCode} = any(c.currencies || c.deposit_currencies)`,
    ...more,
  ])}`;

/** A page of channels. */
export async function listChannels(
  { read: sql }: Database,
  filter: ChannelFilter,
  page: PageRequest<ChannelSortBy>,
): Promise<Page<ChannelRow>> {
  const { within, window } = keyset(sql, CHANNEL_SORTS[page.by], 'c.id', page);
  const rows = await sql<RawChannel[]>`select c.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(channelOf), page);
}

/** How many channels match a filter, counted up to `most`. */
export const countChannels = async ({ read: sql }: Database, filter: ChannelFilter, most: number): Promise<number> =>
  await countUpTo(sql, from(sql, filter), most);
