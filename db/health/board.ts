import type { PassedOver, WaitingKind } from '../../domain/health';
import { money, type Money } from '../../domain/money';
import type { Database, Transaction } from '../client';

/** Why an account or a channel gets no orders now, and since when. */
export interface Standing {
  /** The account's or the channel's. */
  readonly id: string;
  readonly refusal: PassedOver;
  readonly since: Date | null;
  readonly reason: string | null;
  readonly outageId: string | null;
}

/** Those of these accounts that are passed over. */
export const findAccountStandings = async (
  { read: sql }: Database,
  ids: readonly string[],
  now: Date,
): Promise<Standing[]> =>
  await sql<Standing[]>`
    select a.id, account_health_refusal(a, ${now}::timestamptz) as refusal,
      coalesce(o.begins_at, a.silent_since) as since, o.reason, o.id as outage_id
    from bank_accounts a left join lateral (
      select * from outages o where o.bank_code = a.bank_code and is_out(o, ${now}::timestamptz)
      order by o.begins_at limit 1) o on true
    where a.id = any(${ids as string[]}) and account_health_refusal(a, ${now}::timestamptz) is not null`;

/** Those of these channels that are passed over; also disabled ones. */
export const findChannelStandings = async (
  { read: sql }: Database,
  ids: readonly string[],
  now: Date,
): Promise<Standing[]> =>
  await sql<Standing[]>`
    select c.id, case when o.id is not null then 'OUTAGE' when c.health = 'DOWN' then 'DOWN' else 'UNHEALTHY' end
        as refusal,
      case when o.id is not null then o.begins_at
        when c.health = 'DOWN' then (
          select max(h.at) from health_changes h where h.channel_id = c.id and h.cause = 'PROBE' and h.state = 'DOWN')
        else c.breaker_since end as since,
      case when o.id is not null then o.reason when c.health = 'DOWN' then c.health_reason else c.breaker_reason end
        as reason, o.id as outage_id
    from channels c left join lateral (
      select * from outages o where o.channel_id = c.id and is_out(o, ${now}::timestamptz)
      order by o.begins_at limit 1) o on true
    where c.id = any(${ids as string[]})
      and (o.id is not null or c.health = 'DOWN' or c.breaker_state <> 'HEALTHY')`;

/** Orders of one kind and currency that wait at a channel. */
export interface WaitingOrders {
  readonly channelId: string;
  readonly kind: WaitingKind;
  readonly currencyCode: string;
  readonly count: number;
  readonly amount: Money;
  readonly oldestAt: Date;
}

/**
 * Orders that wait at several channels: neither accepted nor refused. UNSENT: never sent. SENT: sent, but it is not
 * known whether the channel has them.
 */
export async function findWaiting({ read: sql }: Database, channelIds: readonly string[]): Promise<WaitingOrders[]> {
  const rows = await sql<(Omit<WaitingOrders, 'amount'> & { amount: string })[]>`
    select channel_id, kind, currency_code, count(*)::int as count, sum(amount)::text as amount,
      min(created_at) as oldest_at
    from (
      select a.channel_id, case a.status when 'PREPARED' then 'PAYOUT_UNSENT' else 'PAYOUT_SENT' end as kind,
        w.currency_code, w.amount, a.created_at
      from payout_attempts a join withdrawal_orders w on w.id = a.withdrawal_id
      where a.channel_id = any(${channelIds as string[]}) and a.status in ('PREPARED', 'SENT', 'UNKNOWN')
      union all
      select a.channel_id, case a.status when 'PREPARED' then 'DEPOSIT_UNSENT' else 'DEPOSIT_SENT' end,
        d.currency_code, d.amount, a.created_at
      from deposit_attempts a join deposit_orders d on d.id = a.deposit_id
      where a.channel_id = any(${channelIds as string[]}) and a.status in ('PREPARED', 'SENT')
        and d.status = 'PENDING' and d.account_id is null
    ) waiting
    group by 1, 2, 3 order by 1, 2, 3`;
  return rows.map((row) => ({ ...row, amount: money(row.amount) }));
}

/** Takes back orders that were never sent to a channel. @returns null if the channel gets orders as usual */
export async function moveWaiting(
  sql: Transaction,
  channelId: string,
  move: { readonly actor: string; readonly reason: string; readonly limit: number },
  now: Date,
): Promise<{ readonly payouts: number; readonly deposits: number } | null> {
  const [row] = await sql<{ payouts: number | null; deposits: number | null }[]>`
    select payouts, deposits
    from move_waiting(${channelId}, ${move.actor}, ${move.reason}, ${move.limit}, ${now})`;
  return row && row.payouts !== null && row.deposits !== null ? { payouts: row.payouts, deposits: row.deposits } : null;
}
