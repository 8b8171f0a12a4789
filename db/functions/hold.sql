-- Holds the credits of merchants with hold days until that many days of the merchant's zone have ended, including the
-- day of the credit. Runs in the credit's transaction, so that the money is never available in between. The part of a
-- credit that covered a receivable is not held.
create or replace function hold_credits(p_deposits deposit_orders[]) returns void
language plpgsql
as $$
declare
  v record;
  v_held numeric;
begin
  for v in
    select d.id, d.merchant_id, d.currency_code, d.actual_amount - d.fee + coalesce(d.fee_captured, 0) as net, d.completed_at as now,
      day_start(local_day(d.completed_at, m.time_zone) + m.hold_days, m.time_zone) as release_at
    from unnest(p_deposits) with ordinality d join merchants m on m.id = d.merchant_id
    where m.hold_days > 0
    order by d.ordinality
  loop
    -- The credit already locked the balance.
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

-- Releases held credits whose days have ended, oldest first. Returns how many.
create or replace function release_holds(p_limit integer, p_now timestamptz) returns integer
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
  -- Locked in the same order as credits lock them: the two cannot deadlock.
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
