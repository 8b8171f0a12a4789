-- Who gathers withdrawals says how long all of them wait.
alter function accept_withdrawal(jsonb, text[], numeric[], jsonb, text) reset lock_timeout;
--> statement-breakpoint
-- Accepts several withdrawals of one balance in one transaction, under its lock; each has its own outcome: ACCEPTED,
-- NUMBER_TAKEN, INSUFFICIENT, or REVIEW_AGAIN, and of the last two nothing is left.
create function accept_withdrawals(p_merchant uuid, p_currency char(3), p_withdrawals jsonb)
returns table (id uuid, outcome text)
language plpgsql
-- Twice this for the own call and twice for the one before it is still within an answer's deadline.
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
    return next;
  end loop;
end $$;
