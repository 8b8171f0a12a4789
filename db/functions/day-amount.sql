-- Counts an amount against the day's amounts of several counters, in the statement of the decision to which it belongs.
-- Returns those that now exceed their limit. p_counters: [{"counter", "subject", "most", "also"}], most null: no limit.
-- also: other subjects that stand for the same, under other keys of the ring; the day's amount is of all of them.
create or replace function count_day_amounts(
  p_counters jsonb, p_currency char(3), p_amount numeric, p_now timestamptz
) returns text[]
language plpgsql
as $$
declare
  v_counter record;
  v_day date := (p_now at time zone 'UTC')::date;
  v_past text[] := '{}';
begin
  -- Always in the same order, so that two decisions cannot deadlock.
  for v_counter in
    select c.counter, c.subject, c.most, c.also
    from jsonb_to_recordset(p_counters) as c(counter text, subject text, most numeric, also text[])
    order by c.counter, coalesce(c.also[cardinality(c.also)], c.subject)
  loop
    -- While keys are rotated, decisions on one beneficiary count in several rows: the last name is the same for all.
    if v_counter.also <> '{}' then
      perform pg_advisory_xact_lock(hashtextextended('day_amounts:' || v_counter.also[cardinality(v_counter.also)], 0));
    end if;
    insert into day_amounts as d (counter, subject, currency_code, day, orders, amount)
    values (v_counter.counter, v_counter.subject, p_currency, v_day, 1, p_amount)
    on conflict (counter, subject, currency_code, day)
    do update set orders = d.orders + 1, amount = d.amount + excluded.amount;
    if v_counter.most < (
        select sum(d.amount) from day_amounts d
        where d.counter = v_counter.counter and d.subject = any(array_append(v_counter.also, v_counter.subject))
          and d.currency_code = p_currency and d.day = v_day) then
      v_past := v_past || v_counter.counter;
    end if;
  end loop;
  return v_past;
end $$;

-- The counters of a decision on a withdrawal. What counts for its beneficiary is under the key that the order has, so that
-- it moves with the order when that gets another key.
create or replace function counters_of(p withdrawal_orders, p_counters jsonb) returns jsonb
language sql immutable
as $$
  select coalesce(jsonb_agg(case when c ->> 'counter' = 'BENEFICIARY'
    then c || jsonb_build_object('subject', counted_beneficiary(p)) else c end), '[]')
  from jsonb_array_elements(p_counters) c
$$;

-- Raises an alert, once for each day and counter, that a day's amount was exceeded: a large amount may have been split
-- into small ones. Operators and webhooks are shown alerts: of a beneficiary's number it has the end, as where numbers
-- are masked (domain/personal.ts); the caller says it ("shown"), as the subject has a hash.
create or replace function tell_day_amounts(
  p_past text[], p_counters jsonb, p_currency char(3), p_merchant uuid, p_now timestamptz
) returns void
language sql
as $$
  select raise_alert('DAY_AMOUNT_PASSED',
    'day-amount:' || c.counter || ':' || c.subject || ':' || p_currency || ':' || (p_now at time zone 'UTC')::date,
    case c.counter when 'MERCHANT' then p_merchant end,
    jsonb_build_object('counter', c.counter, 'currencyCode', p_currency,
      'subject', coalesce(c.shown, c.subject),
      'reason', 'more than ' || c.most || ' ' || p_currency || ' was decided on one day: a second person is asked'),
    p_now)
  from jsonb_to_recordset(p_counters) as c(counter text, subject text, most numeric, shown text)
  where c.counter = any(p_past)
$$;
