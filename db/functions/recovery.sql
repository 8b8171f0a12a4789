-- After the database was put back to an earlier moment: what channels have paid since is not known here any more.

-- Begins the next epoch: no attempt from now on has a reference of the lost time. Attempts that are being prepared end first.
create or replace function raise_epoch() returns integer
language sql
as $$ update platform set epoch = epoch + 1 where id = 1 returning epoch $$;

-- Takes over an attempt that a channel knows and the database has lost: as SENT, so that the order's workflow queries it
-- and follows the answer as it does for any, and nothing is sent while it is open; or as REFUSED. An attempt that is
-- prepared is marked as sent. A withdrawal that waits for people gets it too: when they approve, it is queried, not sent.
-- Returns whether the attempt is here now and was not before.
create or replace function adopt_payout(
  p_attempt uuid, p_withdrawal uuid, p_number smallint, p_channel uuid, p_reference text, p_refused text,
  p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from withdrawal_orders
  where id = p_withdrawal and status in ('PENDING', 'APPROVED') for no key update;
  -- A rejection that waits to be applied gives the money back: a person finds out first.
  if not found or exists (select from withdrawal_decisions where withdrawal_id = v.id and verdict = 'REJECT') then
    return false;
  end if;
  update payout_attempts
  set status = case when p_refused is null then 'SENT' else 'REFUSED' end, sent_at = p_now, last_error = p_refused,
    finished_at = case when p_refused is not null then p_now end, updated_at = p_now
  where withdrawal_id = v.id and reference = p_reference and status = 'PREPARED';
  if not found then
    if exists (
        select from payout_attempts
        where withdrawal_id = v.id
          and (number = p_number or p_refused is null and status not in ('REFUSED', 'FAILED', 'CANCELLED'))) then
      return false;
    end if;
    insert into payout_attempts
      (id, withdrawal_id, number, method, channel_id, reference, status, sent_at, last_error, finished_at, created_at,
       updated_at)
    values
      (p_attempt, v.id, p_number, 'CHANNEL', p_channel, p_reference,
       case when p_refused is null then 'SENT' else 'REFUSED' end, p_now, p_refused,
       case when p_refused is not null then p_now end, p_now, p_now);
  end if;
  -- Before the approval a withdrawal shows no payout (withdrawal_orders_dispatched).
  if p_refused is null and v.status = 'APPROVED' then
    update withdrawal_orders
    set payout_method = 'CHANNEL', channel_id = p_channel, channel_order_no = null, account_id = null,
      processed_at = coalesce(processed_at, p_now), updated_at = p_now
    where id = v.id;
  end if;
  perform append_event(v.id, 'withdrawal', 'payout_adopted', 'system',
    jsonb_strip_nulls(jsonb_build_object('channelId', p_channel, 'reference', p_reference, 'refused', p_refused)), p_now);
  perform wake_withdrawal(v, p_now);
  return true;
end $$;
