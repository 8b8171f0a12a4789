-- Limits on what is received: by a managed account, and by a channel in each of its deposit currencies. Both share
-- these functions: either p_account or p_channel is null; an account has one currency.

-- What was counted on each day.
create or replace function limit_days(p_account uuid, p_channel uuid, p_currency char(3))
returns table (day date, amount numeric, deposits integer, received numeric, credits integer)
language sql stable
as $$
  select d.day, d.amount, d.deposits, d.received, d.credits from account_days d where d.account_id = p_account
  union all
  select d.day, d.amount, d.deposits, d.received, d.credits from channel_days d
  where d.channel_id = p_channel and d.currency_code = p_currency
$$;

-- The shares of deposits that may still be paid.
create or replace function open_shares(p_account uuid, p_channel uuid, p_currency char(3))
returns table (day date, amount numeric)
language sql stable
as $$
  select p.quota_day, p.amount from deposit_orders p
  where p.account_id = p_account and p.status = 'PENDING' and p.quota_day is not null
  union all
  select p.quota_day, p.amount from deposit_orders p
  where p.channel_id = p_channel and p.account_id is null and p.quota_day is not null and p.currency_code = p_currency
$$;

-- What counts on the day of a time and in its month, in a zone: what was received, and the shares of deposits. An open
-- deposit of an earlier day may be paid now, so its share counts, too.
create or replace function limit_use(
  p_account uuid, p_channel uuid, p_currency char(3), p_zone text, p_at timestamptz, out day date,
  out day_amount numeric, out day_count integer, out month_amount numeric, out month_count integer
)
language sql stable
as $$
  select t.day, k.day_amount + o.day_amount, (k.day_count + o.day_count)::integer,
    k.month_amount + o.month_amount, (k.month_count + o.month_count)::integer
  from (select local_day(p_at, p_zone) as day) t
  cross join lateral (
    select coalesce(sum(d.amount + d.received) filter (where d.day = t.day), 0) as day_amount,
      coalesce(sum(d.deposits + d.credits) filter (where d.day = t.day), 0) as day_count,
      coalesce(sum(d.amount + d.received), 0) as month_amount,
      coalesce(sum(d.deposits + d.credits), 0) as month_count
    from limit_days(p_account, p_channel, p_currency) d
    where d.day >= month_start(t.day) and d.day < month_start(month_start(t.day) + 31)) k
  cross join lateral (
    select coalesce(sum(p.amount), 0) as day_amount, count(*) as day_count,
      coalesce(sum(p.amount) filter (where month_start(p.day) <> month_start(t.day)), 0) as month_amount,
      count(*) filter (where month_start(p.day) <> month_start(t.day)) as month_count
    from open_shares(p_account, p_channel, p_currency) p
    where p.day <> t.day
      -- Most days have none, and then no deposit is read.
      and exists (select from limit_days(p_account, p_channel, p_currency) d where d.deposits > 0 and d.day <> t.day)) o
$$;

-- Which limit of a day or a month one more deposit of this amount would exceed; null if none. dayRefusal of
-- domain/received-limits.ts does the same with figures that were read before.
create or replace function passed_limit(
  p_max_daily_amount numeric, p_max_daily_count integer, p_max_monthly_amount numeric, p_max_monthly_count integer,
  p_day_amount numeric, p_day_count integer, p_month_amount numeric, p_month_count integer, p_amount numeric
) returns text
language sql immutable
as $$
  select case
    when p_day_amount + p_amount > p_max_daily_amount then 'DAILY_LIMIT'
    when p_day_count + 1 > p_max_daily_count then 'DAILY_COUNT'
    when p_month_amount + p_amount > p_max_monthly_amount then 'MONTHLY_LIMIT'
    when p_month_count + 1 > p_max_monthly_count then 'MONTHLY_COUNT'
  end
$$;

-- Counts the share of a deposit to its quota_day, at the account or, without one, at the channel that takes it.
create or replace function count_share(p deposit_orders) returns void
language sql
as $$
  insert into account_days as d (account_id, day, amount, deposits)
  select p.account_id, p.quota_day, p.amount, 1 where p.account_id is not null
  on conflict (account_id, day) do update
  set amount = d.amount + excluded.amount, deposits = d.deposits + 1;
  insert into channel_days as d (channel_id, currency_code, day, amount, deposits)
  select p.channel_id, p.currency_code, p.quota_day, p.amount, 1 where p.account_id is null
  on conflict (channel_id, currency_code, day) do update
  set amount = d.amount + excluded.amount, deposits = d.deposits + 1
$$;

-- Subtracts the counted share of a deposit from its quota_day.
create or replace function uncount_share(p deposit_orders) returns void
language sql
as $$
  update account_days set amount = amount - p.amount, deposits = deposits - 1
  where account_id = p.account_id and day = p.quota_day;
  update channel_days set amount = amount - p.amount, deposits = deposits - 1
  where p.account_id is null and channel_id = p.channel_id and currency_code = p.currency_code and day = p.quota_day
$$;

-- A deposit that ends without money releases its share.
create or replace function release_quota() returns trigger
language plpgsql
as $$
begin
  perform uncount_share(old);
  new.quota_day := null;
  return new;
end $$;

create or replace trigger deposit_orders_release_quota
before update of status on deposit_orders
for each row
when (old.quota_day is not null and old.status in ('PENDING', 'MATCHED')
  and new.status in ('EXPIRED', 'CANCELLED', 'FAILED'))
execute function release_quota();
