-- Attaches a proof to a manual payout that the operator sends or has sent. A repeated file is attached once. Returns
-- null, or why it was not attached.
create or replace function attach_transfer_proof(
  p_id uuid, p_attempt uuid, p_operator uuid, p_type text, p_sha256 text, p_file bytea, p_most int, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  if not exists (
      select from payout_attempts
      where id = p_attempt and status in ('SENDING', 'COMPLETED') and claimed_by = p_operator) then
    return 'NOT_YOURS';
  end if;
  if exists (select from transfer_proofs where attempt_id = p_attempt and sha256 = p_sha256) then
    return null;
  end if;
  if (select count(*) from transfer_proofs where attempt_id = p_attempt) >= p_most then
    return 'TOO_MANY';
  end if;
  insert into transfer_proofs (id, attempt_id, type, file, sha256, attached_by, at)
  values (p_id, p_attempt, p_type, p_file, p_sha256, p_operator, p_now);
  perform append_event(v.id, 'withdrawal', 'transfer_proof_attached', 'operator:' || p_operator,
    jsonb_build_object('proofId', p_id, 'type', p_type), p_now);
  return null;
end $$;
