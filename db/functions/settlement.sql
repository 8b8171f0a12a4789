-- Proposes a settlement: a withdrawal by which operators pay a merchant its balance. Freezes its amount and awaits
-- approval. It has no callback, does not count to the merchant's daily limits, and has a number outside the merchants'.
-- Returns false, and writes nothing, if its account accepts no settlement now. A used reference violates
-- settlements_reference; a balance that is too low violates merchant_balances_never_negative.
create or replace function accept_settlement(
  p_withdrawal jsonb, p_settlement jsonb, p_accounts text[], p_amounts numeric[]
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders := jsonb_populate_record(null::withdrawal_orders, p_withdrawal);
  v_settlement settlements := jsonb_populate_record(null::settlements, p_settlement);
begin
  -- Disabling the account waits for this transaction.
  perform from settlement_accounts
  where id = v_settlement.account_id and merchant_id = v.merchant_id and currency_code = v.currency_code
    and disabled_at is null and usable_at <= v.created_at
  for share;
  if not found then
    return false;
  end if;
  insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
  values (v.merchant_id, v.merchant_order_no, 'withdrawal', v.id);
  insert into withdrawal_orders select v.*;
  insert into settlements select v_settlement.*;
  if not post_transfer('WITHDRAWAL_FREEZE', 'withdrawal-freeze:' || v.id, v.currency_code, v.id, null,
      v.created_at, p_accounts, p_amounts) then
    raise exception 'settlement % was frozen before', v.order_no using errcode = 'CW003';
  end if;
  perform append_event(v.id, 'withdrawal', 'created', 'operator:' || v_settlement.proposed_by,
    jsonb_build_object('settlement', v_settlement.reference, 'reason', v_settlement.reason,
      'review', v.review, 'peopleNeeded', v.people_needed), v.created_at);
  perform start_withdrawal(v);
  return true;
end $$;
