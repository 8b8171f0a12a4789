-- What a withdrawal's workflow is started with.
create function withdrawal_arguments(p_withdrawal withdrawal_orders, p_merchant_code text) returns jsonb
language sql immutable
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'version', 1, 'withdrawalId', p_withdrawal.id, 'orderNo', p_withdrawal.order_no,
    'merchantCode', p_merchant_code, 'currencyCode', p_withdrawal.currency_code,
    'amount', p_withdrawal.amount::text, 'traceId', p_withdrawal.trace_id))
$$;
--> statement-breakpoint
-- Has the relay start or wake the withdrawal's workflow.
create function wake_withdrawal(p_withdrawal withdrawal_orders, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, due_at, refusals, created_at)
  select new_id(p_now), 'withdrawal', 'withdrawal:' || p_withdrawal.order_no,
    withdrawal_arguments(p_withdrawal, m.merchant_code), p_now, 0, p_now
  from merchants m
  where m.id = p_withdrawal.merchant_id
$$;
--> statement-breakpoint
-- An order of either kind names the request that made it.
create or replace function wake_callback(p_notification notification_logs, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, due_at, refusals, created_at)
  select new_id(p_now), 'callback',
    'callback:' || p_notification.order_no || ':' || p_notification.notification_type,
    callback_arguments(p_notification, m.merchant_code, coalesce(
      (select trace_id from deposit_orders where id = p_notification.order_id),
      (select trace_id from withdrawal_orders where id = p_notification.order_id))),
    p_now, 0, p_now
  from merchants m
  where m.id = p_notification.merchant_id
$$;
--> statement-breakpoint
-- Leaves a callback to be delivered, where the order has a callback_url and the event is told (a body is given).
create function notify_withdrawal(
  p_withdrawal withdrawal_orders, p_type text, p_body text, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_row notification_logs;
begin
  if p_withdrawal.callback_url is null or p_body is null then
    return;
  end if;
  insert into notification_logs
    (id, order_id, order_no, merchant_id, notification_type, target_url, request_body, status,
     attempt_count, total_attempts, generation, next_attempt_at, created_at, updated_at)
  values
    (new_id(p_now), p_withdrawal.id, p_withdrawal.order_no, p_withdrawal.merchant_id, p_type,
     p_withdrawal.callback_url, p_body, 'WAITING_RETRY', 0, 0, 1, p_now, p_now, p_now)
  returning * into v_row;
  perform wake_callback(v_row, p_now);
end $$;
--> statement-breakpoint
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
    lease_until = null, updated_at = p_now
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
--> statement-breakpoint
-- Counts a withdrawal into its day, in all and to its beneficiary. The lock of the merchant's balance is held: nobody
-- else counts there meanwhile.
create function count_withdrawal(p withdrawal_orders, out merchant withdrawal_days, out beneficiary withdrawal_days)
language plpgsql
as $$
declare
  v_day date := (p.created_at at time zone 'UTC')::date;
begin
  insert into withdrawal_days as d (merchant_id, currency_code, day, beneficiary, orders, amount)
  values (p.merchant_id, p.currency_code, v_day, '', 1, p.amount)
  on conflict on constraint withdrawal_days_merchant_id_currency_code_day_beneficiary_pk
  do update set orders = d.orders + 1, amount = d.amount + excluded.amount
  returning * into merchant;
  insert into withdrawal_days as d (merchant_id, currency_code, day, beneficiary, orders, amount)
  values (p.merchant_id, p.currency_code, v_day, p.beneficiary_bank_code || ':' || p.beneficiary_account, 1, p.amount)
  on conflict on constraint withdrawal_days_merchant_id_currency_code_day_beneficiary_pk
  do update set orders = d.orders + 1, amount = d.amount + excluded.amount
  returning * into beneficiary;
end $$;
--> statement-breakpoint
-- Accepts a withdrawal with everything that must not be lost: its number, the frozen amount and fee, its event, its
-- outbox row, and where no person is needed its approval. Returns ACCEPTED or NUMBER_TAKEN; a balance that is too
-- low violates merchant_balances_never_negative, and nothing is left.
-- p_most: the day's counts and sums that an approval without people relies on; beyond them CW005 has it reviewed again.
create function accept_withdrawal(
  p_withdrawal jsonb, p_accounts text[], p_amounts numeric[], p_most jsonb, p_approved_body text
) returns text
language plpgsql
-- Twice this and the rest of a create is still within its answer's deadline.
set lock_timeout = '1s'
as $$
declare
  v withdrawal_orders := jsonb_populate_record(null::withdrawal_orders, p_withdrawal);
  v_days record;
begin
  insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
  values (v.merchant_id, v.merchant_order_no, 'withdrawal', v.id)
  on conflict do nothing;
  if not found then
    return 'NUMBER_TAKEN';
  end if;
  perform from merchant_balances
  where merchant_id = v.merchant_id and currency_code = v.currency_code for no key update;
  select * into v_days from count_withdrawal(v);
  if v.is_auto_approved and (
      (v_days.merchant).orders > coalesce((p_most ->> 'merchantOrders')::int, (v_days.merchant).orders)
      or (v_days.merchant).amount > coalesce((p_most ->> 'merchantAmount')::numeric, (v_days.merchant).amount)
      or (v_days.beneficiary).orders > coalesce((p_most ->> 'beneficiaryOrders')::int, (v_days.beneficiary).orders)
      or (v_days.beneficiary).amount > coalesce((p_most ->> 'beneficiaryAmount')::numeric, (v_days.beneficiary).amount)
  ) then
    raise exception 'reviewed by counts of before' using errcode = 'CW005';
  end if;

  insert into withdrawal_orders select v.*;
  if not post_transfer('WITHDRAWAL_FREEZE', 'withdrawal-freeze:' || v.id, v.currency_code, v.id, null,
      v.created_at, p_accounts, p_amounts) then
    raise exception 'withdrawal % was frozen before', v.order_no using errcode = 'CW003';
  end if;
  perform append_event(v.id, 'withdrawal', 'created',
    case v.origin when 'MERCHANT' then 'merchant:' || v.merchant_id else 'operators' end,
    jsonb_build_object('review', v.review, 'peopleNeeded', v.people_needed), v.created_at);
  if v.is_auto_approved then
    perform append_event(v.id, 'withdrawal', 'approved', 'system', '{}', v.created_at);
    perform notify_withdrawal(v, 'withdrawal_approved', p_approved_body, v.created_at);
  end if;
  perform wake_withdrawal(v, v.created_at);
  return 'ACCEPTED';
end $$;
--> statement-breakpoint
-- Records what a person decided; the order follows when the decisions are applied. Returns null, or why it was not
-- recorded: NOT_PENDING, ALREADY_DECIDED (the decisions that are there suffice) or DECIDED_BEFORE (by this person).
create function decide_withdrawal(
  p_id uuid, p_withdrawal uuid, p_operator uuid, p_verdict text, p_remarks text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from withdrawal_orders where id = p_withdrawal for no key update;
  if v.status is distinct from 'PENDING' then
    return 'NOT_PENDING';
  end if;
  if exists (select from withdrawal_decisions where withdrawal_id = v.id and operator_id = p_operator) then
    return 'DECIDED_BEFORE';
  end if;
  if exists (select from withdrawal_decisions where withdrawal_id = v.id and verdict = 'REJECT')
    or (select count(*) from withdrawal_decisions where withdrawal_id = v.id and verdict = 'APPROVE')
      >= v.people_needed then
    return 'ALREADY_DECIDED';
  end if;
  insert into withdrawal_decisions (id, withdrawal_id, operator_id, verdict, remarks, at)
  values (p_id, v.id, p_operator, p_verdict, p_remarks, p_now);
  perform append_event(v.id, 'withdrawal', 'decided', 'operator:' || p_operator,
    jsonb_strip_nulls(jsonb_build_object('verdict', p_verdict, 'remarks', p_remarks)), p_now);
  perform wake_withdrawal(v, p_now);
  return null;
end $$;
--> statement-breakpoint
-- Gives back what a withdrawal had frozen.
create function release_withdrawal(
  p withdrawal_orders, p_accounts text[], p_amounts numeric[], p_now timestamptz
) returns void
language plpgsql
as $$
begin
  if not post_transfer('WITHDRAWAL_RELEASE', 'withdrawal-release:' || p.id, p.currency_code, p.id, null, p_now,
      p_accounts, p_amounts) then
    raise exception 'withdrawal % was released before', p.order_no using errcode = 'CW003';
  end if;
end $$;
--> statement-breakpoint
-- PENDING → APPROVED or REJECTED, as far as the recorded decisions go. Returns whether it moved.
-- p_rejection: the rejection whose reason the body of its callback tells; one that came since has its own call.
create function apply_withdrawal_decisions(
  p_withdrawal uuid, p_rejection uuid, p_approved_body text, p_rejected_body text, p_accounts text[],
  p_amounts numeric[], p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
  v_decisive withdrawal_decisions;
begin
  select * into v from withdrawal_orders where id = p_withdrawal and status = 'PENDING' for no key update;
  if not found then
    return false;
  end if;
  select * into v_decisive from withdrawal_decisions
  where withdrawal_id = v.id and verdict = 'REJECT' order by at, id limit 1;
  if found and v_decisive.id is distinct from p_rejection then
    return false;
  elsif not found then
    select * into v_decisive from withdrawal_decisions
    where withdrawal_id = v.id and verdict = 'APPROVE' order by at, id offset v.people_needed - 1 limit 1;
    if not found then
      return false;
    end if;
  end if;
  update withdrawal_decisions set applied_at = p_now where withdrawal_id = v.id;
  if v_decisive.verdict = 'REJECT' then
    update withdrawal_orders
    set status = 'REJECTED', approval_remarks = v_decisive.remarks, ended_at = p_now, updated_at = p_now,
      claimed_by = null, claimed_at = null
    where id = v.id returning * into v;
    perform release_withdrawal(v, p_accounts, p_amounts, p_now);
    perform append_event(v.id, 'withdrawal', 'rejected', 'operator:' || v_decisive.operator_id,
      jsonb_build_object('remarks', v_decisive.remarks), p_now);
    perform notify_withdrawal(v, 'withdrawal_rejected', p_rejected_body, p_now);
  else
    update withdrawal_orders
    set status = 'APPROVED', approved_at = p_now, approved_by = v_decisive.operator_id,
      approval_remarks = v_decisive.remarks, updated_at = p_now, claimed_by = null, claimed_at = null
    where id = v.id returning * into v;
    perform append_event(v.id, 'withdrawal', 'approved', 'operator:' || v_decisive.operator_id,
      jsonb_strip_nulls(jsonb_build_object('remarks', v_decisive.remarks)), p_now);
    perform notify_withdrawal(v, 'withdrawal_approved', p_approved_body, p_now);
  end if;
  return true;
end $$;
--> statement-breakpoint
-- Tells those in charge, once, that nobody has decided in time.
create function escalate_withdrawal(p_withdrawal uuid, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  update withdrawal_orders set escalated_at = p_now, updated_at = p_now
  where id = p_withdrawal and status = 'PENDING' and escalated_at is null and decide_by <= p_now
  returning * into v;
  if not found then
    return false;
  end if;
  perform append_event(v.id, 'withdrawal', 'escalated', 'system', '{}', p_now);
  perform raise_alert('APPROVAL_OVERDUE', 'approval:' || v.id, v.merchant_id,
    jsonb_build_object('orderNo', v.order_no, 'reason', 'nobody has decided in time'), p_now);
  return true;
end $$;
--> statement-breakpoint
-- APPROVED → COMPLETED: the money is the beneficiary's. Frozen becomes what was paid and the fee.
create function complete_withdrawal(
  p_withdrawal uuid, p_bank_reference text, p_actual_cost numeric, p_actor text, p_accounts text[],
  p_amounts numeric[], p_callback_body text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  update withdrawal_orders
  set status = 'COMPLETED', completed_at = p_now, actual_amount = amount, bank_reference = p_bank_reference,
    actual_channel_cost = p_actual_cost, processed_at = coalesce(processed_at, p_now),
    needs_manual_intervention = false, updated_at = p_now
  where id = p_withdrawal and status = 'APPROVED'
  returning * into v;
  if not found then
    return false;
  end if;
  if not post_transfer('WITHDRAWAL_PAID', 'withdrawal-paid:' || v.id, v.currency_code, v.id, null, p_now,
      p_accounts, p_amounts) then
    raise exception 'withdrawal % was paid before', v.order_no using errcode = 'CW003';
  end if;
  perform append_event(v.id, 'withdrawal', 'completed', p_actor,
    jsonb_strip_nulls(jsonb_build_object('bankReference', p_bank_reference)), p_now);
  perform notify_withdrawal(v, 'withdrawal_completed', p_callback_body, p_now);
  perform wake_withdrawal(v, p_now);
  return true;
end $$;
--> statement-breakpoint
-- APPROVED → FAILED: the money is known not to have gone; what was frozen is given back.
create function fail_withdrawal(
  p_withdrawal uuid, p_reason text, p_actor text, p_accounts text[], p_amounts numeric[], p_callback_body text,
  p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  update withdrawal_orders
  set status = 'FAILED', ended_at = p_now, end_reason = p_reason, needs_manual_intervention = false, updated_at = p_now
  where id = p_withdrawal and status = 'APPROVED'
  returning * into v;
  if not found then
    return false;
  end if;
  perform release_withdrawal(v, p_accounts, p_amounts, p_now);
  perform append_event(v.id, 'withdrawal', 'failed', p_actor, jsonb_build_object('reason', p_reason), p_now);
  perform notify_withdrawal(v, 'withdrawal_failed', p_callback_body, p_now);
  perform wake_withdrawal(v, p_now);
  return true;
end $$;
--> statement-breakpoint
-- APPROVED → CANCELLED: whoever would have paid it by hand did not, and nobody else will. No callback.
create function cancel_withdrawal(
  p_withdrawal uuid, p_reason text, p_actor text, p_accounts text[], p_amounts numeric[], p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  update withdrawal_orders
  set status = 'CANCELLED', ended_at = p_now, end_reason = p_reason, needs_manual_intervention = false,
    updated_at = p_now
  where id = p_withdrawal and status = 'APPROVED'
  returning * into v;
  if not found then
    return false;
  end if;
  perform release_withdrawal(v, p_accounts, p_amounts, p_now);
  perform append_event(v.id, 'withdrawal', 'cancelled', p_actor, jsonb_build_object('reason', p_reason), p_now);
  perform wake_withdrawal(v, p_now);
  return true;
end $$;
