-- Whether a channel may have paid a withdrawal: its frozen money must not be released then.
create or replace function may_be_paid(p_withdrawal uuid) returns boolean
language sql stable
as $$
  select exists (
    select from payout_attempts
    where withdrawal_id = p_withdrawal and method = 'CHANNEL' and status not in ('REFUSED', 'FAILED'))
$$;

-- Records a person's decision; the order's status changes when the decisions are applied. Returns null, or why nothing
-- was recorded: NOT_PENDING, ALREADY_DECIDED (the recorded decisions suffice), DECIDED_BEFORE (by this person), or
-- MAY_BE_PAID: a channel knows it from before the database was restored, so that it can only be approved. NOT_ASKED:
-- the channels were not queried for it yet. An approval counts against the day's amounts of p_counters: past one of
-- them the order needs a second person.
create or replace function decide_withdrawal_counted(
  p_id uuid, p_withdrawal uuid, p_operator uuid, p_verdict text, p_remarks text, p_counters jsonb,
  p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v withdrawal_orders;
  v_counters jsonb;
  v_past text[];
  v_problem text;
begin
  select * into v from withdrawal_orders where id = p_withdrawal for no key update;
  if v.status is distinct from 'PENDING' then
    return 'NOT_PENDING';
  end if;
  if exists (select from withdrawal_decisions where withdrawal_id = v.id and operator_id = p_operator) then
    return 'DECIDED_BEFORE';
  end if;
  if p_verdict = 'REJECT' then
    v_problem := case when may_be_paid(v.id) then 'MAY_BE_PAID' else release_problem(v) end;
    if v_problem is not null then
      return v_problem;
    end if;
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
  if p_verdict = 'APPROVE' and jsonb_array_length(p_counters) > 0 then
    v_counters := counters_of(v, p_counters);
    v_past := count_day_amounts(v_counters, v.currency_code, v.amount, p_now);
    if v_past <> '{}' then
      update withdrawal_orders
      set people_needed = 2, updated_at = p_now,
        review = jsonb_set(review, '{reasons}', review -> 'reasons' || '["DAY_AMOUNT_PASSED"]')
      where id = v.id and people_needed < 2;
      perform tell_day_amounts(v_past, v_counters, v.currency_code, v.merchant_id, p_now);
    end if;
  end if;
  perform wake_withdrawal(v, p_now);
  return null;
end $$;

-- PENDING → APPROVED or REJECTED, if the recorded decisions suffice. Returns whether the status changed. p_rejection:
-- the rejection that the callback's body was built for; a newer one is applied by its own call. In a recovery a
-- rejection waits until every channel was queried.
create or replace function apply_withdrawal_decisions(
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
  if found and (v_decisive.id is distinct from p_rejection or release_problem(v) is not null) then
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

-- Raises an alert, once, that nobody decided in time.
create or replace function escalate_withdrawal(p_withdrawal uuid, p_now timestamptz) returns boolean
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
