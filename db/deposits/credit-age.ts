import type { Fragment, Sql } from 'postgres';
import type { Database } from '../client';

/**
 * When each deposit that waits for its credit was matched. Excludes deposits whose outbox row is parked: those wait for
 * an operator, and do not show how fast others are credited.
 */
export const uncredited = (sql: Sql): Fragment => sql`
  select d.matched_at from deposit_orders d
  where d.status = 'MATCHED' and d.order_no not in (
    select substr(o.key, length('deposit:') + 1) from outbox o
    where o.parked_at is not null and o.key like 'deposit:%')`;

/** When the money that has waited longest for its credit came; null if none waits. */
export async function oldestUncredited({ measure }: Database): Promise<Date | null> {
  const [row] = await measure<{ matchedAt: Date | null }[]>`
    select min(matched_at) as matched_at from (${uncredited(measure)}) d`;
  return row?.matchedAt ?? null;
}
