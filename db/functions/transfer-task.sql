-- Creates the task of a manual payout, if no channel accepts the withdrawal. Returns whether it was allowed. p_routing:
-- why no channel was chosen; null: not known.
create or replace function open_routed_task(
  p_attempt uuid, p_withdrawal uuid, p_routing jsonb, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
  v_number smallint;
begin
  v := lock_payable(p_withdrawal);
  if v.id is null then
    return false;
  end if;
  v_number := next_attempt(v.id);
  insert into payout_attempts
    (id, withdrawal_id, number, method, reference, status, created_at, updated_at)
  values (p_attempt, v.id, v_number, 'MANUAL', v.order_no || '-' || v_number, 'OPEN', p_now, p_now);
  update withdrawal_orders
  set payout_method = 'MANUAL', channel_id = null, channel_order_no = null, estimated_channel_cost = null,
    updated_at = p_now
  where id = v.id;
  perform append_event(v.id, 'withdrawal', 'transfer_task_opened', 'system',
    jsonb_build_object('reference', v.order_no || '-' || v_number)
      || case when p_routing is null then '{}' else jsonb_build_object('routing', p_routing) end, p_now);
  return true;
end $$;

-- Manual payouts. Each function locks the withdrawal before its task, as payouts by channels do.

-- OPEN → CLAIMED: a person will pay it from this account. Returns null, or why not.
create or replace function claim_transfer_task(
  p_attempt uuid, p_operator uuid, p_account uuid, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  if v.status is distinct from 'APPROVED' then
    return 'NOT_OPEN';
  end if;
  if not exists (
      select from bank_accounts
      where id = p_account and currency_code = v.currency_code and status <> 'DISABLED'
        and uses_account(v.merchant_id, v.currency_code, p_account)) then
    return 'WRONG_ACCOUNT';
  end if;
  update payout_attempts
  set status = 'CLAIMED', claimed_by = p_operator, claimed_at = p_now, account_id = p_account, updated_at = p_now
  where id = p_attempt and method = 'MANUAL' and status = 'OPEN';
  if not found then
    return 'NOT_OPEN';
  end if;
  update withdrawal_orders set account_id = p_account, updated_at = p_now where id = v.id;
  perform append_event(v.id, 'withdrawal', 'transfer_claimed', 'operator:' || p_operator,
    jsonb_build_object('accountId', p_account), p_now);
  return null;
end $$;

-- CLAIMED → SENDING: the operator is about to pay, unless a recovery holds it, or the order is from before one and nobody
-- has said that it was not paid in the lost time. From then on only another operator can release the task.
create or replace function begin_transfer(p_attempt uuid, p_operator uuid, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  if v.status is distinct from 'APPROVED' or v.approved_at is null
    or is_sending_held('withdrawal:' || v.order_no) then
    return false;
  end if;
  update payout_attempts set status = 'SENDING', sending_at = p_now, updated_at = p_now
  where id = p_attempt and status = 'CLAIMED' and claimed_by = p_operator;
  if not found then
    return false;
  end if;
  update withdrawal_orders set processed_at = coalesce(processed_at, p_now), updated_at = p_now where id = v.id;
  perform append_event(v.id, 'withdrawal', 'transfer_begun', 'operator:' || p_operator, '{}', p_now);
  return true;
end $$;

-- SENDING → COMPLETED: the bank accepted the transfer; the withdrawal is paid.
create or replace function complete_transfer(
  p_attempt uuid, p_operator uuid, p_bank_reference text, p_proof text, p_accounts text[], p_amounts numeric[],
  p_callback_body text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  update payout_attempts
  set status = 'COMPLETED', bank_reference = p_bank_reference, proof = p_proof, finished_at = p_now, updated_at = p_now
  where id = p_attempt and status = 'SENDING' and claimed_by = p_operator;
  if not found then
    return false;
  end if;
  if not complete_withdrawal(v.id, p_bank_reference, null, 'operator:' || p_operator, p_accounts, p_amounts,
      p_callback_body, p_now) then
    raise exception 'withdrawal % was paid and is %', v.order_no, v.status using errcode = 'CW003';
  end if;
  return true;
end $$;

-- CLAIMED → OPEN by anybody, SENDING → OPEN by an operator other than the sender. Returns whether it was released.
create or replace function release_transfer_task(
  p_attempt uuid, p_operator uuid, p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  update payout_attempts
  set status = 'OPEN', claimed_by = null, claimed_at = null, account_id = null, sending_at = null, updated_at = p_now
  where id = p_attempt and (status = 'CLAIMED' or status = 'SENDING' and claimed_by <> p_operator);
  if not found then
    return false;
  end if;
  update withdrawal_orders set account_id = null, updated_at = p_now where id = v.id;
  perform append_event(v.id, 'withdrawal', 'transfer_released', 'operator:' || p_operator,
    jsonb_build_object('reason', p_reason), p_now);
  return true;
end $$;

-- OPEN or CLAIMED → CANCELLED, and the withdrawal with it. A task in SENDING is not cancelled, nor one that a channel may
-- or a person may have paid before the database was restored.
create or replace function cancel_transfer(
  p_attempt uuid, p_operator uuid, p_reason text, p_accounts text[], p_amounts numeric[], p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  if release_problem(v) is not null or is_unexplained('withdrawal:' || v.order_no) then
    return false;
  end if;
  update payout_attempts set status = 'CANCELLED', last_error = p_reason, finished_at = p_now, updated_at = p_now
  where id = p_attempt and status in ('OPEN', 'CLAIMED');
  if not found then
    return false;
  end if;
  if not cancel_withdrawal(v.id, p_reason, 'operator:' || p_operator, p_accounts, p_amounts, p_now) then
    raise exception 'withdrawal % has an open task and is %', v.order_no, v.status using errcode = 'CW003';
  end if;
  return true;
end $$;

-- Manual payouts of this amount, open or completed since the given time, that have no debit yet.
create or replace function debit_tasks(p_account uuid, p_amount numeric, p_currency char(3), p_done_since timestamptz)
returns table (id uuid, reference text, bank_reference text, order_no text, merchant_id uuid, beneficiary_account text)
language sql stable
as $$
  select a.id, a.reference, a.bank_reference, w.order_no, w.merchant_id, w.beneficiary_account
  from payout_attempts a join withdrawal_orders w on w.id = a.withdrawal_id
  where a.account_id = p_account and a.method = 'MANUAL'
    and (a.status = 'SENDING' or a.status = 'COMPLETED' and a.finished_at >= p_done_since)
    and w.amount = p_amount and w.currency_code = p_currency
    and not exists (select from bank_debits b where b.attempt_id = a.id)
$$;
