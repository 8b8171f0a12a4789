-- Debits, once, the merchant of a completed deposit whose money the payer's bank took back. The order stays COMPLETED.
-- The caller holds the locks of the deposit, its hold and the balance. Returns whether this call did it.
create or replace function recall_deposit(
  p_deposit uuid, p_change uuid, p_account uuid, p_from_held numeric, p_from_available numeric, p_owed numeric,
  p_accounts text[], p_amounts numeric[], p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
begin
  select * into v from deposit_orders where id = p_deposit and status = 'COMPLETED' for no key update;
  -- A separate statement: it sees what was refunded until we had the lock.
  if not found or refundable(v.id) < p_from_held + p_from_available + p_owed then
    return false;
  end if;
  insert into deposit_recalls
    (deposit_id, change_id, account_id, amount, from_held, from_available, owed, reason, at)
  values (v.id, p_change, p_account, p_from_held + p_from_available + p_owed, p_from_held, p_from_available, p_owed, p_reason, p_now)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  update held_credits set recalled_at = p_now
  where deposit_id = v.id and amount = p_from_held and released_at is null and recalled_at is null;
  if not found and p_from_held > 0 then
    raise exception 'deposit % has not % held', v.order_no, p_from_held using errcode = 'CW003';
  end if;
  if not post_transfer('DEPOSIT_RECALLED', 'deposit-recalled:' || v.id, v.currency_code, v.id, null, p_now,
      p_accounts, p_amounts) then
    raise exception 'deposit % was recalled before', v.order_no using errcode = 'CW003';
  end if;
  perform append_event(v.id, 'deposit', 'recalled', 'operators', jsonb_build_object(
    'amount', (p_from_held + p_from_available + p_owed)::text, 'fromHeld', p_from_held::text, 'fromAvailable', p_from_available::text,
    'owed', p_owed::text, 'reason', p_reason), p_now);
  return true;
end $$;

-- Records the bank debit of a recall. Returns null, or why it is not this one.
create or replace function link_recall_debit(p_deposit uuid, p_debit uuid, p_actor text, p_now timestamptz) returns text
language plpgsql
as $$
declare
  v deposit_recalls;
  v_refusal text;
begin
  select * into v from deposit_recalls where deposit_id = p_deposit for no key update;
  v_refusal := (select debit_refusal(p_debit, v.account_id, d.currency_code, v.amount)
    from deposit_orders d where d.id = p_deposit);
  if v_refusal is not null or v.bank_debit_id is not null then
    return coalesce(v_refusal, 'USED');
  end if;
  update deposit_recalls set bank_debit_id = p_debit where deposit_id = p_deposit;
  perform settle_debit(p_debit, p_actor, v.reason, p_now);
  return null;
end $$;

-- Money that becomes available to a merchant covers its debt first, whatever its source, in the same transaction.
create or replace function cover_receivable() returns trigger
language plpgsql
as $$
declare
  v merchant_balances;
  v_covered numeric;
begin
  select * into v from merchant_balances where id = new.id;
  v_covered := least(v.available, v.receivable);
  if v_covered = 0 then
    return null;
  end if;
  if not post_transfer('RECEIVABLE_COVERED',
      format('receivable-covered:%s:%s:%s', v.merchant_id, v.currency_code, v.version),
      v.currency_code, null, null, v.updated_at,
      array['merchant:' || v.merchant_id || ':available', 'merchant_receivable:' || v.merchant_id],
      array[-v_covered, v_covered]) then
    raise exception 'balance % was covered before', v.id using errcode = 'CW003';
  end if;
  insert into receivable_covers (id, merchant_id, currency_code, version, amount, at)
  values (new_id(v.updated_at), v.merchant_id, v.currency_code, v.version, v_covered, v.updated_at);
  return null;
end $$;

create or replace trigger merchant_balances_cover
after update on merchant_balances
for each row when (new.receivable > 0 and new.available > 0)
execute function cover_receivable();
