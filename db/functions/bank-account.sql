-- Whether an account accepts one deposit at a time: it assigns amounts or shares of a daily quota.
create or replace function hands_out(p_account bank_accounts) returns boolean
language sql immutable
as $$ select p_account.mode = 'FLOAT' or p_account.max_daily_amount is not null $$;

-- Why the account does not accept the deposit now; null if it does.
create or replace function account_refusal(p_account bank_accounts, p deposit_orders) returns text
language sql stable
as $$
  select case
    when not uses_account(p.merchant_id, p.currency_code, p_account.id) then 'NOT_IN_POOL'
    when p_account.status is distinct from 'ACTIVE' or p_account.currency_code <> p.currency_code
      or (p_account.mode = 'REMARK') <> (p.expected_remark is not null) then 'ACCOUNT_CHANGED'
    when p.requested_amount < p_account.min_amount then 'BELOW_MINIMUM'
    when p.requested_amount > p_account.max_amount then 'ABOVE_MAXIMUM'
  end
$$;

drop function if exists free_amount(bank_accounts, numeric, numeric, timestamptz);

-- Whether two orders are of one payer, as far as merchants tell.
create or replace function same_payer(a deposit_orders, b deposit_orders) returns boolean
language sql immutable
as $$ select a.merchant_id = b.merchant_id and a.user_id is not null and a.user_id is not distinct from b.user_id $$;

-- Whether another payer's order had this amount on the account within the days of history, and its money may still come.
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

-- The amount that identifies this deposit on its account; null where none is free. Without days of history the exact one if
-- it is free, else the nearest free one, up before down. With them: one that no other payer's order had within these days,
-- as long as there is one; of those the exact one unless it was used within them, then the one that was used longest ago.
-- Call it under the account's lock.
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

-- A deposit that ends without money releases its share of its account's daily quota.
create or replace function release_quota() returns trigger
language plpgsql
as $$
begin
  update account_days set amount = amount - old.amount, deposits = deposits - 1
  where account_id = old.account_id and day = old.quota_day;
  new.quota_day := null;
  return new;
end $$;

create or replace trigger deposit_orders_release_quota
before update of status on deposit_orders
for each row
when (old.quota_day is not null and old.status in ('PENDING', 'MATCHED')
  and new.status in ('EXPIRED', 'CANCELLED', 'FAILED'))
execute function release_quota();
