import type { Database } from '../client';

/**
 * When the money came that has waited longest for its credit; null where none waits. Without deposits whose outbox row
 * is parked: a person looks at them, and they say nothing about how fast others are credited.
 */
export async function oldestUncredited({ measure }: Database): Promise<Date | null> {
  const [row] = await measure<{ matchedAt: Date | null }[]>`
    select min(d.matched_at) as matched_at from deposit_orders d
    where d.status = 'MATCHED' and not exists (
      select from outbox o where o.key = 'deposit:' || d.order_no and o.parked_at is not null)`;
  return row?.matchedAt ?? null;
}
