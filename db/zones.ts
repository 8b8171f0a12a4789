import type { Database } from './client';

/** Whether the database knows a time zone. */
export async function isZoneHere({ sql }: Database, zone: string): Promise<boolean> {
  const [row] = await sql<{ known: boolean }[]>`select is_zone(${zone}) as known`;
  return row?.known ?? false;
}
