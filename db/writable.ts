import type { Database } from './client';

/** Whether the server accepts writes. A standby does not, nor one that its administrators made read-only. */
export async function takesWrites({ sql }: Pick<Database, 'sql'>): Promise<boolean> {
  const [row] = await sql<{ readOnly: boolean }[]>`
    select current_setting('transaction_read_only')::boolean as read_only`;
  return row?.readOnly === false;
}
