-- After the database was restored to an earlier state: it no longer knows what channels have paid since.

-- Begins the next epoch: no later attempt gets a reference that was used in the lost period. Waits for attempts that
-- are being prepared.
create or replace function raise_epoch() returns integer
language sql
as $$ update platform set epoch = epoch + 1 where id = 1 returning epoch $$;

-- A marker above another one, and its time in units of 10 us, so that two copies of this database raise different ones:
-- by their times, and by chance while the clock is behind the marker.
create or replace function next_marker(p_after bigint) returns bigint
language sql
as $$ select greatest(p_after, (extract(epoch from clock_timestamp()) * 100000)::bigint) + random(1, 100) $$;

-- Keeps each marker for a week. A trigger, so that none is missed that a role of an older release raises.
create or replace function keep_marker() returns trigger
language plpgsql
as $$
begin
  insert into raised_markers (marker, raised_at) values (new.marker, coalesce(new.raised_at, clock_timestamp()))
  on conflict do nothing;
  delete from raised_markers where marker in (
    select marker from raised_markers where marker < new.marker - 7 * 86400 * 100000::bigint order by marker limit 100);
  return null;
end $$;

create or replace trigger platform_marker_kept after update of marker on platform_marker
for each row when (new.marker <> old.marker)
execute function keep_marker();

-- Whether a marker that is kept outside was raised in a copy of this database whose commits are lost: it is ahead, or
-- this database never had it. One from before the oldest that is kept, or before the last recovery, is not judged.
create or replace function is_lost_marker(p_marker bigint) returns boolean
language sql stable
as $$
  select p_marker > m.marker
    or exists (select from raised_markers where marker < p_marker and marker >= coalesce(m.recovered_marker, 0))
      and not exists (select from raised_markers where marker = p_marker)
  from platform_marker m where m.id = 1
$$;

-- The highest lost marker of those that are kept outside, or null. Those of another platform are ignored.
create or replace function find_lost_marker(p_identity uuid, p_known bigint[]) returns bigint
language sql stable
as $$
  select max(known) from unnest(p_known) known, platform p
  where p.id = 1 and p.identity = p_identity and is_lost_marker(known)
$$;

-- Raises the marker. It is called between the mark of a payout as sent and its request, so that a copy of this database
-- without the mark has a lower marker, too. Not raised if it is behind the one outside (p_known, of p_identity) or in a
-- recovery: verdict BEHIND, RECOVERY or RAISED.
create or replace function raise_marker(
  p_identity uuid, p_known bigint, p_now timestamptz, out verdict text, out raised bigint, out epoch integer
)
language plpgsql
as $$
declare
  v_identity uuid;
begin
  select m.marker into raised from platform_marker m where m.id = 1 for no key update;
  select p.epoch, p.identity into epoch, v_identity from platform p where p.id = 1;
  if v_identity = p_identity and raised < p_known then
    verdict := 'BEHIND';
  elsif in_recovery() then
    verdict := 'RECOVERY';
  else
    update platform_marker m set marker = next_marker(m.marker), raised_at = p_now
    where m.id = 1 returning m.marker into raised;
    verdict := 'RAISED';
  end if;
end $$;

-- Whether a recovery is under way: the database was restored, and operators have not ended the recovery.
create or replace function in_recovery() returns boolean
language sql stable
as $$ select exists (select from recoveries where ended_at is null) $$;

-- Begins a recovery if the marker outside is a lost one, or on an operator's order (p_by_hand). Returns its id, or
-- null if one is under way or another process has begun it: from then on no lower marker is judged.
-- p_outside_epoch: the epochs of the lost period are never used again.
create or replace function begin_recovery(
  p_id uuid, p_outside bigint, p_outside_epoch integer, p_by_hand boolean, p_now timestamptz
) returns uuid
language plpgsql
as $$
declare
  v_marker platform_marker;
  v_epoch integer;
  v_outside bigint;
  v_next bigint;
  -- The last marker that the lost database and this one both had.
  v_common bigint;
  v_common_at timestamptz;
begin
  select * into v_marker from platform_marker where id = 1 for update;
  if p_by_hand and in_recovery() or not p_by_hand and not is_lost_marker(p_outside) then
    return null;
  end if;
  v_outside := case when p_by_hand then v_marker.marker else p_outside end;
  v_common := v_marker.marker;
  if v_outside < v_marker.marker then
    select marker, raised_at into v_common, v_common_at from raised_markers
    where marker < v_outside order by marker desc limit 1;
  end if;
  update platform set epoch = greatest(epoch, p_outside_epoch) + 1 where id = 1 returning epoch into v_epoch;
  v_next := next_marker(greatest(v_outside, v_marker.marker));
  update platform_marker set marker = v_next, recovered_marker = v_next, raised_at = p_now where id = 1;
  -- Restored again during the recovery: its findings may be lost as well.
  if in_recovery() then
    delete from recovery_findings f using recoveries r
    where r.id = f.recovery_id and r.ended_at is null and f.kind <> 'LOST_NUMBER';
    update recoveries
    set epoch = v_epoch, outside_marker = v_outside, asked_at = null, asking_until = null, begun_at = p_now
    where ended_at is null returning id into p_id;
  else
    insert into recoveries (id, epoch, database_marker, outside_marker, lost_since, begun_at)
    select p_id, v_epoch, v_common, v_outside,
      -- The time of the newest rows, or of the common marker if newer rows follow a lost one; less a minute:
      -- transactions commit a little later than their rows' times.
      coalesce(least(coalesce(v_common_at, greatest(v_marker.raised_at, max(e.at))), p_now), p_now)
        - interval '1 minute', p_now
    from (select at from order_events order by position desc limit 1) e;
  end if;
  perform raise_alert('DATABASE_PUT_BACK', 'recovery:' || v_epoch, null,
    jsonb_build_object('reason', 'marker ' || v_common || ' instead of ' || v_outside), p_now);
  return p_id;
end $$;

-- Whether a withdrawal's payout must wait: for the end of the recovery, for the answer of a channel that may know it, or
-- for people, because a channel has it and the order cannot follow.
create or replace function is_payout_held(p_withdrawal uuid) returns boolean
language sql stable
as $$
  select in_recovery() or exists (
    select from recovery_findings f join recoveries r on r.id = f.recovery_id
    where f.withdrawal_id = p_withdrawal and f.kind in ('UNANSWERED', 'UNEXPLAINED') and f.explained_by is null
      and r.epoch = (select max(epoch) from recoveries))
$$;

-- Whether people must first explain what the last recovery found about a manual payout, or a return to a payer
-- (p_subject: as the finding has it): that nobody paid it in the lost time. What a person paid is in no channel's records.
create or replace function is_unexplained(p_subject text) returns boolean
language sql stable
as $$
  select exists (
    select from recovery_findings f join recoveries r on r.id = f.recovery_id
    where f.subject = p_subject and f.kind in ('UNANSWERED', 'UNEXPLAINED', 'NOT_PAID', 'OPEN_RETURN')
      and f.explained_by is null and r.epoch = (select max(epoch) from recoveries))
$$;

-- Whether a person must not begin a manual payout, or a return to a payer.
create or replace function is_sending_held(p_subject text) returns boolean
language sql stable
as $$ select in_recovery() or is_unexplained(p_subject) $$;

-- Why a withdrawal's money must not be released yet, or null. Every channel must first be queried for a withdrawal from
-- before the recovery, and none may have paid it.
create or replace function release_problem(p withdrawal_orders) returns text
language sql stable
as $$
  select case
    when f.kind = 'NOT_PAID' or f.explained_by is not null then null
    when f.kind is not null then 'MAY_BE_PAID'
    when r.ended_at is null and p.created_at <= r.begun_at then 'NOT_ASKED'
    end
  from recoveries r
  left join recovery_findings f on f.recovery_id = r.id and f.withdrawal_id = p.id
  where r.epoch = (select max(epoch) from recoveries)
$$;

-- Why a recovery cannot end, or null: ENDED, or NOT_ASKED: no round of queries has begun since the end of the requests
-- that were under way (90 s; domain/recovery.ts).
create or replace function recovery_problem(p_recovery uuid) returns text
language sql stable
as $$
  select case
    when r.ended_at is not null then 'ENDED'
    when r.asked_at is null or r.asked_at < r.begun_at + interval '90 seconds' then 'NOT_ASKED'
    end
  from recoveries r where r.id = p_recovery
$$;

-- Grants one worker a lease to query the channels. Returns whether the caller has it.
create or replace function lead_recovery(p_recovery uuid, p_until timestamptz, p_now timestamptz) returns boolean
language plpgsql
as $$
begin
  update recoveries set asking_until = p_until
  where id = p_recovery and (asking_until is null or asking_until <= p_now);
  return found;
end $$;

-- Stores the finding about a subject, and replaces an earlier one, with what people explained about it.
create or replace function note_finding(
  p_id uuid, p_recovery uuid, p_kind text, p_subject text, p_withdrawal uuid, p_channel uuid, p_merchant uuid,
  p_detail text, p_entered_by uuid, p_now timestamptz
) returns void
language sql
as $$
  insert into recovery_findings
    (id, recovery_id, kind, subject, withdrawal_id, channel_id, merchant_id, detail, entered_by, found_at)
  values (p_id, p_recovery, p_kind, p_subject, p_withdrawal, p_channel, p_merchant, p_detail, p_entered_by, p_now)
  on conflict (recovery_id, subject) do update
  set kind = excluded.kind, detail = excluded.detail, found_at = excluded.found_at, explained_by = null
  where (recovery_findings.kind, recovery_findings.detail) is distinct from (excluded.kind, excluded.detail)
$$;

-- Stores the returns to payers that are open from before the recovery: people may have sent them in the lost time.
create or replace function note_open_returns(p_recovery uuid, p_now timestamptz) returns void
language sql
as $$
  insert into recovery_findings (id, recovery_id, kind, subject, merchant_id, detail, found_at)
  select new_id(p_now), r.id, 'OPEN_RETURN', 'return:' || o.id, o.merchant_id,
    o.amount::numeric(20, 4) || ' ' || o.currency_code || ', ' || o.status
      || ': may have been sent in the lost time; compare with the statement of the bank', p_now
  from recoveries r join payer_returns o on o.status in ('OPEN', 'SENDING') and o.created_at <= r.begun_at
  where r.id = p_recovery
  on conflict (recovery_id, subject) do nothing
$$;

-- Stores that two people have explained findings of the last recovery: nobody paid in the lost time, and what they held
-- goes on. Returns how many it changed.
create or replace function explain_findings(p_findings uuid[], p_change uuid) returns integer
language plpgsql
as $$
declare
  v_count integer;
begin
  update recovery_findings f set explained_by = p_change
  from recoveries r
  where f.id = any(p_findings) and f.explained_by is null
    and f.kind in ('UNANSWERED', 'UNEXPLAINED', 'NOT_PAID', 'OPEN_RETURN')
    and r.id = f.recovery_id and r.epoch = (select max(epoch) from recoveries);
  get diagnostics v_count = row_count;
  return v_count;
end $$;

-- Adopts an attempt that a channel knows and the database has lost: as SENT, so that the order's workflow queries it as
-- usual and sends nothing while it is open; or as REFUSED. A prepared attempt is marked as sent. A withdrawal that
-- awaits approval gets it, too: after the approval, it is queried, not sent. Returns whether this call inserted the
-- attempt.
-- p_absent: open attempts of which their channels know nothing, or that have ended, as people say. They ended in the lost
-- time: they were never sent, or this one has a later number, and an attempt follows only the end of the one before it.
-- If another attempt has its number, it gets the next one: its reference names it.
create or replace function adopt_payout(
  p_attempt uuid, p_withdrawal uuid, p_number smallint, p_channel uuid, p_reference text, p_refused text,
  p_now timestamptz, p_absent uuid[] default '{}'
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
  v_ended payout_attempts;
  v_reason text := 'its channel knows nothing of it, and a later attempt is known';
  v_number smallint;
begin
  select * into v from withdrawal_orders
  where id = p_withdrawal and status in ('PENDING', 'APPROVED') for no key update;
  -- A rejection that is not applied yet would release the money: an operator must resolve it first.
  if not found or exists (select from withdrawal_decisions where withdrawal_id = v.id and verdict = 'REJECT') then
    return false;
  end if;
  update payout_attempts
  set status = case when p_refused is null then 'SENT' else 'REFUSED' end, sent_at = p_now, last_error = p_refused,
    finished_at = case when p_refused is not null then p_now end, updated_at = p_now
  where withdrawal_id = v.id and reference = p_reference and status = 'PREPARED';
  if not found then
    select * into v_ended from payout_attempts
    where withdrawal_id = v.id and p_refused is null and id = any(p_absent)
      and (status in ('PREPARED', 'OPEN', 'CLAIMED') or status in ('SENT', 'UNKNOWN') and number < p_number);
    if exists (
        select from payout_attempts
        where withdrawal_id = v.id and id is distinct from v_ended.id
          and case when p_refused is null then status not in ('REFUSED', 'FAILED', 'CANCELLED')
            else number = p_number end)
      or exists (select from payout_attempts where reference = p_reference) then
      return false;
    end if;
    if v_ended.id is not null then
      update payout_attempts
      set status = case method when 'MANUAL' then 'CANCELLED' else 'REFUSED' end, last_error = v_reason,
        finished_at = p_now, updated_at = p_now
      where id = v_ended.id;
      perform append_event(v.id, 'withdrawal', 'payout_refused', 'system',
        jsonb_build_object('channelId', v_ended.channel_id, 'reason', v_reason), p_now);
    end if;
    select case when count(*) = 0 then p_number else next_attempt(v.id) end into v_number
    from payout_attempts where withdrawal_id = v.id and number = p_number;
    insert into payout_attempts
      (id, withdrawal_id, number, method, channel_id, reference, status, sent_at, last_error, finished_at, created_at,
       updated_at)
    values
      (p_attempt, v.id, v_number, 'CHANNEL', p_channel, p_reference,
       case when p_refused is null then 'SENT' else 'REFUSED' end, p_now, p_refused,
       case when p_refused is not null then p_now end, p_now, p_now);
  end if;
  -- Before the approval a withdrawal shows no payout (withdrawal_orders_dispatched).
  if p_refused is null and v.status = 'APPROVED' then
    update withdrawal_orders
    set payout_method = 'CHANNEL', channel_id = p_channel, channel_order_no = null, account_id = null,
      -- The estimate of the channel that was chosen before is not this one's.
      estimated_channel_cost = case when channel_id = p_channel then estimated_channel_cost end,
      needs_manual_intervention = false, manual_reason = null,
      processed_at = coalesce(processed_at, p_now), updated_at = p_now
    where id = v.id;
  end if;
  perform append_event(v.id, 'withdrawal', 'payout_adopted', 'system',
    jsonb_strip_nulls(jsonb_build_object('channelId', p_channel, 'reference', p_reference, 'refused', p_refused)), p_now);
  perform wake_withdrawal(v, p_now);
  return true;
end $$;

-- Adopts an attempt that people found at a channel that does not answer, or that the order could not follow, in the place
-- of the open one. The order follows the channel's answers; without them two people resolve the payout. Returns whether
-- it was adopted.
create or replace function adopt_found_payout(
  p_attempt uuid, p_finding uuid, p_channel uuid, p_reference text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v recovery_findings;
begin
  select * into v from recovery_findings where id = p_finding and kind in ('UNANSWERED', 'UNEXPLAINED', 'NOT_PAID')
  for update;
  if not found or not adopt_payout(p_attempt, v.withdrawal_id, next_attempt(v.withdrawal_id), p_channel, p_reference, null,
      p_now, array(select id from payout_attempts where withdrawal_id = v.withdrawal_id)) then
    return false;
  end if;
  update recovery_findings set kind = 'AT_CHANNEL', explained_by = null where id = v.id;
  return true;
end $$;
