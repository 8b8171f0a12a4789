-- The start arguments of a withdrawal's workflow.
create or replace function withdrawal_arguments(p_withdrawal withdrawal_orders, p_merchant_code text) returns jsonb
language sql immutable
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'version', 1, 'withdrawalId', p_withdrawal.id, 'orderNo', p_withdrawal.order_no,
    'merchantCode', p_merchant_code, 'merchantOrderNo', p_withdrawal.merchant_order_no,
    'status', p_withdrawal.status, 'currencyCode', p_withdrawal.currency_code,
    'amount', p_withdrawal.amount::text, 'traceId', p_withdrawal.trace_id))
$$;

-- Makes the relay start or wake the withdrawal's workflow.
create or replace function wake_withdrawal(p_withdrawal withdrawal_orders, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
  select new_id(p_now), 'withdrawal', 'withdrawal:' || p_withdrawal.order_no,
    withdrawal_arguments(p_withdrawal, m.merchant_code), 1, p_now, 0, p_now
  from merchants m
  where m.id = p_withdrawal.merchant_id
$$;

-- Has the relay start the workflow of a new withdrawal. One that people must decide moves no money yet.
create or replace function start_withdrawal(p_withdrawal withdrawal_orders) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
  select new_id(p_withdrawal.created_at), 'withdrawal', 'withdrawal:' || p_withdrawal.order_no,
    withdrawal_arguments(p_withdrawal, m.merchant_code), case p_withdrawal.status when 'PENDING' then 2 else 1 end,
    p_withdrawal.created_at, 0, p_withdrawal.created_at
  from merchants m
  where m.id = p_withdrawal.merchant_id
$$;

-- Wakes the workflow of a withdrawal that has ended. A workflow that ends it by one of its own steps ('system') reads the
-- order next, and a wake would begin it again after its end; but one that waits for a person may have left that step behind.
create or replace function wake_after_step(
  p_withdrawal withdrawal_orders, p_actor text, p_person_asked boolean, p_now timestamptz
) returns void
language plpgsql
as $$
begin
  if p_actor <> 'system' or p_person_asked then
    perform wake_withdrawal(p_withdrawal, p_now);
  end if;
end $$;

-- Writes a callback and its outbox row, where the order has a callback_url and a body is given: the merchant subscribes
-- to this event.
create or replace function notify_withdrawal(
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

-- Counts a withdrawal to its counted_day. Returns the new counts and sums of the merchant, and of the beneficiary in any
-- spelling of its number. p_beneficiaries: the beneficiary under each key of the ring: others of the day may be counted so.
create or replace function count_withdrawal(
  p withdrawal_orders, p_beneficiaries text[], out merchant withdrawal_days, out beneficiary withdrawal_days
)
language plpgsql
as $$
begin
  insert into withdrawal_days as d (merchant_id, currency_code, day, beneficiary, orders, amount)
  values (p.merchant_id, p.currency_code, p.counted_day, '', 1, p.amount)
  on conflict on constraint withdrawal_days_merchant_id_currency_code_day_beneficiary_pk
  do update set orders = d.orders + 1, amount = d.amount + excluded.amount
  returning * into merchant;
  insert into withdrawal_days as d (merchant_id, currency_code, day, beneficiary, orders, amount)
  values (p.merchant_id, p.currency_code, p.counted_day, counted_beneficiary(p), 1, p.amount)
  on conflict on constraint withdrawal_days_merchant_id_currency_code_day_beneficiary_pk
  do update set orders = d.orders + 1, amount = d.amount + excluded.amount;
  select p.merchant_id, p.currency_code, p.counted_day, counted_beneficiary(p), sum(d.orders)::int, sum(d.amount)
    into beneficiary
  from withdrawal_days d
  where (d.merchant_id, d.currency_code, d.day) = (p.merchant_id, p.currency_code, p.counted_day)
    and d.beneficiary = any(array_append(p_beneficiaries, counted_beneficiary(p)));
end $$;

-- Accepts a withdrawal: writes its number, the frozen amount and fee, its event, its outbox row and, where no person is
-- needed, its approval. Returns ACCEPTED or NUMBER_TAKEN; a balance that is too low violates
-- merchant_balances_never_negative, and nothing is written.
-- p_most: the daily counts and sums that an automatic approval relied on; beyond them CW005 makes the caller review again.
-- "beneficiaries": as count_withdrawal takes them.
create or replace function accept_withdrawal(
  p_withdrawal jsonb, p_accounts text[], p_amounts numeric[], p_most jsonb, p_approved_body text
) returns text
language plpgsql
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
  v.counted_day := (select local_day(v.created_at, m.time_zone) from merchants m where m.id = v.merchant_id);
  select * into v_days from count_withdrawal(v,
    array(select jsonb_array_elements_text(coalesce(p_most -> 'beneficiaries', '[]'))));
  if v.is_auto_approved and (
      (v_days.merchant).orders > coalesce((p_most ->> 'merchantOrders')::int, (v_days.merchant).orders)
      or (v_days.merchant).amount > coalesce((p_most ->> 'merchantAmount')::numeric, (v_days.merchant).amount)
      or (v_days.beneficiary).orders > coalesce((p_most ->> 'beneficiaryOrders')::int, (v_days.beneficiary).orders)
      or (v_days.beneficiary).amount > coalesce((p_most ->> 'beneficiaryAmount')::numeric, (v_days.beneficiary).amount)
  ) then
    raise exception 'reviewed by older counts' using errcode = 'CW005';
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
  perform start_withdrawal(v);
  return 'ACCEPTED';
end $$;

-- Accepts several withdrawals of one balance in one transaction, under its lock; each has its own outcome: ACCEPTED,
-- NUMBER_TAKEN, INSUFFICIENT, or REVIEW_AGAIN. Nothing is written for the last two.
create or replace function accept_withdrawals(p_merchant uuid, p_currency char(3), p_withdrawals jsonb)
returns table (id uuid, outcome text)
language plpgsql
-- A request waits for this call and at most one before it, each with up to two such waits: that fits into the deadline
-- of an answer.
set lock_timeout = '800ms'
as $$
declare
  v jsonb;
  v_constraint text;
begin
  perform from merchant_balances b where b.merchant_id = p_merchant and b.currency_code = p_currency for no key update;
  for v in select value from jsonb_array_elements(p_withdrawals) loop
    id := (v -> 'withdrawal' ->> 'id')::uuid;
    begin
      outcome := accept_withdrawal(v -> 'withdrawal',
        array(select jsonb_array_elements_text(v -> 'accounts')),
        array(select jsonb_array_elements_text(v -> 'amounts')::numeric), v -> 'most', v ->> 'body');
    exception
      when sqlstate 'CW005' then
        outcome := 'REVIEW_AGAIN';
      when check_violation then
        get stacked diagnostics v_constraint = constraint_name;
        if v_constraint <> 'merchant_balances_never_negative' then
          raise;
        end if;
        outcome := 'INSUFFICIENT';
    end;
    if outcome = 'ACCEPTED' and v ->> 'keyToNote' is not null then
      perform note_first_create((v ->> 'keyToNote')::uuid, (v -> 'withdrawal' ->> 'created_at')::timestamptz);
    end if;
    return next;
  end loop;
end $$;

-- Releases the money that a withdrawal froze.
create or replace function release_withdrawal(
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

-- APPROVED → COMPLETED: the beneficiary was paid. The frozen money becomes the payment and the fee.
create or replace function complete_withdrawal(
  p_withdrawal uuid, p_bank_reference text, p_actual_cost numeric, p_actor text, p_accounts text[],
  p_amounts numeric[], p_callback_body text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
  -- Locked first: another step may ask for a person right now.
  v_person_asked boolean := (
    select needs_manual_intervention from withdrawal_orders where id = p_withdrawal for no key update);
begin
  update withdrawal_orders
  set status = 'COMPLETED', completed_at = p_now, actual_amount = amount, bank_reference = p_bank_reference,
    actual_channel_cost = p_actual_cost, processed_at = coalesce(processed_at, p_now),
    needs_manual_intervention = false, updated_at = p_now,
    volume_month = case when origin = 'MERCHANT' and counts_volume(merchant_id, currency_code, 'WITHDRAWAL')
      then merchant_month(merchant_id, p_now) end
  where id = p_withdrawal and status = 'APPROVED'
  returning * into v;
  if not found then
    return false;
  end if;
  if not post_transfer('WITHDRAWAL_PAID', 'withdrawal-paid:' || v.id, v.currency_code, v.id, null, p_now,
      p_accounts, p_amounts) then
    raise exception 'withdrawal % was paid before', v.order_no using errcode = 'CW003';
  end if;
  if v.volume_month is not null then
    perform count_withdrawal_volume(v);
  end if;
  perform append_event(v.id, 'withdrawal', 'completed', p_actor,
    jsonb_strip_nulls(jsonb_build_object('bankReference', p_bank_reference)), p_now);
  perform notify_withdrawal(v, 'withdrawal_completed', p_callback_body, p_now);
  perform wake_after_step(v, p_actor, v_person_asked, p_now);
  return true;
end $$;

-- APPROVED → FAILED: the money was certainly not sent; the frozen money is released.
create or replace function fail_withdrawal(
  p_withdrawal uuid, p_reason text, p_actor text, p_accounts text[], p_amounts numeric[], p_callback_body text,
  p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
  -- Locked first: another step may ask for a person right now.
  v_person_asked boolean := (
    select needs_manual_intervention from withdrawal_orders where id = p_withdrawal for no key update);
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
  perform wake_after_step(v, p_actor, v_person_asked, p_now);
  return true;
end $$;

-- APPROVED → CANCELLED: the manual payout was cancelled before it was sent. No callback.
create or replace function cancel_withdrawal(
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

-- Wakes withdrawals that should have moved by themselves, and have no attempt under way: decided but not applied, past
-- the deadline but not escalated, approved but assigned to no payer, which is also how they go on after a recovery.
create or replace function wake_unmoved_withdrawals(
  p_overdue_before timestamptz, p_parked_after timestamptz, p_place_at timestamptz, p_place_id uuid,
  p_limit integer, p_now timestamptz
) returns setof withdrawal_orders
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  for v in
    select * from withdrawal_orders w
    where w.status in ('PENDING', 'APPROVED')
      and (p_place_id is null or (w.created_at, w.id) > (p_place_at, p_place_id))
      and case w.status
        when 'PENDING' then w.escalated_at is null and w.decide_by <= p_overdue_before
          or exists (select from withdrawal_decisions d
            where d.withdrawal_id = w.id and d.at <= p_overdue_before
              and (d.verdict = 'REJECT' or (select count(*) from withdrawal_decisions a
                where a.withdrawal_id = w.id and a.verdict = 'APPROVE') >= w.people_needed))
        -- What a recovery holds waits.
        else w.updated_at <= p_overdue_before
          -- By the predicate of the index payout_attempts_open: ended attempts are not read.
          and not exists (select from payout_attempts a where a.withdrawal_id = w.id
            and a.status in ('PREPARED', 'SENT', 'UNKNOWN', 'OPEN', 'CLAIMED', 'SENDING'))
          and not is_payout_held(w.id)
      end
      and 'withdrawal:' || w.order_no not in (select keys_on_their_way(p_parked_after))
    order by w.created_at, w.id limit p_limit
    for no key update of w skip locked
  loop
    perform wake_withdrawal(v, p_now);
    return next v;
  end loop;
end $$;
