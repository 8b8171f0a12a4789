-- The beneficiary of a withdrawal as counts know it: its bank, and the keyed hash of its number, which an erased one lacks.
create or replace function counted_beneficiary(p withdrawal_orders) returns text
language sql immutable
as $$
  select p.beneficiary_bank_code || ':' || coalesce(p.beneficiary_account_key, erased())
$$;

-- Moves what these withdrawals count on their days to beneficiaries under other keys. Settlements count nothing.
create or replace function move_withdrawal_days(p_ids uuid[], p_keys text[]) returns void
language plpgsql
as $$
declare
  v record;
begin
  for v in
    select w.merchant_id, w.currency_code, coalesce(w.counted_day, (w.created_at at time zone 'UTC')::date) as day,
      counted_beneficiary(w) as old_key, w.beneficiary_bank_code || ':' || m.key as new_key, count(*)::int as orders,
      sum(w.amount) as amount
    from unnest(p_ids, p_keys) m(id, key) join withdrawal_orders w using (id)
    where w.origin = 'MERCHANT' and counted_beneficiary(w) <> w.beneficiary_bank_code || ':' || m.key
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4
  loop
    delete from withdrawal_days d
    where (d.merchant_id, d.currency_code, d.day, d.beneficiary) = (v.merchant_id, v.currency_code, v.day, v.old_key)
      and d.orders = v.orders;
    if not found then
      update withdrawal_days d set orders = d.orders - v.orders, amount = d.amount - v.amount
      where (d.merchant_id, d.currency_code, d.day, d.beneficiary) = (v.merchant_id, v.currency_code, v.day, v.old_key);
    end if;
    insert into withdrawal_days as d (merchant_id, currency_code, day, beneficiary, orders, amount)
    values (v.merchant_id, v.currency_code, v.day, v.new_key, v.orders, v.amount)
    on conflict on constraint withdrawal_days_merchant_id_currency_code_day_beneficiary_pk
    do update set orders = d.orders + excluded.orders, amount = d.amount + excluded.amount;
  end loop;
end $$;

-- Moves the day's amounts of beneficiaries to other subjects, and the alerts about them. No new subject is an old one.
create or replace function move_day_amounts(p_old text[], p_new text[]) returns integer
language sql
as $$
  with moved as (
    delete from day_amounts d using unnest(p_old, p_new) m(old, new)
    where d.counter = 'BENEFICIARY' and d.subject = m.old
    returning m.old, m.new, d.currency_code, d.day, d.orders, d.amount
  ), alerted as (
    -- One that was raised under the new subject too stands for both.
    update alerts a set key = 'day-amount:BENEFICIARY:' || m.new || ':' || m.currency_code || ':' || m.day
    from moved m
    where a.key = 'day-amount:BENEFICIARY:' || m.old || ':' || m.currency_code || ':' || m.day
      and not exists (select from alerts o
        where o.key = 'day-amount:BENEFICIARY:' || m.new || ':' || m.currency_code || ':' || m.day)
  ), counted as (
    insert into day_amounts as d (counter, subject, currency_code, day, orders, amount)
    select 'BENEFICIARY', new, currency_code, day, sum(orders), sum(amount) from moved group by 2, 3, 4
    on conflict (counter, subject, currency_code, day)
    do update set orders = d.orders + excluded.orders, amount = d.amount + excluded.amount
    returning 1
  )
  select count(*)::int from counted
$$;

-- Gives withdrawals of one balance the keyed hashes of their beneficiaries' numbers, where they still have the ones that
-- were read, and moves what is counted under the old ones, so that no sum begins again. Returns how many.
create or replace function rekey_withdrawals(p_ids uuid[], p_old text[], p_new text[]) returns integer
language plpgsql
as $$
declare
  v_ids uuid[];
  v_new text[];
begin
  select array_agg(id), array_agg(new) into v_ids, v_new from (
    select w.id, m.new from unnest(p_ids, p_old, p_new) m(id, old, new) join withdrawal_orders w using (id)
    where w.beneficiary_account_key = m.old
    order by w.id for no key update of w) found;
  -- After the orders, as their steps do; and before the days, of which who accepts withdrawals locks several.
  perform from merchant_balances b
  where (b.merchant_id, b.currency_code) in (
    select w.merchant_id, w.currency_code from withdrawal_orders w where w.id = any(v_ids))
  order by b.merchant_id, b.currency_code for no key update;
  perform move_withdrawal_days(v_ids, v_new);
  perform move_day_amounts(array_agg(old), array_agg(new)) from (
    select distinct counted_beneficiary(w) as old, w.beneficiary_bank_code || ':' || m.new as new
    from unnest(v_ids, v_new) m(id, new) join withdrawal_orders w using (id)
    where w.beneficiary_account_key <> m.new) changed;
  update withdrawal_orders w set beneficiary_account_key = m.new from unnest(v_ids, v_new) m(id, new) where w.id = m.id;
  return coalesce(cardinality(v_ids), 0);
end $$;
