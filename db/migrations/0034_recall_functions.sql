-- Posts one transfer, also to what a merchant owes: its balance's row keeps that beside the parts that have chains of
-- entries. The version rises with what is posted to those alone.
create or replace function post_transfer(
  p_type text, p_key text, p_currency char(3), p_order uuid, p_bank_transfer uuid, p_now timestamptz,
  p_accounts text[], p_amounts numeric[]
) returns boolean
language plpgsql
as $$
declare
  v_transfer uuid := new_id(p_now);
begin
  insert into ledger_transfers (id, type, key, currency_code, order_id, bank_transfer_id, at)
  values (v_transfer, p_type, p_key, p_currency, p_order, p_bank_transfer, p_now)
  on conflict (key) do nothing;
  if not found then
    return false;
  end if;

  with lines as (
    select l.line::smallint as line, l.account, l.amount,
      case when l.account like 'merchant:%' or l.account like 'merchant_receivable:%'
        then split_part(l.account, ':', 2)::uuid end as merchant_id,
      case when l.account like 'merchant:%' then split_part(l.account, ':', 3) else 'receivable' end as part
    from unnest(p_accounts, p_amounts) with ordinality as l(account, amount, line)
  ), moves as (
    select merchant_id,
      coalesce(sum(amount) filter (where part = 'available'), 0) as available,
      coalesce(sum(amount) filter (where part = 'frozen'), 0) as frozen,
      coalesce(-sum(amount) filter (where part = 'receivable'), 0) as receivable,
      bool_or(part <> 'receivable')::int as step
    from lines
    where merchant_id is not null
    group by merchant_id
  ), moved as (
    update merchant_balances b
    set available = b.available + m.available, frozen = b.frozen + m.frozen,
      receivable = b.receivable + m.receivable, version = b.version + m.step, updated_at = p_now
    from moves m
    where b.merchant_id = m.merchant_id and b.currency_code = p_currency
    returning b.merchant_id, b.available, b.frozen, b.version
  ), around as (
    select l.*, case when l.part <> 'receivable' then moved.version end as version,
      case l.part when 'available' then moved.available when 'frozen' then moved.frozen end as balance_after
    from lines l left join moved using (merchant_id)
  )
  insert into ledger_entries
    (transfer_id, line, account, currency_code, amount, balance_before, balance_after, version)
  select v_transfer, line, account, p_currency, amount, balance_after - amount, balance_after, version
  from around;
  return true;
end $$;
--> statement-breakpoint
-- What becomes available to a merchant that owes us covers that first, whatever it comes from, in its transaction.
create function cover_receivable() returns trigger
language plpgsql
as $$
declare
  v merchant_balances;
  v_covered numeric;
begin
  select * into v from merchant_balances where id = new.id;
  v_covered := least(v.available, v.receivable);
  if v_covered = 0 then
    return null;
  end if;
  if not post_transfer('RECEIVABLE_COVERED',
      format('receivable-covered:%s:%s:%s', v.merchant_id, v.currency_code, v.version),
      v.currency_code, null, null, v.updated_at,
      array['merchant:' || v.merchant_id || ':available', 'merchant_receivable:' || v.merchant_id],
      array[-v_covered, v_covered]) then
    raise exception 'balance % was covered before', v.id using errcode = 'CW003';
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger merchant_balances_cover
after update on merchant_balances
for each row when (new.receivable > 0 and new.available > 0)
execute function cover_receivable();
--> statement-breakpoint
-- A completed deposit whose money the payer has back: taken from its merchant, once. The order stays COMPLETED.
-- The locks of the deposit and of the balance are held. Returns whether this call did it.
create function recall_deposit(
  p_deposit uuid, p_change uuid, p_account uuid, p_from_available numeric, p_owed numeric,
  p_accounts text[], p_amounts numeric[], p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
begin
  select * into v from deposit_orders where id = p_deposit and status = 'COMPLETED' for no key update;
  if not found then
    return false;
  end if;
  insert into deposit_recalls (deposit_id, change_id, account_id, amount, from_available, owed, reason, at)
  values (v.id, p_change, p_account, v.actual_amount, p_from_available, p_owed, p_reason, p_now)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  if not post_transfer('DEPOSIT_RECALLED', 'deposit-recalled:' || v.id, v.currency_code, v.id, null, p_now,
      p_accounts, p_amounts) then
    raise exception 'deposit % was recalled before', v.order_no using errcode = 'CW003';
  end if;
  perform append_event(v.id, 'deposit', 'recalled', 'operators', jsonb_build_object(
    'amount', v.actual_amount::text, 'fromAvailable', p_from_available::text, 'owed', p_owed::text,
    'reason', p_reason), p_now);
  return true;
end $$;
