import type { Database } from './client';

/** The database's present time, not that of the transaction's begin. */
export async function readClock({ measure }: Pick<Database, 'measure'>): Promise<Date> {
  const [row] = await measure<{ now: Date }[]>`select clock_timestamp() as now`;
  if (!row) throw new Error('no row');
  return row.now;
}
