-- A bank reports that it paid someone other than the beneficiary of a manual payout: the withdrawal waits for an
-- operator, and the account takes nothing more until an operator has checked it.
create or replace function doubt_payee(p_attempt uuid, p_debit uuid, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v withdrawal_orders;
  v_account uuid;
  v_reason constant text := 'the bank paid another account than the beneficiary''s';
begin
  select account_id into v_account from payout_attempts where id = p_attempt;
  update bank_accounts set status = 'PAUSED', status_reason = v_reason, updated_at = p_now
  where id = v_account and (status = 'ACTIVE'
    -- Such a pause may end by itself (resume_account).
    or status = 'PAUSED' and status_reason = 'running balance does not add up');
  update withdrawal_orders set needs_manual_intervention = true, manual_reason = v_reason, updated_at = p_now
  where id = (select withdrawal_id from payout_attempts where id = p_attempt) and status in ('APPROVED', 'COMPLETED')
  returning * into v;
  perform append_event(v.id, 'withdrawal', 'intervention_needed', 'system',
    jsonb_build_object('reason', v_reason), p_now);
  perform raise_alert('PAYEE_DIFFERS', 'payee:' || p_debit, v.merchant_id,
    jsonb_build_object('orderNo', v.order_no, 'debitId', p_debit, 'accountId', v_account, 'reason', v_reason), p_now);
end $$;
