import type { Database } from '../client';

/**
 * When the money that has waited longest for its credit came; null if none waits. Excludes deposits whose outbox row is
 * parked: those wait for an operator, and do not show how fast others are credited.
 */
export async function oldestUncredited({ measure }: Database): Promise<Date | null> {
  const [row] = await measure<{ matchedAt: Date | null }[]>`
    select min(d.matched_at) as matched_at from deposit_orders d
    where d.status = 'MATCHED' and not exists (
      select from outbox o where o.key = 'deposit:' || d.order_no and o.parked_at is not null)`;
  return row?.matchedAt ?? null;
}
