import type { KeyRing } from '../crypto/key-ring';
import type { Database } from '../db/client';
import { findPlatformKeys } from '../db/platform/keys';

/**
 * Makes a ring use the key that is current in the database. A task that ends calls it before it seals anything.
 * @throws if the ring lacks a key that rows may need
 */
export async function useCurrentKey(ring: KeyRing, database: Pick<Database, 'measure'>): Promise<void> {
  const rows = await findPlatformKeys(database);
  for (const { id, releasedAt } of rows)
    if (releasedAt === null && !ring.has(id))
      throw new Error(`CAUSEWAY_KEYS lacks the key ${id}, which is in use (docs/keys.md)`);
  const [current] = rows;
  if (current) ring.use(current.id);
}
