-- Records a payer's claim to have paid an order. A second claim replaces the first and is open again.
create or replace function claim_payment(p_claim jsonb, p_receipt bytea, p_session uuid) returns boolean
language plpgsql
as $$
declare
  p payment_claims := jsonb_populate_record(null::payment_claims, p_claim);
begin
  p.receipt := p_receipt;
  perform from deposit_orders where id = p.deposit_id and status <> 'COMPLETED' for share;
  if not found then
    return false;
  end if;
  insert into payment_claims as c select (p).*
  on conflict (deposit_id) do update
  set reference = excluded.reference, reference_key = excluded.reference_key,
    receipt = coalesce(excluded.receipt, c.receipt), receipt_type = coalesce(excluded.receipt_type, c.receipt_type),
    closed_at = null, closed_by = null;
  perform append_event(p.deposit_id, 'deposit', 'payment_claimed', 'payer:' || p_session,
    jsonb_build_object('receipt', p.receipt is not null), p.at);
  return true;
end $$;

-- The claim of a completed order waits for nobody. Only payers at the cashier make claims.
create or replace function settle_claim() returns trigger
language plpgsql
as $$
begin
  update payment_claims set paid_at = new.completed_at where deposit_id = new.id;
  return null;
end $$;

create or replace trigger deposit_orders_claim_paid
after update of status on deposit_orders
for each row
when (old.status <> 'COMPLETED' and new.status = 'COMPLETED' and new.cashier_session_id is not null)
execute function settle_claim();
