-- Limits on what a channel receives, in each of its currencies; limit.sql has the rules.

-- Whether a channel has limits on what it receives.
create or replace function counts_received(p_channel channels) returns boolean
language sql immutable
as $$
  select num_nonnulls(p_channel.deposit_max_daily_amount, p_channel.deposit_max_monthly_amount,
    p_channel.deposit_max_daily_count, p_channel.deposit_max_monthly_count) > 0
$$;

-- What counts against a channel's limits in a currency at a time (limit_use); no row if it has none. p_order: the order
-- that needs a channel, whose own share does not count.
create or replace function channel_use(
  p_channel channels, p_currency char(3), p_at timestamptz, p_order uuid, out day_amount numeric, out day_count integer,
  out month_amount numeric, out month_count integer
)
language plpgsql stable
as $$
declare
  v_share numeric;
begin
  day_amount := 0;
  day_count := 0;
  month_amount := 0;
  month_count := 0;
  if not counts_received(p_channel) then
    return;
  end if;
  select u.day_amount, u.day_count, u.month_amount, u.month_count
  into day_amount, day_count, month_amount, month_count
  from limit_use(null, p_channel.id, p_currency, p_channel.time_zone, p_at) u;
  select d.amount into v_share from deposit_orders d
  where d.id = p_order and d.channel_id = p_channel.id and d.account_id is null and d.quota_day is not null;
  if found then
    day_amount := day_amount - v_share;
    day_count := day_count - 1;
    month_amount := month_amount - v_share;
    month_count := month_count - 1;
  end if;
end $$;

-- The day to which a deposit of this amount counts at a channel, or the limit that it would exceed. Both null: the
-- channel has no limits. Locks the channel's row if it has limits.
create or replace function reserve_at_channel(
  p_channel uuid, p_currency char(3), p_amount numeric, p_at timestamptz, out outcome text, out quota_day date
)
language plpgsql
as $$
declare
  v channels;
begin
  select * into v from channels c where c.id = p_channel and counts_received(c) for no key update;
  if not found then
    return;
  end if;
  select passed_limit(v.deposit_max_daily_amount, v.deposit_max_daily_count, v.deposit_max_monthly_amount,
    v.deposit_max_monthly_count, u.day_amount, u.day_count, u.month_amount, u.month_count, p_amount)
  into outcome
  from channel_use(v, p_currency, p_at, null) u;
  if outcome is null then
    quota_day := local_day(p_at, v.time_zone);
  end if;
end $$;

-- Counts, once, what a channel has received for a deposit, if the channel has limits. The caller holds the lock of the
-- deposit.
create or replace function count_receipt(p_attempt uuid, p_amount numeric, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v channels;
  v_currency char(3);
  v_day date;
begin
  select c.* into v from channels c join deposit_attempts a on a.channel_id = c.id
  where a.id = p_attempt and a.counted_day is null and counts_received(c);
  select d.currency_code into v_currency from deposit_orders d join deposit_attempts a on a.deposit_id = d.id
  where a.id = p_attempt and d.account_id is null;
  if v.id is null or v_currency is null then
    return;
  end if;
  v_day := local_day(p_now, v.time_zone);
  update deposit_attempts set counted_day = v_day where id = p_attempt;
  insert into channel_days as d (channel_id, currency_code, day, amount, deposits, received, credits)
  values (v.id, v_currency, v_day, 0, 0, p_amount, 1)
  on conflict (channel_id, currency_code, day) do update
  set received = d.received + excluded.received, credits = d.credits + 1;
end $$;

-- What a channel received for deposits that count to a day or a later one: reported as paid, or received late.
create or replace function channel_receipts(p_channel uuid, p_from date) returns table (
  deposit_id uuid, currency_code char(3), amount numeric, at timestamptz, counted_day date
)
language sql stable
as $$
  select d.id, d.currency_code, coalesce(a.received, l.amount), coalesce(l.at, d.completed_at, d.matched_at), a.counted_day
  from deposit_attempts a
  join deposit_orders d on d.id = a.deposit_id
  left join late_receipts l on l.attempt_id = a.id
  where a.channel_id = p_channel and a.counted_day >= p_from
$$;

-- Recounts a channel's open deposits and what it received this month after a change of its limits or zone: what came
-- before limits were set counts from then on. Call it under the channel's lock.
create or replace function recount_channel(p_channel uuid, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v channels;
  v_month date;
  -- In another zone, what came in the month may count to days of the month before or after it.
  v_from date;
begin
  select * into v from channels where id = p_channel;
  if not counts_received(v) then
    return;
  end if;
  v_month := month_start(local_day(p_now, v.time_zone));
  v_from := v_month - 3;
  perform from deposit_orders
  where channel_id = v.id and account_id is null and status in ('PENDING', 'MATCHED') order by id for no key update;
  update deposit_orders d set quota_day = local_day(d.created_at, v.time_zone)
  where d.channel_id = v.id and d.account_id is null and d.status in ('PENDING', 'MATCHED') and d.quota_day is null
    and not exists (select from deposit_attempts a where a.deposit_id = d.id and a.status = 'PAID');
  -- A deposit that was created so long before the month is no longer paid.
  update deposit_attempts t set counted_day = local_day(r.at, v.time_zone)
  from (
    select a.id, coalesce(l.at, d.completed_at, d.matched_at) as at
    from deposit_attempts a
    join deposit_orders d on d.id = a.deposit_id and d.account_id is null
    left join late_receipts l on l.attempt_id = a.id
    where a.channel_id = v.id and a.sent_at >= day_start(v_month, v.time_zone) - interval '32 days'
      and coalesce(a.received, l.amount) is not null) r
  where t.id = r.id and r.at >= day_start(v_month, v.time_zone) - interval '2 days'
    and t.counted_day is distinct from local_day(r.at, v.time_zone);

  insert into channel_days as k (channel_id, currency_code, day, amount, deposits, received, credits)
  select v.id, currency_code, day, sum(amount), sum(deposits), sum(received), sum(credits)
  from (
    select currency_code, quota_day as day, amount, 1 as deposits, 0 as received, 0 as credits from deposit_orders
    where channel_id = v.id and account_id is null and quota_day >= v_from
    union all
    select r.currency_code, r.counted_day, 0, 0, r.amount, 1 from channel_receipts(v.id, v_from) r
    union all
    select k.currency_code, k.day, 0, 0, 0, 0 from channel_days k where k.channel_id = v.id and k.day >= v_from
  ) rows
  group by currency_code, day
  on conflict (channel_id, currency_code, day) do update
  set amount = excluded.amount, deposits = excluded.deposits, received = excluded.received, credits = excluded.credits;
end $$;
