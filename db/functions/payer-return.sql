-- Money that is returned to its payer: OPEN → SENDING → COMPLETED, or CANCELLED. The money of a credit stays in
-- suspense, reserved; that of a deposit is frozen.

-- What may still be refunded of a deposit: the credited amount less refunds, completed or open. A recall takes the
-- whole amount.
create or replace function refundable(p_deposit uuid) returns numeric
language sql stable
as $$
  select case d.status when 'COMPLETED' then d.actual_amount else 0 end
    - coalesce((select sum(r.amount) from payer_returns r where r.deposit_id = d.id and r.status <> 'CANCELLED'), 0)
    - coalesce((select r.amount from deposit_recalls r where r.deposit_id = d.id), 0)
  from deposit_orders d where d.id = p_deposit
$$;

-- Opens the approved task. Returns null, or why not. p_return: the columns of payer_returns; p_accounts: what a refund
-- freezes.
create or replace function open_payer_return(
  p_return jsonb, p_accounts text[], p_amounts numeric[]
) returns text
language plpgsql
as $$
declare
  v payer_returns := jsonb_populate_record(null::payer_returns, p_return);
  v_refusal text;
begin
  if v.bank_transfer_id is not null then
    v_refusal := transfer_refusal(v.bank_transfer_id, v.currency_code, v.amount);
    if v_refusal is null then
      perform refuse_paid(v.bank_transfer_id, '{}', false);
    end if;
  else
    perform from deposit_orders
    where id = v.deposit_id and merchant_id = v.merchant_id and currency_code = v.currency_code for no key update;
    v_refusal := case when not found then 'NO_DEPOSIT' when refundable(v.deposit_id) < v.amount then 'USED' end;
  end if;
  if v_refusal is not null then
    return v_refusal;
  end if;
  insert into payer_returns select v.*;
  if v.deposit_id is null then
    perform settle_transfer(v.bank_transfer_id);
    return null;
  end if;
  if not post_transfer('REFUND_FROZEN', 'refund-frozen:' || v.id, v.currency_code, v.deposit_id, null, v.created_at,
      p_accounts, p_amounts) then
    raise exception 'refund % was frozen before', v.id using errcode = 'CW003';
  end if;
  perform append_event(v.deposit_id, 'deposit', 'refund_opened', 'operators',
    jsonb_build_object('amount', v.amount::numeric(20, 4)::text, 'reason', v.reason), v.created_at);
  return null;
end $$;

-- OPEN → SENDING: this person sends it from this account. Null, or why not.
create or replace function begin_payer_return(
  p_return uuid, p_account uuid, p_operator uuid, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v payer_returns;
begin
  select * into v from payer_returns where id = p_return for no key update;
  if v.status is distinct from 'OPEN' then
    return 'NOT_OPEN';
  end if;
  if is_sending_held('return:' || v.id) then
    return 'RECOVERY';
  end if;
  if not exists (
      select from bank_accounts where id = p_account and currency_code = v.currency_code and status <> 'DISABLED') then
    return 'WRONG_ACCOUNT';
  end if;
  update payer_returns set status = 'SENDING', account_id = p_account, sent_by = p_operator, sending_at = p_now
  where id = v.id;
  return null;
end $$;

-- SENDING → COMPLETED: the bank has paid it. p_debit: the debit that says so, or null. Returns null, or why not.
create or replace function complete_payer_return(
  p_return uuid, p_reference text, p_debit uuid, p_accounts text[], p_amounts numeric[], p_actor text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v payer_returns;
  v_refusal text;
begin
  select * into v from payer_returns where id = p_return for no key update;
  if v.status is distinct from 'SENDING' then
    return 'NOT_SENDING';
  end if;
  if p_debit is not null then
    v_refusal := debit_refusal(p_debit, v.account_id, v.currency_code, v.amount);
    if v_refusal is not null then
      return v_refusal;
    end if;
  end if;
  update payer_returns
  set status = 'COMPLETED', bank_reference = p_reference, bank_debit_id = p_debit, ended_at = p_now
  where id = v.id;
  if not post_transfer(case when v.deposit_id is null then 'MONEY_RETURNED' else 'REFUND_PAID' end,
      case when v.deposit_id is null then 'money-returned:' else 'refund-paid:' end || v.id, v.currency_code, v.deposit_id,
      v.bank_transfer_id, p_now, p_accounts, p_amounts) then
    raise exception 'return % was paid before', v.id using errcode = 'CW003';
  end if;
  if p_debit is not null then
    perform settle_debit(p_debit, p_actor, 'returned to its payer', p_now);
  end if;
  if v.deposit_id is not null then
    perform append_event(v.deposit_id, 'deposit', 'refund_paid', p_actor,
      jsonb_build_object('amount', v.amount::numeric(20, 4)::text), p_now);
  end if;
  return null;
end $$;

-- SENDING → OPEN, by another person than the sender: the bank has not paid it.
create or replace function release_payer_return(p_return uuid, p_operator uuid) returns boolean
language plpgsql
as $$
begin
  update payer_returns set status = 'OPEN', account_id = null, sent_by = null, sending_at = null
  where id = p_return and status = 'SENDING' and sent_by <> p_operator;
  return found;
end $$;

-- OPEN → CANCELLED: the money of a credit waits again; that of a deposit is the merchant's again.
create or replace function cancel_payer_return(
  p_return uuid, p_accounts text[], p_amounts numeric[], p_actor text, p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v payer_returns;
begin
  -- The credit's lock first, as in all functions that use a credit.
  perform from bank_transfers
  where id = (select bank_transfer_id from payer_returns where id = p_return) for no key update;
  update payer_returns set status = 'CANCELLED', ended_at = p_now, end_reason = p_reason
  where id = p_return and status = 'OPEN' and not is_unexplained('return:' || id)
  returning * into v;
  if not found then
    return false;
  end if;
  if v.deposit_id is null then
    perform settle_transfer(v.bank_transfer_id);
    return true;
  end if;
  if not post_transfer('REFUND_RELEASED', 'refund-released:' || v.id, v.currency_code, v.deposit_id, null, p_now,
      p_accounts, p_amounts) then
    raise exception 'refund % was released before', v.id using errcode = 'CW003';
  end if;
  perform append_event(v.deposit_id, 'deposit', 'refund_cancelled', p_actor,
    jsonb_build_object('amount', v.amount::numeric(20, 4)::text, 'reason', p_reason), p_now);
  return true;
end $$;
