-- Holds what deposits were credited with, of merchants that wait for their money: until so many UTC days are over, the day
-- of the credit included. In the transaction of the credit, so that it is available to nobody in between. What a credit
-- has covered of a receivable is not there to be held.
create function hold_credits(p_deposits deposit_orders[]) returns void
language plpgsql
as $$
declare
  v record;
  v_held numeric;
begin
  for v in
    select d.id, d.merchant_id, d.currency_code, d.actual_amount - d.fee as net, d.completed_at as now,
      (date_trunc('day', d.completed_at at time zone 'UTC') + make_interval(days => m.hold_days)) at time zone 'UTC'
        as release_at
    from unnest(p_deposits) with ordinality d join merchants m on m.id = d.merchant_id
    where m.hold_days > 0
    order by d.ordinality
  loop
    -- The credit has locked the balance.
    select least(v.net, b.available) into v_held from merchant_balances b
    where b.merchant_id = v.merchant_id and b.currency_code = v.currency_code;
    continue when v_held = 0;
    insert into held_credits (deposit_id, merchant_id, currency_code, amount, held_at, release_at)
    values (v.id, v.merchant_id, v.currency_code, v_held, v.now, v.release_at);
    if not post_transfer('CREDIT_HELD', 'credit-held:' || v.id, v.currency_code, v.id, null, v.now,
        array['merchant:' || v.merchant_id || ':available', 'merchant:' || v.merchant_id || ':frozen'],
        array[-v_held, v_held]) then
      raise exception 'credit of deposit % was held before', v.id using errcode = 'CW003';
    end if;
    perform append_event(v.id, 'deposit', 'held', 'system',
      jsonb_build_object('amount', v_held::text, 'releaseAt', v.release_at), v.now);
  end loop;
end $$;
--> statement-breakpoint
-- MATCHED → COMPLETED: the money is the merchant's, available or held.
create or replace function credit_deposit(
  p_deposit uuid, p_actual numeric, p_fee numeric, p_accounts text[], p_amounts numeric[],
  p_callback_body text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_deposit deposit_orders;
begin
  update deposit_orders
  set status = 'COMPLETED', completed_at = p_now, actual_amount = p_actual, fee = p_fee, updated_at = p_now
  where id = p_deposit and status = 'MATCHED'
  returning * into v_deposit;
  if not found then
    return false;
  end if;
  if not post_transfer('DEPOSIT_CREDIT', 'deposit-credit:' || p_deposit, v_deposit.currency_code,
      p_deposit, null, p_now, p_accounts, p_amounts) then
    raise exception 'deposit % was credited before', v_deposit.order_no using errcode = 'CW003';
  end if;
  perform append_event(p_deposit, 'deposit', 'completed', 'system',
    jsonb_build_object('actualAmount', p_actual::numeric(20, 4)::text, 'fee', v_deposit.fee::text), p_now);
  perform hold_credits(array[v_deposit]);
  perform notify_deposit(v_deposit, 'deposit_completed', p_callback_body, p_now);
  return true;
end $$;
--> statement-breakpoint
-- The same for several deposits in one transaction, each with its own ledger transfer, event and callback.
create or replace function credit_deposits(
  p_deposits uuid[], p_actuals numeric[], p_fees numeric[], p_callback_bodies text[], p_nows timestamptz[],
  p_line_deposits uuid[], p_accounts text[], p_amounts numeric[]
) returns setof uuid
language plpgsql
as $$
declare
  v_credited deposit_orders[];
  v_posted integer;
begin
  if cardinality(p_deposits) <> (select count(distinct id) from unnest(p_deposits) id) then
    raise exception 'a deposit is named twice' using errcode = 'CW003';
  end if;
  -- In one order, so that two calls do not wait for each other crosswise.
  perform from deposit_orders where id = any(p_deposits) order by id for no key update;
  with asked as (
    select * from unnest(p_deposits, p_actuals, p_fees, p_nows) as c(deposit_id, actual, fee, now)
  ), credited as (
    update deposit_orders d
    set status = 'COMPLETED', completed_at = c.now, actual_amount = c.actual, fee = c.fee, updated_at = c.now
    from asked c
    where d.id = c.deposit_id and d.status = 'MATCHED'
    returning d
  )
  select array_agg(d) into v_credited from credited;
  if v_credited is null then
    return;
  end if;

  select count(*) into v_posted
  from (
    select array_agg('DEPOSIT_CREDIT'::text) as types, array_agg('deposit-credit:' || d.id) as keys,
      array_agg(d.currency_code::text) as currencies, array_agg(d.id) as orders,
      array_agg(null::uuid) as bank_transfers, array_agg(d.completed_at) as nows
    from unnest(v_credited) d
  ) t, (
    select array_agg('deposit-credit:' || l.deposit_id order by l.position) as keys,
      array_agg(l.account order by l.position) as accounts, array_agg(l.amount order by l.position) as amounts
    from unnest(p_line_deposits, p_accounts, p_amounts) with ordinality as l(deposit_id, account, amount, position)
  ) l, post_transfers(t.types, t.keys, t.currencies, t.orders, t.bank_transfers, t.nows, l.keys, l.accounts, l.amounts);
  if v_posted <> cardinality(v_credited) then
    raise exception 'a deposit was credited before' using errcode = 'CW003';
  end if;

  insert into order_events (id, order_id, noun, type, actor, detail, at)
  select new_id(d.completed_at), d.id, 'deposit', 'completed', 'system',
    jsonb_build_object('actualAmount', d.actual_amount::text, 'fee', d.fee::text), d.completed_at
  from unnest(v_credited) d;
  perform hold_credits(v_credited);
  perform notify_deposits(v_credited, 'deposit_completed', told.bodies, told.nows)
  from (
    select array_agg(c.body order by d.ordinality) as bodies, array_agg(d.completed_at order by d.ordinality) as nows
    from unnest(v_credited) with ordinality d
    join unnest(p_deposits, p_callback_bodies) as c(deposit_id, body) on c.deposit_id = d.id
  ) told;
  return query select d.id from unnest(v_credited) d;
end $$;
--> statement-breakpoint
-- Makes held credits available whose days are over, the oldest first. Returns how many.
create function release_holds(p_limit integer, p_now timestamptz) returns integer
language plpgsql
as $$
declare
  v held_credits;
  v_due held_credits[];
begin
  select array_agg(due.credit) into v_due
  from (
    select h as credit from held_credits h join deposit_orders d on d.id = h.deposit_id
    where h.released_at is null and h.recalled_at is null and h.release_at <= p_now
    order by h.release_at, h.deposit_id limit p_limit
    for no key update skip locked
  ) due;
  if v_due is null then
    return 0;
  end if;
  -- In one order, as credits take them, so that the two do not wait for each other crosswise.
  perform from merchant_balances b
  where (b.merchant_id, b.currency_code) in (select h.merchant_id, h.currency_code from unnest(v_due) h)
  order by b.id
  for no key update;
  foreach v in array v_due loop
    update held_credits set released_at = p_now where deposit_id = v.deposit_id;
    if not post_transfer('HOLD_RELEASED', 'hold-released:' || v.deposit_id, v.currency_code, v.deposit_id, null, p_now,
        array['merchant:' || v.merchant_id || ':frozen', 'merchant:' || v.merchant_id || ':available'],
        array[-v.amount, v.amount]) then
      raise exception 'credit of deposit % was released before', v.deposit_id using errcode = 'CW003';
    end if;
    perform append_event(v.deposit_id, 'deposit', 'hold_released', 'system',
      jsonb_build_object('amount', v.amount::text), p_now);
  end loop;
  return cardinality(v_due);
end $$;
--> statement-breakpoint
drop function recall_deposit(uuid, uuid, uuid, numeric, numeric, text[], numeric[], text, timestamptz);
--> statement-breakpoint
-- A completed deposit whose money the payer has back: taken from its merchant, once. The order stays COMPLETED.
-- The locks of the deposit, of what is held of it and of the balance are held. Returns whether this call did it.
create function recall_deposit(
  p_deposit uuid, p_change uuid, p_account uuid, p_from_held numeric, p_from_available numeric, p_owed numeric,
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
  insert into deposit_recalls
    (deposit_id, change_id, account_id, amount, from_held, from_available, owed, reason, at)
  values (v.id, p_change, p_account, v.actual_amount, p_from_held, p_from_available, p_owed, p_reason, p_now)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  update held_credits set recalled_at = p_now
  where deposit_id = v.id and amount = p_from_held and released_at is null and recalled_at is null;
  if not found and p_from_held > 0 then
    raise exception 'deposit % has not % held', v.order_no, p_from_held using errcode = 'CW003';
  end if;
  if not post_transfer('DEPOSIT_RECALLED', 'deposit-recalled:' || v.id, v.currency_code, v.id, null, p_now,
      p_accounts, p_amounts) then
    raise exception 'deposit % was recalled before', v.order_no using errcode = 'CW003';
  end if;
  perform append_event(v.id, 'deposit', 'recalled', 'operators', jsonb_build_object(
    'amount', v.actual_amount::text, 'fromHeld', p_from_held::text, 'fromAvailable', p_from_available::text,
    'owed', p_owed::text, 'reason', p_reason), p_now);
  return true;
end $$;
