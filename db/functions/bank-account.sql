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

-- The amount that identifies this deposit on its account: the exact one if it is free, else the nearest free one, up
-- before down. Null where none is free. Call it under the account's lock.
create or replace function free_amount(p_account bank_accounts, p_requested numeric, p_fee numeric, p_now timestamptz)
returns numeric
language sql
as $$
  select candidate.amount
  from generate_series(
      -floor(p_account.float_down / p_account.float_step)::int,
      floor(p_account.float_up / p_account.float_step)::int) as step(n),
    lateral (select p_requested + step.n * p_account.float_step as amount) candidate
  where candidate.amount > p_fee
    and not exists (
      select from reserved_amounts r join deposit_orders d on d.id = r.deposit_id
      where r.account_id = p_account.id and r.currency_code = p_account.currency_code
        and r.amount = candidate.amount
        and (r.free_at > p_now or d.status in ('PENDING', 'MATCHED')))
  order by abs(step.n), step.n desc
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
