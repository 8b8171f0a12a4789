-- Each function is one business step: a guarded change of status with everything that must not be lost with it.
-- They decide on the time that the caller gives, never on the database's clock.

create function append_event(
  p_order uuid, p_noun text, p_type text, p_actor text, p_detail jsonb, p_now timestamptz
) returns void
language sql
as $$
  insert into order_events (id, order_id, noun, type, actor, detail, at)
  values (new_id(p_now), p_order, p_noun, p_type, p_actor, p_detail, p_now)
$$;
--> statement-breakpoint
-- Has the relay start or wake the deposit's workflow. The row carries the whole start arguments and no news.
create function wake_deposit(p_deposit deposit_orders, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, due_at, refusals, created_at)
  select new_id(p_now), 'deposit', 'deposit:' || p_deposit.order_no,
    jsonb_build_object(
      'version', 1, 'depositId', p_deposit.id, 'orderNo', p_deposit.order_no,
      'merchantCode', m.merchant_code, 'currencyCode', p_deposit.currency_code,
      'amount', p_deposit.amount::text),
    p_now, 0, p_now
  from merchants m
  where m.id = p_deposit.merchant_id
$$;
--> statement-breakpoint
create function wake_callback(p_notification notification_logs, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, due_at, refusals, created_at)
  select new_id(p_now), 'callback',
    'callback:' || p_notification.order_no || ':' || p_notification.notification_type,
    jsonb_build_object(
      'version', 1, 'notificationId', p_notification.id, 'orderNo', p_notification.order_no,
      'notificationType', p_notification.notification_type, 'merchantCode', m.merchant_code),
    p_now, 0, p_now
  from merchants m
  where m.id = p_notification.merchant_id
$$;
--> statement-breakpoint
-- Leaves a callback to be delivered, where the order has a callback_url and the event is told (a body is given).
create function notify_deposit(
  p_deposit deposit_orders, p_type text, p_body text, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_row notification_logs;
begin
  if p_deposit.callback_url is null or p_body is null then
    return;
  end if;
  insert into notification_logs
    (id, order_id, order_no, merchant_id, notification_type, target_url, request_body, status,
     attempt_count, total_attempts, generation, next_attempt_at, created_at, updated_at)
  values
    (new_id(p_now), p_deposit.id, p_deposit.order_no, p_deposit.merchant_id, p_type,
     p_deposit.callback_url, p_body, 'WAITING_RETRY', 0, 0, 1, p_now, p_now, p_now)
  returning * into v_row;
  perform wake_callback(v_row, p_now);
end $$;
--> statement-breakpoint
-- PENDING → MATCHED: the transfer is this deposit's, and what it will be charged is fixed. Returns whether it was
-- this call that did it. A transfer that is allocated already violates transfer_allocations_once.
create function match_deposit(
  p_transfer uuid, p_deposit uuid, p_fee numeric, p_actor text, p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_deposit deposit_orders;
begin
  update deposit_orders set status = 'MATCHED', matched_at = p_now, updated_at = p_now
  where id = p_deposit and status = 'PENDING'
  returning * into v_deposit;
  if not found then
    return false;
  end if;
  insert into transfer_allocations (id, transfer_id, deposit_id, fee, matched_by, reason, at)
  values (new_id(p_now), p_transfer, p_deposit, p_fee, p_actor, p_reason, p_now);
  update bank_transfers set unmatched_reason = null where id = p_transfer;
  perform append_event(p_deposit, 'deposit', 'matched', p_actor,
    jsonb_strip_nulls(jsonb_build_object('bankTransferId', p_transfer, 'reason', p_reason)), p_now);
  perform wake_deposit(v_deposit, p_now);
  return true;
end $$;
--> statement-breakpoint
-- MATCHED → COMPLETED: the money becomes the merchant's. The one statement that moves suspense to a merchant.
create function credit_deposit(
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
  perform notify_deposit(v_deposit, 'deposit_completed', p_callback_body, p_now);
  return true;
end $$;
--> statement-breakpoint
-- PENDING → EXPIRED, once expire_at has come.
create function expire_deposit(p_deposit uuid, p_callback_body text, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v_deposit deposit_orders;
begin
  update deposit_orders set status = 'EXPIRED', updated_at = p_now
  where id = p_deposit and status = 'PENDING' and expire_at <= p_now
  returning * into v_deposit;
  if not found then
    return false;
  end if;
  perform append_event(p_deposit, 'deposit', 'expired', 'system', '{}', p_now);
  perform notify_deposit(v_deposit, 'deposit_expired', p_callback_body, p_now);
  return true;
end $$;
--> statement-breakpoint
-- PENDING or MATCHED → CANCELLED. Money that had come stays in suspense, its transfer unmatched again.
create function cancel_deposit(
  p_deposit uuid, p_actor text, p_reason text, p_callback_body text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_deposit deposit_orders;
begin
  update deposit_orders set status = 'CANCELLED', updated_at = p_now
  where id = p_deposit and status in ('PENDING', 'MATCHED')
  returning * into v_deposit;
  if not found then
    return false;
  end if;
  with released as (
    update transfer_allocations set released_at = p_now
    where deposit_id = p_deposit and released_at is null
    returning transfer_id
  )
  update bank_transfers set unmatched_reason = 'REOPENED'
  where id in (select transfer_id from released);
  perform append_event(p_deposit, 'deposit', 'cancelled', p_actor,
    jsonb_build_object('reason', p_reason), p_now);
  perform notify_deposit(v_deposit, 'deposit_cancelled', p_callback_body, p_now);
  perform wake_deposit(v_deposit, p_now);
  return true;
end $$;
--> statement-breakpoint
-- Arms a callback again: same row, attempt_count 0. What an attempt of the older generation reports is void.
-- Not while an attempt is under way: its outcome decides first.
create function rearm_callback(
  p_notification uuid, p_actor text, p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_row notification_logs;
begin
  update notification_logs
  set status = 'WAITING_RETRY', attempt_count = 0, generation = generation + 1, next_attempt_at = p_now,
    lease_until = null, updated_at = p_now
  where id = p_notification and (status <> 'SENDING' or lease_until <= p_now)
  returning * into v_row;
  if not found then
    return false;
  end if;
  perform append_event(v_row.order_id, 'deposit', 'callback_rearmed', p_actor,
    jsonb_build_object('notificationType', v_row.notification_type, 'reason', p_reason), p_now);
  perform wake_callback(v_row, p_now);
  return true;
end $$;
--> statement-breakpoint
-- Numbers the events that committed since the last call, one caller at a time, so that a reader who has seen
-- number n has seen all before it. Returns the last number given, or null where there was nothing to number.
create function number_events(p_limit integer) returns bigint
language plpgsql
as $$
declare
  v_last bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('causeway.number_events')) then
    return null;
  end if;
  with batch as (
    select id, row_number() over (order by position) as place
    from (
      select id, position from order_events where seq is null order by position limit p_limit
    ) unnumbered
  ), numbered as (
    update order_events e
    set seq = batch.place + (select coalesce(max(seq), 0) from order_events)
    from batch
    where e.id = batch.id
    returning e.seq
  )
  select max(seq) into v_last from numbered;
  return v_last;
end $$;
