import { money, type Money } from '../../domain/money';
import type { OpenOrder, PastOrder, Receipt, ReplayedAccount, ReplayedChannel } from '../../domain/replay';
import type { HealthNote } from '../../domain/replay-standing';
import { TRUSTED_FROM } from '../../domain/routing-rules';
import type { RoutableAccountRow } from '../accounts/bank-accounts';
import type { Database } from '../client';
import type { Raw, RowOf } from '../rows';
import type { depositOrders } from '../schema/deposits';
import type { merchantCurrencies } from '../schema/merchants';
import type { DepositChannelRow } from '../deposits/channel-deposits';

/** The time that is replayed: from its start to its end, the end excluded. */
export interface ReplayedTime {
  readonly from: Date;
  readonly to: Date;
}

/** An order of the day as stored, and the version of the rules that routed it. */
export interface StoredPastOrder extends Omit<PastOrder, 'rules' | 'walletKind'> {
  readonly rulesId: string | null;
}

/** Where a page of orders ended. */
export interface ReplayCursor {
  readonly at: Date;
  readonly id: string;
}

/** What refused an order, by its stored routing decision. */
export interface RawRefusal {
  readonly account?: string;
  readonly channel?: string;
  readonly reason: string;
}
type Order = Raw<RowOf<typeof depositOrders>>;
type Standing = RowOf<typeof merchantCurrencies>;
interface RawOrder
  extends
    Pick<Order, 'id' | 'merchantId' | 'requestedAmount' | 'amount' | 'createdAt' | 'userId'>,
    Pick<Order, 'accountId' | 'channelId' | 'completedAt' | 'routingRulesId'>,
    Pick<Standing, 'poolId' | 'walletChannelId'> {
  readonly releasedAt: Date | null;
  /** The same, except money that is still under way. */
  readonly endedAt: Date | null;
  readonly routing: { readonly channel?: string; readonly refused?: readonly RawRefusal[] } | null;
  readonly receipts: readonly { at: string; bankTime: string; amount: string }[] | null;
}

/** When an order's share of its account's limits ends. */
const RELEASES = ['matched', 'expired', 'cancelled', 'failed'];

/** Why each candidate refused an order, by id. */
export const refusedOf = (refused: readonly RawRefusal[]): ReadonlyMap<string, string> =>
  new Map(refused.map(({ account, channel, reason }) => [account ?? channel ?? '', reason]));

const receiptsOf = (rows: RawOrder['receipts']): Receipt[] =>
  (rows ?? []).map(({ at, bankTime, amount }) => ({
    at: new Date(at),
    bankTime: new Date(bankTime),
    amount: money(amount),
  }));

/** When an order's share ends: at a channel, when it has received the money, not when the payment is under way. */
function releaseOf({
  accountId,
  releasedAt,
  endedAt,
  receipts,
}: Pick<RawOrder, 'accountId' | 'releasedAt' | 'endedAt' | 'receipts'>): Date | null {
  if (accountId !== null) return releasedAt;
  const moments = [...receiptsOf(receipts).map(({ at }) => at), ...(endedAt ? [endedAt] : [])];
  return moments.sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

function orderOf(raw: RawOrder): StoredPastOrder {
  const share = money(raw.amount);
  const receipts = receiptsOf(raw.receipts);
  // The share of what a channel reported as paid stays on the day when the order was created.
  const kept = raw.accountId !== null && raw.completedAt !== null && receipts.length === 0;
  return {
    id: raw.id,
    merchantId: raw.merchantId,
    amount: money(raw.requestedAmount),
    at: raw.createdAt,
    poolId: raw.poolId,
    walletChannelId: raw.walletChannelId,
    payer: raw.userId,
    went: raw.accountId ?? raw.routing?.channel ?? raw.channelId,
    refused: refusedOf(raw.routing?.refused ?? []),
    rulesId: raw.routingRulesId,
    share,
    releasedAt: releaseOf(raw),
    completedAt: raw.completedAt,
    receipts: kept && raw.releasedAt ? [{ at: raw.releasedAt, bankTime: raw.createdAt, amount: share }] : receipts,
  };
}

/** What the channel of a deposit `d` has received for it. */
const channelReceipts = (sql: Database['read']) => sql`
  select jsonb_agg(jsonb_build_object('at', x.at, 'bankTime', x.at, 'amount', x.amount::text)) as receipts
  from (
    select coalesce(l.at, d.completed_at, d.matched_at) as at, coalesce(a.received, l.amount) as amount
    from deposit_attempts a left join late_receipts l on l.attempt_id = a.id
    where a.deposit_id = d.id and a.channel_id = d.channel_id) x
  where x.amount is not null`;

/** How many deposits of a currency were created in a time. */
export async function countPastDeposits(
  { read: sql }: Database,
  currencyCode: string,
  { from, to }: ReplayedTime,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from deposit_orders
    where currency_code = ${currencyCode}::char(3) and created_at >= ${from} and created_at < ${to}`;
  return row?.count ?? 0;
}

/** The next deposits of a currency by time. @param after where the page before ended; null: the first page */
export async function findPastDeposits(
  { read: sql }: Database,
  currencyCode: string,
  { from, to }: ReplayedTime,
  after: ReplayCursor | null,
  limit: number,
): Promise<StoredPastOrder[]> {
  const rows = await sql<RawOrder[]>`
    select d.id, d.merchant_id, d.requested_amount::text, d.amount::text, d.created_at, d.user_id, d.account_id,
      d.channel_id, case when d.status = 'COMPLETED' then d.completed_at end as completed_at, d.routing_rules_id,
      c.pool_id, c.wallet_channel_id, e.released_at, e.ended_at, e.routing, coalesce(r.receipts, h.receipts) as receipts
    from deposit_orders d
    join merchant_currencies c on c.merchant_id = d.merchant_id and c.currency_code = d.currency_code
    cross join lateral (
      select min(v.at) filter (where v.type = any(${RELEASES})) as released_at,
        min(v.at) filter (where v.type = any(${RELEASES}) and v.type <> 'matched') as ended_at,
        (jsonb_agg(v.detail -> 'routing') filter (where v.type = 'created')) -> 0 as routing
      from order_events v where v.order_id = d.id) e
    left join lateral (
      select jsonb_agg(jsonb_build_object('at', t.received_at, 'bankTime', t.bank_time,
        'amount', coalesce(x.amount, t.amount)::text)) as receipts
      from transfer_allocations x join bank_transfers t on t.id = x.transfer_id
      where x.deposit_id = d.id and x.released_at is null and t.account_id = d.account_id) r on d.account_id is not null
    left join lateral (${channelReceipts(sql)}) h on d.account_id is null
    where d.currency_code = ${currencyCode}::char(3) and d.created_at >= ${after?.at ?? from} and d.created_at < ${to}
      and (${after === null} or (d.created_at, d.id) > (${after?.at ?? from}, ${after?.id ?? null}::uuid))
    order by d.created_at, d.id limit ${limit}`;
  return rows.map(orderOf);
}

/** The deposits of a currency that were open when the time began. */
export async function findOpenBefore(
  { read: sql }: Database,
  currencyCode: string,
  { from }: ReplayedTime,
): Promise<OpenOrder[]> {
  const rows = await sql<
    Omit<
      RawOrder,
      'id' | 'requestedAmount' | 'createdAt' | 'routingRulesId' | 'poolId' | 'walletChannelId' | 'routing'
    >[]
  >`
    select d.merchant_id, d.user_id, d.account_id, d.channel_id, d.amount::text, e.released_at, e.ended_at, h.receipts,
      case when d.status = 'COMPLETED' then d.completed_at end as completed_at
    from deposit_orders d
    cross join lateral (
      select min(v.at) filter (where v.type = any(${RELEASES})) as released_at,
        min(v.at) filter (where v.type = any(${RELEASES}) and v.type <> 'matched') as ended_at
      from order_events v where v.order_id = d.id) e
    left join lateral (${channelReceipts(sql)}) h on d.account_id is null
    where d.currency_code = ${currencyCode}::char(3)
      and d.created_at < ${from} and d.created_at >= ${new Date(from.getTime() - 2 * 86_400_000)}
      and (d.expire_at >= ${from} and (e.released_at is null or e.released_at >= ${from})
        or d.account_id is null and (e.ended_at is null or e.ended_at >= ${from}))`;
  return rows.flatMap((row) => {
    const { merchantId, userId, accountId, channelId, amount, completedAt } = row;
    const went = accountId ?? channelId;
    const releasedAt = releaseOf(row);
    if (went === null || (releasedAt !== null && releasedAt < from)) return [];
    return [
      {
        merchantId,
        payer: userId,
        went,
        share: money(amount),
        releasedAt,
        completedAt,
        // They are among the credits that paid no order of the day.
        receipts: [],
      },
    ];
  });
}

/** What accounts and channels with limits received in the time range, except payments of orders of the range. */
export async function findOtherReceipts(
  { read: sql }: Database,
  currencyCode: string,
  { from, to }: ReplayedTime,
): Promise<{ takerId: string; at: Date; bankTime: Date; amount: Money }[]> {
  const rows = await sql<{ takerId: string; at: Date; bankTime: Date; amount: string }[]>`
    select t.account_id as taker_id, t.received_at as at, t.bank_time, t.amount::text
    from bank_transfers t join bank_accounts a on a.id = t.account_id
    where t.received_at >= ${from} and t.received_at < ${to} and t.direction = 'CREDIT'
      and a.currency_code = ${currencyCode}::char(3) and counts_received(a) and not exists (
        select from transfer_allocations x join deposit_orders d on d.id = x.deposit_id
        where x.transfer_id = t.id and x.released_at is null and d.created_at >= ${from} and d.created_at < ${to}
          and d.account_id = t.account_id)
    union all
    select c.id, r.at, r.at, r.amount::text
    from channels c
    cross join lateral channel_receipts(c.id, local_day(${from}, c.time_zone) - 1) r
    join deposit_orders d on d.id = r.deposit_id
    where counts_received(c) and r.currency_code = ${currencyCode}::char(3) and r.at >= ${from} and r.at < ${to}
      and not (d.channel_id = c.id and d.created_at >= ${from} and d.created_at < ${to})`;
  return rows.map(({ amount, ...row }) => ({ ...row, amount: money(amount) }));
}

/** What accounts and channels with limits had received before, of the month, by day of their zones. */
export async function findReceivedBefore(
  { read: sql }: Database,
  currencyCode: string,
  { from }: ReplayedTime,
): Promise<Map<string, ReplayedAccount['received'][number][]>> {
  const rows = await sql<{ takerId: string; day: string; amount: string; count: number }[]>`
    select a.id as taker_id, k.day::text, sum(k.amount)::text as amount, sum(k.count)::int as count
    from bank_accounts a
    cross join lateral (select local_day(${from}, a.time_zone) as day) t
    cross join lateral (
      select d.day, d.received as amount, d.credits as count from account_days d
      where d.account_id = a.id and d.day >= month_start(t.day) and d.day < t.day
      union all
      select local_day(b.bank_time, a.time_zone), b.amount, 1 from bank_transfers b
      where b.account_id = a.id and b.direction = 'CREDIT' and b.received_at < ${from}
        and b.bank_time >= day_start(t.day, a.time_zone)) k
    where a.currency_code = ${currencyCode}::char(3) and counts_received(a)
    group by a.id, k.day
    union all
    select c.id, k.day::text, sum(k.amount)::text, sum(k.count)::int
    from channels c
    cross join lateral (select local_day(${from}, c.time_zone) as day) t
    cross join lateral (
      select d.day, d.received as amount, d.credits as count from channel_days d
      where d.channel_id = c.id and d.currency_code = ${currencyCode}::char(3)
        and d.day >= month_start(t.day) and d.day < t.day
      union all
      select r.counted_day, r.amount, 1 from channel_receipts(c.id, t.day) r
      where r.currency_code = ${currencyCode}::char(3) and r.at < ${from}) k
    where ${currencyCode} = any(c.deposit_currencies) and counts_received(c)
    group by c.id, k.day`;
  const found = new Map<string, ReplayedAccount['received'][number][]>();
  for (const { takerId, amount, ...row } of rows)
    found.set(takerId, [...(found.get(takerId) ?? []), { ...row, amount: money(amount) }]);
  return found;
}

/** Payers' completed orders before a time, by `merchant payer`, the latest first. */
export async function findPastsBefore(
  { read: sql }: Database,
  currencyCode: string,
  payers: readonly { readonly merchantId: string; readonly payer: string }[],
  at: Date,
): Promise<Map<string, string[]>> {
  const rows = await sql<{ merchantId: string; payer: string; ways: string[] }[]>`
    select k.merchant_id, k.payer, array_agg(p.way order by p.completed_at desc, p.id desc) as ways
    from unnest(${payers.map((one) => one.merchantId)}::uuid[], ${payers.map((one) => one.payer)}::text[]) k(merchant_id, payer)
    join lateral (
      select case when d.currency_code = ${currencyCode}::char(3)
          then coalesce(d.account_id, d.channel_id)::text else 'elsewhere' end as way, d.completed_at, d.id
      from deposit_orders d
      where d.user_id = k.payer and d.merchant_id = k.merchant_id and d.status = 'COMPLETED'
        and d.completed_at < ${at}
      order by d.completed_at desc, d.id desc limit ${TRUSTED_FROM}
    ) p on true
    group by k.merchant_id, k.payer`;
  return new Map(rows.map(({ merchantId, payer, ways }) => [`${merchantId} ${payer}`, ways]));
}

/** An account as a replay takes it. */
export const replayedAccount = (
  account: RoutableAccountRow,
  received: ReplayedAccount['received'] | undefined,
): RoutableAccountRow & ReplayedAccount => ({ ...account, received: received ?? [] });

/** A channel as a replay takes it. */
export const replayedChannel = (
  channel: DepositChannelRow,
  received: ReplayedAccount['received'] | undefined,
): DepositChannelRow & ReplayedChannel => ({ ...channel, received: received ?? [] });

const REFUSAL_OF: Readonly<Record<string, string>> = {
  AGENT: 'AGENT_SILENT',
  PROBE: 'DOWN',
  BREAKER: 'UNHEALTHY',
};

/**
 * The changes of health of accounts and channels in a time range, by time, and the last one of each cause before it.
 */
export async function findHealthOf(
  { read: sql }: Database,
  ids: readonly string[],
  { from, to }: ReplayedTime,
): Promise<HealthNote[]> {
  const changes = await sql<{ id: string | null; cause: string; state: string; at: Date }[]>`
    select coalesce(h.account_id, h.channel_id)::text as id, h.cause, h.state, h.at
    from health_changes h
    where (h.account_id = any(${ids as string[]}::uuid[]) or h.channel_id = any(${ids as string[]}::uuid[])) and h.at < ${to}
      and (h.at >= ${from} or not exists (
        select from health_changes n
        where n.account_id is not distinct from h.account_id and n.channel_id is not distinct from h.channel_id
          and n.cause = h.cause and n.at < ${from} and (n.at, n.position) > (h.at, h.position)))
    order by h.at, h.position`;
  const out = await sql<{ id: string | null; outage: string; from: Date; to: Date | null }[]>`
    select coalesce(o.channel_id, a.id)::text as id, o.id::text as outage,
      greatest(o.begins_at, o.entered_at) as from, least(o.ends_at, o.ended_at) as to
    from outages o left join bank_accounts a on a.bank_code = o.bank_code
    where coalesce(o.channel_id, a.id) = any(${ids as string[]}::uuid[])
      and greatest(o.begins_at, o.entered_at) < ${to}
      and (least(o.ends_at, o.ended_at) is null or least(o.ends_at, o.ended_at) > greatest(${from}::timestamptz, o.begins_at, o.entered_at))
    order by o.begins_at, o.id`;
  return [
    // An order on trial was the only one: it keeps its channel.
    ...changes.map(({ id, cause, state, at }) => ({
      id: id ?? '',
      cause,
      at,
      refusal: state === 'HEALTHY' ? null : (REFUSAL_OF[cause] ?? null),
    })),
    ...out.flatMap(({ id, outage, from: begins, to: ends }) => [
      { id: id ?? '', cause: outage, refusal: 'OUTAGE', at: begins },
      ...(ends ? [{ id: id ?? '', cause: outage, refusal: null, at: ends }] : []),
    ]),
  ];
}
