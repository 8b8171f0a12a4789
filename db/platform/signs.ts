import type { PlatformSigns } from '../../domain/platform-health';
import type { Database } from '../client';
import { uncredited } from '../deposits/credit-age';

/** The most that is counted. */
const COUNT_AT_MOST = 1_000;

interface SignsRow {
  readonly beats: Date[];
  readonly lastWorkerAt: Date | null;
  readonly moneySince: Date | null;
  readonly money: number;
  readonly creditSince: Date | null;
  readonly credits: number;
  readonly payoutSince: Date | null;
  readonly payouts: number;
  readonly downSince: Date | null;
  readonly down: number;
}

const oldest = (since: Date | null, count: number): { since: Date; count: number } | null =>
  since === null ? null : { since, count };

/**
 * Reads the indicators of the platform's health, on a connection of its own. Excludes orders with a parked outbox row
 * and payouts that need a person: they do not show whether the platform works.
 */
export async function readPlatformSigns({ measure: sql }: Database): Promise<PlatformSigns> {
  const [row] = await sql<SignsRow[]>`
    select
      (select coalesce(array_agg(beat_at), '{}') from worker_heartbeats where ended_at is null) as beats,
      (select max(beat_at) from worker_heartbeats) as last_worker_at,
      m.since as money_since, m.count as money, c.since as credit_since, c.count as credits,
      p.since as payout_since, p.count as payouts, d.since as down_since, d.count as down
    from
      (select min(created_at) as since, count(*)::int as count from (
        select created_at from outbox where parked_at is null and rank = 1
        order by rank, id limit ${COUNT_AT_MOST}) o) m,
      (select min(since) as since, count(*)::int as count from (
        ${uncredited(sql)} limit ${COUNT_AT_MOST}) d) c,
      (select min(since) as since, count(*)::int as count from (
        select coalesce(a.created_at, w.approved_at) as since from withdrawal_orders w
        left join payout_attempts a on a.withdrawal_id = w.id and a.finished_at is null
        where w.status = 'APPROVED' and not w.needs_manual_intervention
          and (a.id is null or a.status = 'PREPARED')
          and not exists (
            select from outbox o where o.key = 'withdrawal:' || w.order_no and o.parked_at is not null)
        limit ${COUNT_AT_MOST}) w) p,
      (select min(health_at) as since, count(*)::int as count from channels
        where enabled and health = 'DOWN') d`;
  if (!row) throw new Error('nothing was read');
  return {
    beats: row.beats,
    lastWorkerAt: row.lastWorkerAt,
    waiting: {
      MONEY_WAITS: oldest(row.moneySince, row.money),
      CREDIT_LATE: oldest(row.creditSince, row.credits),
      PAYOUT_LATE: oldest(row.payoutSince, row.payouts),
    },
    channelsDown: oldest(row.downSince, row.down),
  };
}
