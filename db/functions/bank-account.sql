-- Whether an account has limits on what it receives or holds.
create or replace function counts_received(p_account bank_accounts) returns boolean
language sql immutable
as $$
  select num_nonnulls(p_account.max_daily_amount, p_account.max_monthly_amount, p_account.max_daily_count,
    p_account.max_monthly_count, p_account.max_balance) > 0
$$;

-- Whether an account accepts one deposit at a time: it assigns amounts, or shares of its limits.
create or replace function hands_out(p_account bank_accounts) returns boolean
language sql immutable
as $$ select p_account.mode = 'FLOAT' or counts_received(p_account) $$;

-- The balance of a bank's or a channel's account by our books, with the bank's sign: what we have is positive. Closed
-- days count by the figure of the last one.
create or replace function book_balance(p_account text, p_currency char(3)) returns numeric
language sql stable
as $$
  with closed as (
    select c.day, c.closing from day_closes c
    where c.account = p_account and c.currency_code = p_currency and c.status = 'CLOSED'
    order by c.day desc limit 1
  ), entries as (
    select e.amount from ledger_entries e
    where e.account = p_account and e.currency_code = p_currency and e.value_day > (select day from closed)
    union all
    select e.amount from ledger_entries e
    where e.account = p_account and e.currency_code = p_currency and not exists (select from closed)
  )
  select coalesce((select closing from closed), 0) - coalesce(sum(amount), 0) from entries
$$;

-- What counts against the balance that an account may hold: its balance by our books, and its open deposits. Those
-- include deposits that a channel reports as paid, until the bank reports the credit.
create or replace function account_held(p_account bank_accounts) returns numeric
language sql stable
as $$
  select book_balance('bank:' || p_account.id, p_account.currency_code)
    + coalesce((select sum(d.amount) from deposit_orders d
      where d.account_id = p_account.id and d.status = 'PENDING'), 0)
    + coalesce((select sum(d.amount) from deposit_orders d
      where d.account_id = p_account.id and d.status = 'MATCHED' and d.quota_day is not null), 0)
$$;

-- What counts against an account's limits at a time (limit_use). The balance counts only if it is limited.
create or replace function account_use(
  p_account bank_accounts, p_at timestamptz, out day date, out day_amount numeric, out day_count integer,
  out month_amount numeric, out month_count integer, out held numeric
)
language sql stable
as $$
  select u.*, case when p_account.max_balance is null then 0 else account_held(p_account) end
  from limit_use(p_account.id, null, p_account.currency_code, p_account.time_zone, p_at) u
$$;

-- Which limit one more deposit of this amount would exceed; null if none.
create or replace function limit_refusal(p_account bank_accounts, p_amount numeric, p_at timestamptz) returns text
language sql stable
as $$
  select coalesce(
    passed_limit(p_account.max_daily_amount, p_account.max_daily_count, p_account.max_monthly_amount,
      p_account.max_monthly_count, u.day_amount, u.day_count, u.month_amount, u.month_count, p_amount),
    case when u.held + p_amount > p_account.max_balance then 'BALANCE_LIMIT' end)
  from account_use(p_account, p_at) u
$$;

-- Why the account does not accept the deposit now; null if it does. p_uses: whether its merchant's orders use it
-- (uses_account).
create or replace function account_refusal(p_account bank_accounts, p deposit_orders, p_uses boolean) returns text
language sql stable
as $$
  select case
    when not p_uses
      and not (p.routing_rule is not null and rule_names_account(p.routing_rules_id, p.routing_rule, p_account.id))
      then 'NOT_IN_POOL'
    when p_account.status is distinct from 'ACTIVE' or p_account.currency_code <> p.currency_code
      or (p_account.mode = 'REMARK') <> (p.expected_remark is not null) then 'ACCOUNT_CHANGED'
    when p.requested_amount < p_account.min_amount then 'BELOW_MINIMUM'
    when p.requested_amount > p_account.max_amount then 'ABOVE_MAXIMUM'
  end
$$;

create or replace function account_refusal(p_account bank_accounts, p deposit_orders) returns text
language sql stable
as $$ select account_refusal(p_account, p, uses_account(p.merchant_id, p.currency_code, p_account.id)) $$;

-- Whether two orders have the same payer, as far as merchants identify payers.
create or replace function same_payer(a deposit_orders, b deposit_orders) returns boolean
language sql immutable
as $$ select a.merchant_id = b.merchant_id and a.user_id is not null and a.user_id is not distinct from b.user_id $$;

-- Whether another payer's order had this amount on the account within the history days, so that its money may still
-- arrive.
create or replace function is_contested(
  p_account bank_accounts, p deposit_orders, p_amount numeric, p_history_days integer
) returns boolean
language sql stable
as $$
  select exists (
    select from reserved_amounts r join deposit_orders d on d.id = r.deposit_id
    where r.account_id = p_account.id and r.currency_code = p_account.currency_code and r.amount = p_amount
      and coalesce(r.used_at, d.created_at) > p.created_at - make_interval(days => p_history_days)
      and (r.contested or not same_payer(d, p)))
$$;

-- The amount that identifies this deposit on its account; null if none is free. Without history days: the requested
-- amount if it is free, else the nearest free one, higher before lower. With history days: an amount that no other
-- payer's order had within these days, if there is one. Of those: the requested amount unless it was used within these
-- days, else the least recently used one. Call it under the account's lock.
create or replace function free_amount(p_account bank_accounts, p deposit_orders, p_history_days integer)
returns numeric
language sql
as $$
  select candidate.amount
  from generate_series(
      -floor(p_account.float_down / p_account.float_step)::int,
      floor(p_account.float_up / p_account.float_step)::int) as step(n),
    lateral (select p.requested_amount + step.n * p_account.float_step as amount) candidate
  left join lateral (
    select r.*, d as deposit from reserved_amounts r join deposit_orders d on d.id = r.deposit_id
    where r.account_id = p_account.id and r.currency_code = p_account.currency_code
      and r.amount = candidate.amount) r on true
  cross join lateral (
    select coalesce(p_history_days > 0 and coalesce(r.used_at, (r.deposit).created_at)
      > p.created_at - make_interval(days => p_history_days), false) as recent) h
  where candidate.amount > p.fee
    and (r.deposit_id is null or r.free_at <= p.created_at and (r.deposit).status not in ('PENDING', 'MATCHED'))
  order by h.recent and (r.contested or not same_payer(r.deposit, p)),
    step.n <> 0 or h.recent,
    case when p_history_days > 0 then coalesce(r.used_at, (r.deposit).created_at) end nulls first,
    abs(step.n), step.n desc
  limit 1
$$;

-- Deposits that bank credits pay release their shares, unless one of these credits is not counted on their account: the
-- received amount counts instead of the requested one, never both. The caller holds the locks of the deposits.
create or replace function release_paid_shares(p_deposits uuid[]) returns void
language plpgsql
as $$
declare
  v deposit_orders;
begin
  for v in
    select * from deposit_orders d
    where d.id = any(p_deposits) and d.quota_day is not null and not exists (
      select from transfer_allocations a join bank_transfers b on b.id = a.transfer_id
      where a.deposit_id = d.id and a.released_at is null and b.account_id = d.account_id and b.counted_day is null)
    order by d.account_id, d.quota_day
  loop
    update deposit_orders set quota_day = null where id = v.id;
    perform uncount_share(v);
  end loop;
end $$;

-- Counts a bank credit as received on its counted_day.
create or replace function count_credit(p_account uuid, p_day date, p_amount numeric) returns void
language sql
as $$
  insert into account_days as d (account_id, day, amount, deposits, received, credits)
  values (p_account, p_day, 0, 0, p_amount, 1)
  on conflict (account_id, day) do update
  set received = d.received + excluded.received, credits = d.credits + 1
$$;

-- Recounts an account's open deposits and the bank credits of this month after a change of its limits or zone: what
-- came before limits were set counts from then on. Call it under the account's lock.
create or replace function recount_account(p_account uuid, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v bank_accounts;
  v_month date;
  -- In another zone, credits of the month may count to days of the month before or after it.
  v_from date;
begin
  select * into v from bank_accounts where id = p_account;
  if not counts_received(v) then
    return;
  end if;
  v_month := month_start(local_day(p_now, v.time_zone));
  v_from := v_month - 3;
  perform from deposit_orders where account_id = v.id and status in ('PENDING', 'MATCHED') for no key update;
  update deposit_orders set quota_day = local_day(created_at, v.time_zone)
  where account_id = v.id and status = 'PENDING' and quota_day is null;
  update bank_transfers set counted_day = local_day(bank_time, v.time_zone)
  where account_id = v.id and bank_time >= day_start(v_month, v.time_zone) - interval '2 days'
    and counted_day is distinct from local_day(bank_time, v.time_zone);
  update deposit_orders d set quota_day = null
  where d.account_id = v.id and d.quota_day >= v_from and d.status in ('MATCHED', 'COMPLETED')
    and exists (select from transfer_allocations a where a.deposit_id = d.id and a.released_at is null)
    and not exists (
      select from transfer_allocations a join bank_transfers b on b.id = a.transfer_id
      where a.deposit_id = d.id and a.released_at is null and b.account_id = d.account_id and b.counted_day is null);

  insert into account_days as k (account_id, day, amount, deposits, received, credits)
  select v.id, day, sum(amount), sum(deposits), sum(received), sum(credits)
  from (
    select quota_day as day, amount, 1 as deposits, 0 as received, 0 as credits from deposit_orders
    where account_id = v.id and quota_day >= v_from
    union all
    select counted_day, 0, 0, amount, 1 from bank_transfers
    where account_id = v.id and counted_day >= v_from and bank_time >= day_start(v_from - 3, v.time_zone)
    union all
    select k.day, 0, 0, 0, 0 from account_days k where k.account_id = v.id and k.day >= v_from
  ) rows
  group by day
  on conflict (account_id, day) do update
  set amount = excluded.amount, deposits = excluded.deposits, received = excluded.received, credits = excluded.credits;
end $$;
