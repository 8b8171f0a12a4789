-- Counts an amount against the day's amounts of several counters, in the statement of the decision to which it belongs.
-- Returns those that now exceed their limit. p_counters: [{"counter", "subject", "most"}], most null: no limit.
create or replace function count_day_amounts(
  p_counters jsonb, p_currency char(3), p_amount numeric, p_now timestamptz
) returns text[]
language plpgsql
as $$
declare
  v_counter record;
  v_day day_amounts;
  v_past text[] := '{}';
begin
  -- Always in the same order, so that two decisions cannot deadlock.
  for v_counter in
    select c.counter, c.subject, c.most
    from jsonb_to_recordset(p_counters) as c(counter text, subject text, most numeric)
    order by c.counter, c.subject
  loop
    insert into day_amounts as d (counter, subject, currency_code, day, orders, amount)
    values (v_counter.counter, v_counter.subject, p_currency, (p_now at time zone 'UTC')::date, 1, p_amount)
    on conflict (counter, subject, currency_code, day)
    do update set orders = d.orders + 1, amount = d.amount + excluded.amount
    returning * into v_day;
    if v_day.amount > v_counter.most then
      v_past := v_past || v_counter.counter;
    end if;
  end loop;
  return v_past;
end $$;

-- A beneficiary's bank, and the end of its number.
create or replace function masked_beneficiary(p_subject text) returns text
language sql immutable
as $$
  select split_part(p_subject, ':', 1) || ':•••' || case when length(split_part(p_subject, ':', 2)) >= 8
    then right(p_subject, 4) else '' end
$$;

-- Raises an alert, once for each day and counter, that a day's amount was exceeded: a large amount may have been split
-- into small ones. Operators and webhooks are shown alerts: of a beneficiary's number it has the end, as where numbers
-- are masked (domain/personal.ts).
create or replace function tell_day_amounts(
  p_past text[], p_counters jsonb, p_currency char(3), p_merchant uuid, p_now timestamptz
) returns void
language sql
as $$
  select raise_alert('DAY_AMOUNT_PASSED',
    'day-amount:' || c.counter || ':' || c.subject || ':' || p_currency || ':' || (p_now at time zone 'UTC')::date,
    case c.counter when 'MERCHANT' then p_merchant end,
    jsonb_build_object('counter', c.counter, 'currencyCode', p_currency,
      'subject', case c.counter when 'BENEFICIARY' then masked_beneficiary(c.subject) else c.subject end,
      'reason', 'more than ' || c.most || ' ' || p_currency || ' was decided on one day: a second person is asked'),
    p_now)
  from jsonb_to_recordset(p_counters) as c(counter text, subject text, most numeric)
  where c.counter = any(p_past)
$$;
