import type { Transaction } from '../../db/client';

const counted = async (tx: Transaction, table: string): Promise<number> => {
  const [row] = await tx<{ read: string }[]>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = ${table}`;
  return Number(row?.read ?? 0);
};

/**
 * How many rows of a table some work reads. Counts before it and after it: until the server publishes the counts of a
 * connection, once a second at most, they hold its earlier transactions too.
 */
export async function rowsRead(tx: Transaction, table: string, work: () => Promise<unknown>): Promise<number> {
  const before = await counted(tx, table);
  await work();
  return (await counted(tx, table)) - before;
}
