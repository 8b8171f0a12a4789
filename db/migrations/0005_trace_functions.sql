-- The trace id of the request that created an order goes with it: into its workflow and into its callbacks'. A row
-- of before trace ids, and an order that no request created, have none, and then the arguments have no such key.
create or replace function wake_deposit(p_deposit deposit_orders, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, due_at, refusals, created_at)
  select new_id(p_now), 'deposit', 'deposit:' || p_deposit.order_no,
    jsonb_strip_nulls(jsonb_build_object(
      'version', 1, 'depositId', p_deposit.id, 'orderNo', p_deposit.order_no,
      'merchantCode', m.merchant_code, 'currencyCode', p_deposit.currency_code,
      'amount', p_deposit.amount::text, 'traceId', p_deposit.trace_id)),
    p_now, 0, p_now
  from merchants m
  where m.id = p_deposit.merchant_id
$$;
--> statement-breakpoint
create or replace function wake_callback(p_notification notification_logs, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, due_at, refusals, created_at)
  select new_id(p_now), 'callback',
    'callback:' || p_notification.order_no || ':' || p_notification.notification_type,
    jsonb_strip_nulls(jsonb_build_object(
      'version', 1, 'notificationId', p_notification.id, 'orderNo', p_notification.order_no,
      'notificationType', p_notification.notification_type, 'merchantCode', m.merchant_code,
      'traceId', (select trace_id from deposit_orders where id = p_notification.order_id))),
    p_now, 0, p_now
  from merchants m
  where m.id = p_notification.merchant_id
$$;
