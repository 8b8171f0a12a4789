-- What a callback's workflow is started with.
create function callback_arguments(p_notification notification_logs, p_merchant_code text, p_trace_id text)
returns jsonb
language sql immutable
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'version', 1, 'notificationId', p_notification.id, 'orderNo', p_notification.order_no,
    'notificationType', p_notification.notification_type, 'merchantCode', p_merchant_code, 'traceId', p_trace_id))
$$;
--> statement-breakpoint
create or replace function wake_callback(p_notification notification_logs, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, due_at, refusals, created_at)
  select new_id(p_now), 'callback',
    'callback:' || p_notification.order_no || ':' || p_notification.notification_type,
    callback_arguments(p_notification, m.merchant_code,
      (select trace_id from deposit_orders where id = p_notification.order_id)),
    p_now, 0, p_now
  from merchants m
  where m.id = p_notification.merchant_id
$$;
--> statement-breakpoint
-- The callbacks of deposits, each with its outbox row; none for a deposit without a target or without a body.
create function notify_deposits(
  p_deposits deposit_orders[], p_type text, p_bodies text[], p_nows timestamptz[]
) returns void
language plpgsql
as $$
begin
  with asked as (
    select d.id as order_id, d.order_no, d.merchant_id, d.callback_url, d.trace_id, b.body, b.now
    from unnest(p_deposits) with ordinality d
    join unnest(p_bodies, p_nows) with ordinality as b(body, now, ordinality) using (ordinality)
    where d.callback_url is not null and b.body is not null
  ), notified as (
    insert into notification_logs as n
      (id, order_id, order_no, merchant_id, notification_type, target_url, request_body, status,
       attempt_count, total_attempts, generation, next_attempt_at, created_at, updated_at)
    select new_id(now), order_id, order_no, merchant_id, p_type, callback_url, body, 'WAITING_RETRY',
      0, 0, 1, now, now, now
    from asked
    returning n
  )
  insert into outbox (id, noun, key, arguments, due_at, refusals, created_at)
  select new_id(a.now), 'callback', 'callback:' || a.order_no || ':' || p_type,
    callback_arguments(notified.n, m.merchant_code, a.trace_id), a.now, 0, a.now
  from notified join asked a on a.order_id = (notified.n).order_id join merchants m on m.id = a.merchant_id;
end $$;
--> statement-breakpoint
create or replace function notify_deposit(
  p_deposit deposit_orders, p_type text, p_body text, p_now timestamptz
) returns void
language sql
as $$ select notify_deposits(array[p_deposit], p_type, array[p_body], array[p_now]) $$;
--> statement-breakpoint
-- MATCHED → COMPLETED for several deposits in one transaction, each with its own ledger transfer, event and callback
-- as credit_deposit makes them. Lines name their deposit. Returns the deposits that it credited; the others were not
-- MATCHED any more. What is wrong with one of them fails all: the caller then tries each alone.
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
  perform notify_deposits(v_credited, 'deposit_completed', told.bodies, told.nows)
  from (
    select array_agg(c.body order by d.ordinality) as bodies, array_agg(d.completed_at order by d.ordinality) as nows
    from unnest(v_credited) with ordinality d
    join unnest(p_deposits, p_callback_bodies) as c(deposit_id, body) on c.deposit_id = d.id
  ) told;
  return query select d.id from unnest(v_credited) d;
end $$;
