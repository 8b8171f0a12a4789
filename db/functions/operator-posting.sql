-- The unused part of a bank credit: its amount less what pays deposits, what operators posted and what is returned to
-- its payer.
create or replace function transfer_rest(p_transfer uuid) returns numeric
language sql stable
as $$
  select b.amount - allocated(b.id)
    - coalesce((select sum(p.amount) from operator_postings p
      where p.bank_transfer_id = b.id and p.reversed_at is null), 0)
    - coalesce((select sum(r.amount) from payer_returns r
      where r.bank_transfer_id = b.id and r.status <> 'CANCELLED'), 0)
  from bank_transfers b where b.id = p_transfer
$$;

-- The unexplained part of a bank debit: its amount less the payout, return or recall that it paid and what operators
-- posted.
create or replace function debit_rest(p_debit uuid) returns numeric
language sql stable
as $$
  select b.amount
    - coalesce((select w.amount from payout_attempts a join withdrawal_orders w on w.id = a.withdrawal_id
      where a.id = b.attempt_id), 0)
    - coalesce((select sum(p.amount) from operator_postings p
      where p.bank_debit_id = b.id and p.reversed_at is null), 0)
    - coalesce((select sum(r.amount) from payer_returns r where r.bank_debit_id = b.id), 0)
    - coalesce((select sum(r.amount) from deposit_recalls r where r.bank_debit_id = b.id), 0)
  from bank_debits b where b.id = p_debit
$$;

-- Records whether part of a credit still waits for operators; it is never matched automatically again. The caller holds
-- its lock.
create or replace function settle_transfer(p_transfer uuid) returns void
language sql
as $$
  update bank_transfers b
  set unmatched_reason = case when transfer_rest(b.id) > 0 then 'REOPENED' end
  where b.id = p_transfer
$$;

-- Records whether part of a debit is still unexplained. The caller holds its lock.
create or replace function settle_debit(p_debit uuid, p_actor text, p_reason text, p_now timestamptz) returns void
language sql
as $$
  update bank_debits b
  set explained_by = case when debit_rest(b.id) = 0 then coalesce(b.explained_by, p_actor) end,
    explained_at = case when debit_rest(b.id) = 0 then coalesce(b.explained_at, p_now) end,
    reason = case when debit_rest(b.id) = 0 then coalesce(b.reason, p_reason) end
  where b.id = p_debit and b.attempt_id is null
$$;

-- The unused part of the money that a channel received too late.
create or replace function late_rest(p_attempt uuid) returns numeric
language sql stable
as $$
  select l.amount - coalesce((select sum(p.amount) from operator_postings p
      where p.deposit_attempt_id = l.attempt_id and p.reversed_at is null), 0)
  from late_receipts l where l.attempt_id = p_attempt
$$;

-- Records whether part of it still waits for operators. The caller holds its lock.
create or replace function settle_late(p_attempt uuid, p_now timestamptz) returns void
language sql
as $$
  update late_receipts l
  set ended_at = case when late_rest(l.attempt_id) > 0 then null else coalesce(l.ended_at, p_now) end
  where l.attempt_id = p_attempt
$$;

-- Why this amount of it cannot be used, or null. Locks it.
create or replace function late_refusal(p_attempt uuid, p_channel uuid, p_currency char(3), p_amount numeric) returns text
language plpgsql
as $$
begin
  perform from late_receipts where attempt_id = p_attempt for no key update;
  -- A statement of its own: what others used until we had the lock is seen.
  return coalesce((
    select case
      when d.currency_code <> p_currency then 'OTHER_CURRENCY'
      when p_channel <> a.channel_id then 'OTHER_ACCOUNT'
      when late_rest(a.id) < p_amount then 'USED'
      else '' end
    from late_receipts l join deposit_attempts a on a.id = l.attempt_id join deposit_orders d on d.id = a.deposit_id
    where l.attempt_id = p_attempt), 'NO_RECEIPT');
end $$;

-- Why this amount of a credit cannot be used, or null. Locks it.
create or replace function transfer_refusal(p_transfer uuid, p_currency char(3), p_amount numeric) returns text
language plpgsql
as $$
declare
  v_currency char(3);
begin
  select currency_code into v_currency from bank_transfers where id = p_transfer for no key update;
  -- A statement of its own: what others used until we had the lock is seen.
  return case
    when v_currency is null then 'NO_TRANSFER'
    when v_currency <> p_currency then 'OTHER_CURRENCY'
    when transfer_rest(p_transfer) < p_amount then 'USED' end;
end $$;

-- The same of a debit.
create or replace function debit_refusal(
  p_debit uuid, p_account uuid, p_currency char(3), p_amount numeric
) returns text
language plpgsql
as $$
declare
  v bank_debits;
begin
  select * into v from bank_debits where id = p_debit for no key update;
  return case
    when v.id is null then 'NO_DEBIT'
    when v.account_id <> p_account then 'OTHER_ACCOUNT'
    when v.currency_code <> p_currency then 'OTHER_CURRENCY'
    when debit_rest(p_debit) < p_amount then 'USED' end;
end $$;

-- Posts, once, what operators decided, and uses that much of its credit or debit. Returns null, or why nothing was
-- posted. p_posting: the columns of operator_postings.
create or replace function post_by_operators(
  p_posting jsonb, p_accounts text[], p_amounts numeric[]
) returns text
language plpgsql
as $$
declare
  v operator_postings := jsonb_populate_record(null::operator_postings, p_posting);
  v_order uuid := coalesce(v.deposit_id, v.withdrawal_id);
  v_refusal text;
begin
  v.fee := coalesce(v.fee, 0);
  v.reversal_owed := 0;
  if v.bank_transfer_id is not null then
    v_refusal := transfer_refusal(v.bank_transfer_id, v.currency_code, v.amount);
    if v_refusal is null and v.kind in ('LATE_CREDIT', 'TOP_UP_RECEIVED', 'PAYOUT_RETURNED') then
      perform refuse_paid(v.bank_transfer_id, array_remove(array[v.deposit_id], null), v.kind = 'LATE_CREDIT');
    end if;
  end if;
  if v_refusal is null and v.deposit_attempt_id is not null then
    v_refusal := nullif(late_refusal(v.deposit_attempt_id, v.channel_id, v.currency_code, v.amount), '');
    if v_refusal is null and v.kind = 'LATE_CREDIT' then
      perform refuse_banked(v.deposit_attempt_id);
    end if;
  end if;
  if v_refusal is null and v.bank_debit_id is not null then
    v_refusal := debit_refusal(v.bank_debit_id, v.account_id, v.currency_code, v.amount);
  end if;
  if v_refusal is null and v.pair_id is not null then
    perform from operator_postings p
    where p.id = v.pair_id and p.kind = 'OWN_TRANSFER_OUT' and p.reversed_at is null
      and (p.amount, p.currency_code) = (v.amount, v.currency_code) for no key update;
    v_refusal := case when not found then 'NO_PAIR' end;
  end if;
  if v_refusal is null and v.kind in ('CLAIM_SETTLED', 'CLAIM_WRITTEN_OFF') then
    perform from channels where id = v.channel_id for no key update;
    v_refusal := (select case when coalesce(-sum(e.amount), 0) < v.amount then 'USED' end from ledger_entries e
      where e.account = 'channel_claim:' || v.channel_id and e.currency_code = v.currency_code);
  end if;
  if v_refusal is null and v.kind = 'COMMISSION_PAID' then
    perform from resellers where id = v.reseller_id for no key update;
    v_refusal := (select case when coalesce(sum(e.amount), 0) < v.amount then 'USED' end from ledger_entries e
      where e.account = 'reseller:' || v.reseller_id and e.currency_code = v.currency_code);
  end if;
  if v_refusal is not null then
    return v_refusal;
  end if;
  insert into operator_postings select v.*;
  if not post_transfer(v.kind, replace(lower(v.kind), '_', '-') || ':' || v.id, v.currency_code, v_order,
      v.bank_transfer_id, v.at, p_accounts, p_amounts) then
    raise exception 'posting % was made before', v.id using errcode = 'CW003';
  end if;
  if v.bank_transfer_id is not null then
    perform settle_transfer(v.bank_transfer_id);
  end if;
  if v.deposit_attempt_id is not null then
    perform settle_late(v.deposit_attempt_id, v.at);
  end if;
  if v.bank_debit_id is not null then
    perform settle_debit(v.bank_debit_id, v.posted_by, v.reason, v.at);
  end if;
  if v_order is not null then
    perform append_event(v_order, case when v.deposit_id is null then 'withdrawal' else 'deposit' end, lower(v.kind),
      'operators', jsonb_build_object('amount', v.amount::numeric(20, 4)::text, 'fee', v.fee::numeric(20, 4)::text,
        'reason', v.reason), v.at);
  end if;
  return null;
end $$;

-- Reverses a posting by operators, once: its credit or debit waits again. The caller holds the lock of the balance.
-- p_owed: the part that the merchant's balance does not cover. Returns whether this call did it.
create or replace function reverse_posting(
  p_posting uuid, p_change uuid, p_owed numeric, p_accounts text[], p_amounts numeric[], p_reason text,
  p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v operator_postings;
  v_order uuid;
begin
  update operator_postings set reversed_at = p_now, reversal_change_id = p_change, reversal_owed = p_owed
  where id = p_posting and reversed_at is null
    and not exists (select from operator_postings i where i.pair_id = p_posting and i.reversed_at is null)
  returning * into v;
  if not found then
    return false;
  end if;
  v_order := coalesce(v.deposit_id, v.withdrawal_id);
  if not post_transfer('POSTING_REVERSED', 'posting-reversed:' || v.id, v.currency_code, v_order, v.bank_transfer_id,
      p_now, p_accounts, p_amounts) then
    raise exception 'posting % was reversed before', v.id using errcode = 'CW003';
  end if;
  if v.bank_transfer_id is not null then
    perform from bank_transfers where id = v.bank_transfer_id for no key update;
    perform settle_transfer(v.bank_transfer_id);
    -- A channel's report may have waited for this (credit_channel_deposit).
    perform wake_deposit(d, p_now) from deposit_orders d
    where d.id in (select deposits_named(v.bank_transfer_id)) and d.status = 'MATCHED';
  end if;
  if v.deposit_attempt_id is not null then
    perform from late_receipts where attempt_id = v.deposit_attempt_id for no key update;
    perform settle_late(v.deposit_attempt_id, p_now);
  end if;
  if v.bank_debit_id is not null then
    perform from bank_debits where id = v.bank_debit_id for no key update;
    perform settle_debit(v.bank_debit_id, 'operators', p_reason, p_now);
  end if;
  if v_order is not null then
    perform append_event(v_order, case when v.deposit_id is null then 'withdrawal' else 'deposit' end, 'posting_reversed',
      'operators', jsonb_build_object('kind', v.kind, 'reason', p_reason), p_now);
  end if;
  return true;
end $$;
