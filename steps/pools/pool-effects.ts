import type { Settings } from '../../domain/change-request';
import * as db from '../../db/pools/pools';
import { effect } from '../changes/change-effect';

/** A pool as a proposal stores it. */
export type PoolPayload = Readonly<{
  id: string;
  name: string;
  currencyCode: string;
  accountIds: readonly string[];
  channelIds: readonly string[];
}>;

/** A pool as an approver compares it. */
export const poolFields = ({ name, accountIds, channelIds }: db.PoolChange): Settings => ({
  name,
  accounts: [...accountIds].sort(),
  channels: [...channelIds].sort(),
});

/** Adds or changes a pool. */
export const putPool = effect<PoolPayload>({
  basis: async (tx, { id }) => {
    const pool = await db.lockPool(tx, id);
    return pool ? poolFields(pool) : {};
  },
  apply: async (tx, pool, { now }) => {
    await db.putPool(tx, pool, now);
  },
});
