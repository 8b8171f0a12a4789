-- The start arguments of a callback's workflow.
create or replace function callback_arguments(p_notification notification_logs, p_merchant_code text, p_trace_id text)
returns jsonb
language sql immutable
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'version', 1, 'notificationId', p_notification.id, 'orderNo', p_notification.order_no,
    'notificationType', p_notification.notification_type, 'merchantCode', p_merchant_code, 'traceId', p_trace_id))
$$;

-- The callback of an unpaid order waits for those about money.
create or replace function callback_rank(p_type text) returns smallint
language sql immutable
as $$ select (case p_type when 'deposit_expired' then 2 else 1 end)::smallint $$;

-- Makes the relay start or wake the callback's workflow, under the trace id of the order's request.
create or replace function wake_callback(p_notification notification_logs, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
  select new_id(p_now), 'callback',
    'callback:' || p_notification.order_no || ':' || p_notification.notification_type,
    callback_arguments(p_notification, m.merchant_code, coalesce(
      (select trace_id from deposit_orders where id = p_notification.order_id),
      (select trace_id from withdrawal_orders where id = p_notification.order_id))),
    callback_rank(p_notification.notification_type), p_now, 0, p_now
  from merchants m
  where m.id = p_notification.merchant_id
$$;

-- How often a callback that waits for a key is checked without a new key; a new key wakes it.
create or replace function key_wait() returns interval
language sql immutable
as $$ select interval '1 hour' $$;

-- Makes a callback wait if no live key can sign it, without counting an attempt. Returns whether it waits: false if a
-- key came meanwhile, or the row has moved on. Keys and waits of one merchant are serialised, so that no key is missed.
create or replace function await_key(
  p_notification uuid, p_generation integer, p_due_by timestamptz, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_row notification_logs;
  v_waited boolean;
begin
  select * into v_row from notification_logs where id = p_notification;
  perform pg_advisory_xact_lock(hashtextextended('keys:' || v_row.merchant_id, 0));
  if exists (
    select from api_keys
    where merchant_id = v_row.merchant_id and revoked_at is null and (retires_at is null or retires_at > p_now)) then
    return false;
  end if;
  v_waited := v_row.waits_for_key;
  update notification_logs
  set status = 'WAITING_RETRY', waits_for_key = true, next_attempt_at = p_now + key_wait(), lease_until = null,
    last_error = 'no live api key to sign with', updated_at = p_now
  where id = p_notification and generation = p_generation
    and (status = 'WAITING_RETRY' or (status = 'SENDING' and lease_until <= p_due_by))
  returning * into v_row;
  if not found then
    return false;
  end if;
  if not v_waited then
    perform append_event(v_row.order_id, split_part(v_row.notification_type, '_', 1), 'callback_waits', 'system',
      jsonb_build_object('notificationType', v_row.notification_type, 'error', v_row.last_error), p_now);
  end if;
  return true;
end $$;

-- A key wakes the callbacks that have waited for one.
create or replace function wake_callbacks_without_key() returns trigger
language plpgsql
as $$
declare
  v_row notification_logs;
begin
  perform pg_advisory_xact_lock(hashtextextended('keys:' || new.merchant_id, 0));
  for v_row in
    update notification_logs set waits_for_key = false, next_attempt_at = new.created_at, updated_at = new.created_at
    where merchant_id = new.merchant_id and waits_for_key
    returning *
  loop
    perform wake_callback(v_row, new.created_at);
  end loop;
  return null;
end $$;

create or replace trigger api_keys_wake_callbacks after insert on api_keys
for each row execute function wake_callbacks_without_key();

create or replace function rearm_callback(
  p_notification uuid, p_actor text, p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_row notification_logs;
begin
  update notification_logs
  set status = 'WAITING_RETRY', attempt_count = 0, generation = generation + 1, next_attempt_at = p_now,
    lease_until = null, waits_for_key = false, updated_at = p_now
  where id = p_notification and (status <> 'SENDING' or lease_until <= p_now)
  returning * into v_row;
  if not found then
    return false;
  end if;
  perform append_event(v_row.order_id, split_part(v_row.notification_type, '_', 1), 'callback_rearmed', p_actor,
    jsonb_build_object('notificationType', v_row.notification_type, 'reason', p_reason), p_now);
  perform wake_callback(v_row, p_now);
  return true;
end $$;

-- Resends the failed callbacks of orders that changed since p_since, the oldest first, at most p_limit; null for
-- p_merchants and p_endpoint means any. Returns how many; the caller repeats it until it returns 0.
create or replace function rearm_failed_callbacks(
  p_since timestamptz, p_merchants uuid[], p_endpoint text, p_limit integer, p_actor text, p_reason text,
  p_now timestamptz
) returns integer
language sql
as $$
  select count(*) filter (where rearm_callback(f.id, p_actor, p_reason, p_now))::integer
  from (
    select n.id from notification_logs n
    where n.status = 'FAILED' and n.created_at >= p_since
      and (p_merchants is null or n.merchant_id = any(p_merchants))
      and (p_endpoint is null or callback_origin(n.target_url) = p_endpoint)
    order by n.id limit p_limit
  ) f
$$;

-- SENDING → WAITING_RETRY, due at once, for attempts that were claimed before p_claimed_before and have no recorded
-- result. The attempt stays counted: after the fifth, the next read of the row ends the callback FAILED. At most
-- p_limit.
create or replace function sweep_callbacks(p_claimed_before timestamptz, p_limit integer, p_now timestamptz)
returns setof notification_logs
language plpgsql
as $$
declare
  v_row notification_logs;
begin
  for v_row in
    update notification_logs
    set status = 'WAITING_RETRY', next_attempt_at = p_now, lease_until = null,
      last_error = 'attempt interrupted', updated_at = p_now
    where id in (
      select id from notification_logs
      -- While SENDING, updated_at is the time of the claim.
      where status = 'SENDING' and lease_until <= p_now and updated_at <= p_claimed_before
      order by lease_until limit p_limit
      for no key update skip locked
    )
    returning *
  loop
    perform append_event(v_row.order_id, split_part(v_row.notification_type, '_', 1), 'callback_interrupted', 'system',
      jsonb_build_object('notificationType', v_row.notification_type, 'attempt', v_row.attempt_count), p_now);
    perform wake_callback(v_row, p_now);
    return next v_row;
  end loop;
end $$;

-- Wakes callbacks whose next attempt was due before p_overdue_before. At most p_limit of them, by
-- (next_attempt_at, id), after the given place; a null place means the beginning.
create or replace function wake_overdue_callbacks(
  p_overdue_before timestamptz, p_parked_after timestamptz, p_place_at timestamptz, p_place_id uuid,
  p_limit integer, p_now timestamptz
) returns setof notification_logs
language plpgsql
as $$
declare
  v_row notification_logs;
begin
  for v_row in
    select * from notification_logs n
    where n.status = 'WAITING_RETRY' and n.next_attempt_at <= p_overdue_before
      and (p_place_id is null or (n.next_attempt_at, n.id) > (p_place_at, p_place_id))
      and 'callback:' || n.order_no || ':' || n.notification_type
        not in (select keys_on_their_way(p_parked_after))
    order by n.next_attempt_at, n.id limit p_limit
    for no key update of n skip locked
  loop
    perform wake_callback(v_row, p_now);
    return next v_row;
  end loop;
end $$;

-- A merchant's first host raises no alert.
create or replace function note_callback_host(p_merchant uuid, p_host text, p_order_no text, p_now timestamptz) returns void
language plpgsql
as $$
begin
  insert into callback_hosts_seen (merchant_id, host, first_seen_at) values (p_merchant, p_host, p_now)
  on conflict do nothing;
  if found and exists (
    select from callback_hosts_seen where merchant_id = p_merchant and host <> p_host) then
    perform raise_alert('NEW_CALLBACK_HOST', 'host:' || p_merchant || ':' || p_host, p_merchant,
      jsonb_build_object('orderNo', p_order_no, 'host', p_host, 'reason', 'the first callback to ' || p_host), p_now);
  end if;
end $$;
