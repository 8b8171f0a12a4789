-- Records a channel's message once and wakes the payout or deposit, which then queries its status. A message that contradicts the
-- recorded end of an attempt puts the attempt in doubt.
-- Returns false for a repeated message.
create or replace function record_channel_message(
  p_id uuid, p_channel uuid, p_message text, p_reference text, p_told text, p_headers jsonb, p_body bytea,
  p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
  v_attempt payout_attempts;
  v_deposit_attempt uuid;
begin
  insert into channel_messages (id, channel_id, message_id, reference, told, headers, body, received_at)
  values (p_id, p_channel, p_message, p_reference, p_told, p_headers, p_body, p_now)
  on conflict (channel_id, message_id) do nothing;
  if not found then
    return false;
  end if;
  select * into v_attempt from payout_attempts where reference = p_reference and channel_id = p_channel;
  if not found then
    select id into v_deposit_attempt from deposit_attempts
    where reference = p_reference and channel_id = p_channel;
    if found then
      perform wake_deposit_attempt(v_deposit_attempt, p_told, p_now);
    end if;
    return true;
  end if;
  select * into v from lock_withdrawal_of(v_attempt.id);
  update payout_attempts
  set failure_reported_at = case p_told
      when 'FAILED' then coalesce(failure_reported_at, p_now) else failure_reported_at end,
    success_reported_at = case
      when p_told in ('COMPLETED', 'RETURNED') then coalesce(success_reported_at, p_now)
      else success_reported_at end,
    doubted_at = case
      when status = 'SUCCEEDED' and p_told in ('FAILED', 'RETURNED') then p_now
      when status in ('FAILED', 'REFUSED') and p_told in ('COMPLETED', 'RETURNED') then p_now
      else doubted_at end,
    updated_at = p_now
  where id = v_attempt.id
  returning * into v_attempt;
  if v_attempt.status in ('SENT', 'UNKNOWN') or v_attempt.doubted_at is not null then
    perform wake_attempt(v_attempt, v, p_now);
  end if;
  return true;
end $$;
