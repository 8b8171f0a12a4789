-- What the process hands over of a deposit to accept: the order but for what is decided under the account's lock.
create type deposit_request as (
  id uuid, order_no text, merchant_id uuid, merchant_order_no text, order_type text, account_id uuid,
  requested_amount numeric, fee numeric, currency_code text, expected_remark text, expire_at timestamptz,
  callback_url text, extra_data text, user_id text, payer_name text, payer_mobile text, payer_email text,
  payer_bank_code text, payer_account_no text, payer_account_last4 text, payment_snapshot jsonb, routing jsonb,
  trace_id text, created_at timestamptz
);
--> statement-breakpoint
-- The amount that tells this deposit from every other on its account: the exact one if it is free, else the nearest
-- free one, up before down. Null where there is no room. Call it under the account's lock.
create function free_amount(p_account bank_accounts, p_requested numeric, p_fee numeric, p_now timestamptz)
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
--> statement-breakpoint
-- Accepts one deposit on one account with everything that must not be lost: its number, its amount and share of the
-- day's quota, its event, its outbox row. `outcome` says ACCEPTED, or why nothing was written.
create function accept_deposit(p deposit_request, out outcome text, out amount numeric)
language plpgsql
as $$
declare
  v_account bank_accounts;
  v_deposit deposit_orders;
  v_day date;
begin
  amount := p.requested_amount;
  select * into v_account from bank_accounts where id = p.account_id;
  -- Amounts and quotas are handed out one deposit at a time; remarks need no lock.
  if v_account.mode = 'FLOAT' or v_account.max_daily_amount is not null then
    select * into v_account from bank_accounts where id = p.account_id for no key update;
  end if;
  if v_account.status is distinct from 'ACTIVE' or v_account.currency_code <> p.currency_code
    or (v_account.mode = 'REMARK') <> (p.expected_remark is not null) then
    outcome := 'ACCOUNT_CHANGED';
    return;
  end if;
  if p.requested_amount < v_account.min_amount then
    outcome := 'BELOW_MINIMUM';
    return;
  end if;
  if p.requested_amount > v_account.max_amount then
    outcome := 'ABOVE_MAXIMUM';
    return;
  end if;
  if v_account.mode = 'FLOAT' then
    amount := free_amount(v_account, p.requested_amount, p.fee, p.created_at);
    if amount is null then
      outcome := 'NO_FLOAT_SPACE';
      return;
    end if;
  end if;
  if v_account.max_daily_amount is not null then
    v_day := (p.created_at at time zone 'UTC')::date;
    if amount + coalesce((select d.amount from account_days d
        where d.account_id = v_account.id and d.day = v_day), 0) > v_account.max_daily_amount then
      outcome := 'DAILY_LIMIT';
      return;
    end if;
  end if;

  insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
  values (p.merchant_id, p.merchant_order_no, 'deposit', p.id)
  on conflict do nothing;
  if not found then
    outcome := 'NUMBER_TAKEN';
    return;
  end if;
  insert into deposit_orders
    (id, order_no, merchant_id, merchant_order_no, order_type, account_id, requested_amount, amount, fee,
     actual_amount, currency_code, expected_remark, quota_day, trace_id, status, expire_at, callback_url,
     extra_data, user_id, payer_name, payer_mobile, payer_email, payer_bank_code, payer_account_no,
     payer_account_last4, payment_snapshot, created_at, updated_at)
  values
    (p.id, p.order_no, p.merchant_id, p.merchant_order_no, p.order_type, p.account_id, p.requested_amount,
     amount, p.fee, 0, p.currency_code, p.expected_remark, v_day, p.trace_id, 'PENDING', p.expire_at,
     p.callback_url, p.extra_data, p.user_id, p.payer_name, p.payer_mobile, p.payer_email, p.payer_bank_code,
     p.payer_account_no, p.payer_account_last4,
     p.payment_snapshot || jsonb_build_object('amount', amount::numeric(20, 4)::text), p.created_at, p.created_at)
  returning * into v_deposit;
  if v_account.mode = 'FLOAT' then
    insert into reserved_amounts (account_id, currency_code, amount, deposit_id, free_at)
    values (v_account.id, v_account.currency_code, amount, p.id,
      p.expire_at + make_interval(mins => v_account.quarantine_minutes))
    on conflict on constraint reserved_amounts_account_id_currency_code_amount_pk
    do update set deposit_id = excluded.deposit_id, free_at = excluded.free_at;
  end if;
  if v_day is not null then
    insert into account_days as d (account_id, day, amount, deposits)
    values (v_account.id, v_day, amount, 1)
    on conflict (account_id, day) do update
    set amount = d.amount + excluded.amount, deposits = d.deposits + 1;
  end if;
  perform append_event(p.id, 'deposit', 'created', 'merchant:' || p.merchant_id,
    jsonb_build_object('routing', p.routing), p.created_at);
  perform wake_deposit(v_deposit, p.created_at);
  outcome := 'ACCEPTED';
end $$;
--> statement-breakpoint
-- Accepts several deposits in one transaction; each has its own outcome. They go by number, so that two calls with
-- the same numbers do not wait for each other crosswise.
create function accept_deposits(p_deposits jsonb)
returns table (id uuid, outcome text, amount numeric)
language sql
as $$
  select d.id, accepted.outcome, accepted.amount
  from (
    select * from jsonb_populate_recordset(null::deposit_request, p_deposits)
    order by merchant_id, merchant_order_no
  ) d, lateral accept_deposit(d) accepted
$$;
--> statement-breakpoint
-- Wherever a deposit ends without money, its share of its account's day is given back.
create function release_quota() returns trigger
language plpgsql
as $$
begin
  update account_days set amount = amount - old.amount, deposits = deposits - 1
  where account_id = old.account_id and day = old.quota_day;
  new.quota_day := null;
  return new;
end $$;
--> statement-breakpoint
create trigger deposit_orders_release_quota
before update of status on deposit_orders
for each row
when (old.quota_day is not null and old.status in ('PENDING', 'MATCHED')
  and new.status in ('EXPIRED', 'CANCELLED', 'FAILED'))
execute function release_quota();
