-- MATCHED → COMPLETED: credits the merchant, available or held. Does what credit_deposits does for one deposit, in two
-- thirds of the time. Both stay; test/db/credit-bodies.test.ts compares them on every kind of order and merchant.
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
  set status = 'COMPLETED', completed_at = p_now, actual_amount = p_actual, fee = p_fee, updated_at = p_now,
    fee_captured = case when fee_held is not null and fee_released_at is null then least(p_fee, fee_held) end,
    volume_month = case when counts_volume(merchant_id, currency_code, 'DEPOSIT')
      then merchant_month(merchant_id, p_now) end
  where id = p_deposit and status = 'MATCHED'
  returning * into v_deposit;
  if not found then
    return false;
  end if;
  if not post_transfer('DEPOSIT_CREDIT', 'deposit-credit:' || p_deposit, v_deposit.currency_code,
      p_deposit, null, p_now, p_accounts, p_amounts) then
    raise exception 'deposit % was credited before', v_deposit.order_no using errcode = 'CW003';
  end if;
  if v_deposit.fee_held is not null then
    perform capture_fee(v_deposit, p_accounts, p_amounts);
  end if;
  if v_deposit.volume_month is not null then
    perform count_deposit_volume(array[v_deposit]);
  end if;
  perform append_event(p_deposit, 'deposit', 'completed', 'system',
    jsonb_build_object('actualAmount', p_actual::numeric(20, 4)::text, 'fee', v_deposit.fee::text), p_now);
  if (select m.hold_days > 0 from merchants m where m.id = v_deposit.merchant_id) then
    perform hold_credits(array[v_deposit]);
  end if;
  perform notify_deposit(v_deposit, 'deposit_completed', p_callback_body, p_now);
  return true;
end $$;

-- Credits several deposits in one transaction, each with its own ledger transfer, event and callback.
create or replace function credit_deposits(
  p_deposits uuid[], p_actuals numeric[], p_fees numeric[], p_callback_bodies text[], p_nows timestamptz[],
  p_line_deposits uuid[], p_accounts text[], p_amounts numeric[]
) returns setof uuid
language plpgsql
as $$
declare
  v_credited deposit_orders[];
  v_prepaid deposit_orders[];
  v_posted integer;
begin
  if cardinality(p_deposits) <> (select count(distinct id) from unnest(p_deposits) id) then
    raise exception 'a deposit is named twice' using errcode = 'CW003';
  end if;
  -- Always locked in the same order, so that two calls cannot deadlock.
  perform from deposit_orders where id = any(p_deposits) order by id for no key update;
  with asked as (
    select * from unnest(p_deposits, p_actuals, p_fees, p_nows) as c(deposit_id, actual, fee, now)
  ), credited as (
    update deposit_orders d
    set status = 'COMPLETED', completed_at = c.now, actual_amount = c.actual, fee = c.fee, updated_at = c.now,
      fee_captured = case when fee_held is not null and fee_released_at is null then least(c.fee, fee_held) end,
      volume_month = case when counts_volume(merchant_id, currency_code, 'DEPOSIT')
        then merchant_month(merchant_id, c.now) end
    from asked c
    where d.id = c.deposit_id and d.status = 'MATCHED'
    returning d
  )
  select array_agg(d), array_agg(d) filter (where (d).fee_held is not null) into v_credited, v_prepaid from credited;
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
  if v_prepaid is not null then
    perform capture_fee(d, array(select account from unnest(p_line_deposits, p_accounts) l(id, account) where l.id = d.id),
      array(select amount from unnest(p_line_deposits, p_amounts) l(id, amount) where l.id = d.id))
    from unnest(v_prepaid) d;
  end if;

  perform count_deposit_volume(v_credited);

  insert into order_events (id, order_id, noun, type, actor, detail, at)
  select new_id(d.completed_at), d.id, 'deposit', 'completed', 'system',
    jsonb_build_object('actualAmount', d.actual_amount::text, 'fee', d.fee::text), d.completed_at
  from unnest(v_credited) d;
  perform hold_credits(v_credited);
  perform notify_deposits(v_credited, 'deposit_completed', due.bodies, due.nows)
  from (
    select array_agg(c.body order by d.ordinality) as bodies, array_agg(d.completed_at order by d.ordinality) as nows
    from unnest(v_credited) with ordinality d
    join unnest(p_deposits, p_callback_bodies) as c(deposit_id, body) on c.deposit_id = d.id
  ) due;
  return query select d.id from unnest(v_credited) d;
end $$;
