import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { pools } from '../schema/pools';

/** Accounts and channels of a currency that only some merchants use. */
export type PoolRow = RowOf<typeof pools>;

/** A pool with its accounts and channels. */
export interface Pool extends PoolRow {
  readonly accountIds: readonly string[];
  readonly channelIds: readonly string[];
}

/** What may be changed of a pool. */
export type PoolChange = Pick<Pool, 'name' | 'accountIds' | 'channelIds'>;

const withMembers = (sql: Database['sql'] | Transaction) => sql`
  p.*,
  array(select a.account_id::text from pool_accounts a where a.pool_id = p.id order by a.account_id) as account_ids,
  array(select c.channel_id::text from pool_channels c where c.pool_id = p.id order by c.channel_id) as channel_ids`;

/** All pools, or those of a currency, by currency and name. */
export const findPools = async ({ sql }: Database, currencyCode: string | null): Promise<Pool[]> =>
  await sql<Pool[]>`
    select ${withMembers(sql)} from pools p
    where ${currencyCode}::text is null or p.currency_code = ${currencyCode}::char(3)
    order by p.currency_code, p.name, p.id`;

/** Several pools by their ids. */
export const findPoolsById = async ({ sql }: Database, ids: readonly string[]): Promise<Pool[]> =>
  await sql<Pool[]>`
    select ${withMembers(sql)} from pools p where p.id = any(${ids as string[]})`;

/** The merchants that use several pools, by code. */
export const findMerchantsOfPools = async (
  { sql }: Database,
  poolIds: readonly string[],
): Promise<{ poolId: string; merchantId: string }[]> =>
  await sql<{ poolId: string; merchantId: string }[]>`
    select c.pool_id::text as pool_id, c.merchant_id
    from merchant_currencies c join merchants m on m.id = c.merchant_id
    where c.pool_id = any(${poolIds as string[]}) order by m.merchant_code`;

/** A pool, locked against other changes of it; no order waits for it. */
export async function lockPool(tx: Transaction, id: string): Promise<Pool | undefined> {
  await tx`select from pools where id = ${id} for no key update`;
  const [pool] = await tx<Pool[]>`select ${withMembers(tx)} from pools p where p.id = ${id}`;
  return pool;
}

/** Adds or changes a pool. A taken name violates pools_name. */
export async function putPool(
  tx: Transaction,
  pool: PoolChange & Pick<Pool, 'id' | 'currencyCode'>,
  now: Date,
): Promise<void> {
  const { id, name, currencyCode, accountIds, channelIds } = pool;
  await tx`
    insert into pools (id, name, currency_code, created_at, updated_at)
    values (${id}, ${name}, ${currencyCode}, ${now}, ${now})
    on conflict (id) do update set name = excluded.name, updated_at = excluded.updated_at`;
  await tx`delete from pool_accounts where pool_id = ${id}`;
  await tx`delete from pool_channels where pool_id = ${id}`;
  await tx`
    insert into pool_accounts (account_id, pool_id)
    select account::uuid, ${id}::uuid from unnest(${accountIds as string[]}::text[]) account`;
  await tx`
    insert into pool_channels (channel_id, pool_id)
    select channel::uuid, ${id}::uuid from unnest(${channelIds as string[]}::text[]) channel`;
}
