import { invalidField } from '../../domain/errors';
import type { Needs } from '../context';

/**
 * @throws INVALID_FIELD for a pool of another currency
 */
export async function checkPoolOf(
  { loaders }: Needs<'loaders'>,
  currencyCode: string,
  poolId: string | null,
): Promise<void> {
  if (poolId === null) return;
  const pool = await loaders.pools.load(poolId);
  if (pool?.currencyCode !== currencyCode)
    throw invalidField('poolId', `is not a pool of ${currencyCode}`, 'UNKNOWN_VALUE');
}
