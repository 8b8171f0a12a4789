import type { Fragment, Sql } from 'postgres';
import type { Database } from '../client';

/** Money that came later than another's by this was credited before it, seconds. Merchants take turns: a few prove nothing. */
const PASSED_SECONDS = 60;
/** So many that were passed are cases of their own; more are a backlog. */
const CASES = 10;

/**
 * When the money of a MATCHED deposit `d` came; null if it has not: a channel sees a payment, and has not received it.
 */
export const moneyCameAt = (sql: Sql): Fragment => sql`
  case when d.channel_id is null then d.matched_at else (
    select max(came.at) from (
      select a.at from transfer_allocations a where a.deposit_id = d.id and a.released_at is null
      union all
      select a.updated_at from deposit_attempts a where a.deposit_id = d.id and a.status = 'PAID') came) end`;

/**
 * When the money of each deposit that waits for its credit came (`since`). Excludes deposits whose outbox row is parked,
 * and a few whose credit fails while that of later money does not: those wait for a person, and do not show how fast
 * others are credited.
 */
export const uncredited = (sql: Sql): Fragment => sql`
  select w.since from (
    select p.since, p.since <= l.at as passed, count(*) filter (where p.since <= l.at) over () as all_passed
    from (
      select ${moneyCameAt(sql)} as since from deposit_orders d
      where d.status = 'MATCHED' and d.order_no not in (
        select substr(o.key, length('deposit:') + 1) from outbox o
        where o.parked_at is not null and o.key like 'deposit:%')
    ) p left join (
      select c.matched_at - make_interval(secs => ${PASSED_SECONDS}) as at from deposit_orders c
      where c.completed_at is not null order by c.completed_at desc, c.id desc limit 1
    ) l on true
    where p.since is not null
  ) w
  where w.passed is not true or w.all_passed > ${CASES}`;

/** When the money that has waited longest for its credit came; null if none waits. */
export async function oldestUncredited({ measure }: Database): Promise<Date | null> {
  const [row] = await measure<{ since: Date | null }[]>`
    select min(since) as since from (${uncredited(measure)}) d`;
  return row?.since ?? null;
}

/** Which of these orders were paid and wait for their credit, by number. */
export async function findUncredited({ sql }: Database, orderNos: readonly string[]): Promise<string[]> {
  const rows = await sql<{ orderNo: string }[]>`
    select d.order_no from deposit_orders d
    where d.order_no = any(${[...orderNos]}) and d.status = 'MATCHED' and ${moneyCameAt(sql)} is not null`;
  return rows.map(({ orderNo }) => orderNo);
}
