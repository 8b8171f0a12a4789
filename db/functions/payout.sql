-- Each function locks the withdrawal before its attempt: they cannot deadlock.

create or replace function next_attempt(p_withdrawal uuid) returns smallint
language sql stable
as $$
  select (coalesce(max(number), 0) + 1)::smallint from payout_attempts where withdrawal_id = p_withdrawal
$$;

-- A payout's reference at its channel, for ever: W20260102K3XQ7ZP0M4TB-1-0-fastpay, from order, attempt, epoch and
-- channel. A restored database begins a new epoch, so that no reference is used again for another attempt. The row is
-- locked: no reference of an epoch is made after its end.
create or replace function payout_reference(p_order_no text, p_number smallint, p_channel uuid) returns text
language sql
as $$
  select p_order_no || '-' || p_number || '-' || p.epoch || '-' || c.channel_code
  from platform p, channels c where p.id = 1 and c.id = p_channel
  for share of p
$$;

-- The pause of an attempt's workflow before the next wake of one kind: none at first, then longer, so that no number of
-- messages fills its history (Temporal ends a workflow at 51,200 events).
create or replace function wake_rest(p_wakes integer) returns interval
language sql immutable
as $$
  select case when p_wakes < 10 then interval '0' when p_wakes < 60 then interval '1 minute' else interval '10 minutes' end
$$;

-- Wakes the workflow of an attempt, at once or when its pause is over. A wake that is still due covers everything that
-- is reported until 5 s before it: by then, the reporting transactions have committed.
create or replace function wake_attempt(
  p_attempt payout_attempts, p_withdrawal withdrawal_orders, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_at timestamptz := greatest(p_now, p_attempt.woken_at + wake_rest(p_attempt.wakes));
begin
  if p_attempt.woken_at > p_now + interval '5 seconds' then
    return;
  end if;
  update payout_attempts set wakes = wakes + 1, woken_at = v_at where id = p_attempt.id;
  perform wake_withdrawal(p_withdrawal, v_at);
end $$;

-- Wakes the workflows of channels' attempts that are under way and have not changed, or been woken, for longer than their
-- workflows need: one that is prepared since p_silent_before; one that was sent for the channel's timeout more, and not
-- before a failure may be final. Nothing queries one that a person must resolve: it is woken if silent since
-- p_unresolved_before. What a recovery holds waits; an attempt that was sent is still queried.
create or replace function wake_silent_payouts(
  p_silent_before timestamptz, p_unresolved_before timestamptz, p_parked_after timestamptz, p_limit integer,
  p_now timestamptz
) returns setof withdrawal_orders
language plpgsql
as $$
declare
  v record;
begin
  for v in
    select a as attempt, w as withdrawal
    from payout_attempts a
      cross join lateral (select greatest(a.updated_at, a.woken_at + wake_rest(a.wakes)) as touched) t
      join channels c on c.id = a.channel_id
      join withdrawal_orders w on w.id = a.withdrawal_id and w.status = 'APPROVED'
    -- The second condition holds for all that are found: so the order of a healthy one is not read.
    where a.status in ('PREPARED', 'SENT', 'UNKNOWN') and t.touched <= p_silent_before
      and case
        when a.status = 'PREPARED' then not is_payout_held(w.id)
        when w.needs_manual_intervention then t.touched <= p_unresolved_before
        else greatest(t.touched, a.failure_reported_at + make_interval(secs => c.failure_final_delay_seconds))
          <= p_silent_before - make_interval(secs => c.timeout_seconds)
      end
      and 'withdrawal:' || w.order_no not in (select keys_on_their_way(p_parked_after))
    order by a.created_at, a.id limit p_limit
    for no key update of w skip locked
  loop
    perform wake_attempt(v.attempt, v.withdrawal, p_now);
    return next v.withdrawal;
  end loop;
end $$;

-- Wakes the workflows of ended attempts whose review is overdue: a review queries up to 20 times, 30 s apart.
create or replace function wake_doubted_payouts(
  p_parked_after timestamptz, p_limit integer, p_now timestamptz
) returns setof withdrawal_orders
language plpgsql
as $$
declare
  v withdrawal_orders;
  v_attempt payout_attempts;
begin
  for v_attempt in
    select * from payout_attempts a
    where a.doubted_at <= p_now - interval '1 minute'
      and greatest(a.updated_at, a.woken_at + wake_rest(a.wakes)) <= p_now - interval '15 minutes'
    order by a.doubted_at, a.id limit p_limit
  loop
    select * into v from withdrawal_orders w
    where w.id = v_attempt.withdrawal_id
      and 'withdrawal:' || w.order_no not in (select keys_on_their_way(p_parked_after))
    for no key update skip locked;
    continue when not found;
    perform wake_attempt(v_attempt, v, p_now);
    return next v;
  end loop;
end $$;

-- Whether a withdrawal may be assigned to a payer: it is approved, no attempt or task is open or may have paid it, and no
-- recovery holds it.
create or replace function lock_payable(p_withdrawal uuid) returns withdrawal_orders
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from withdrawal_orders
  where id = p_withdrawal and status = 'APPROVED' and approved_at is not null for no key update;
  -- A separate statement, so that it sees what others committed before we got the lock.
  if is_payout_held(v.id) or exists (
      select from payout_attempts
      where withdrawal_id = v.id and status not in ('REFUSED', 'FAILED', 'CANCELLED')) then
    return null;
  end if;
  return v;
end $$;

-- Locks and returns the withdrawal of an attempt.
create or replace function lock_withdrawal_of(p_attempt uuid) returns setof withdrawal_orders
language sql
as $$
  select * from withdrawal_orders
  where id = (select withdrawal_id from payout_attempts where id = p_attempt)
  for no key update
$$;

-- Records an attempt to pay by a channel, before anything is sent. Returns whether the attempt is allowed: not if the
-- channel is on trial with another order. p_routing: why this channel was chosen; null: not known.
create or replace function prepare_routed_payout(
  p_attempt uuid, p_withdrawal uuid, p_channel uuid, p_cost numeric, p_routing jsonb, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
  v_number smallint;
  v_reference text;
begin
  v := lock_payable(p_withdrawal);
  if v.id is null or not claim_trial(p_channel, v.id, p_now) then
    return false;
  end if;
  v_number := next_attempt(v.id);
  v_reference := payout_reference(v.order_no, v_number, p_channel);
  insert into payout_attempts
    (id, withdrawal_id, number, method, channel_id, reference, status, created_at, updated_at)
  values
    (p_attempt, v.id, v_number, 'CHANNEL', p_channel, v_reference, 'PREPARED', p_now, p_now);
  update withdrawal_orders
  set payout_method = 'CHANNEL', channel_id = p_channel, channel_order_no = null, account_id = null,
    estimated_channel_cost = p_cost, updated_at = p_now
  where id = v.id;
  perform append_event(v.id, 'withdrawal', 'payout_prepared', 'system',
    jsonb_build_object('channelId', p_channel, 'reference', v_reference)
      || case when p_routing is null then '{}' else jsonb_build_object('routing', p_routing) end, p_now);
  return true;
end $$;

-- PREPARED → SENT, before the request is sent. Only the caller that gets true sends it; after a crash, nothing is sent.
-- Checks the approval again, and that no recovery has begun since.
create or replace function send_payout(p_attempt uuid, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  if v.status is distinct from 'APPROVED' or v.approved_at is null or is_payout_held(v.id) then
    return false;
  end if;
  update payout_attempts set status = 'SENT', sent_at = p_now, updated_at = p_now
  where id = p_attempt and status = 'PREPARED';
  if not found then
    return false;
  end if;
  update withdrawal_orders set processed_at = coalesce(processed_at, p_now), updated_at = p_now where id = v.id;
  perform append_event(v.id, 'withdrawal', 'payout_sent', 'system',
    jsonb_build_object('channelId', v.channel_id), p_now);
  return true;
end $$;

-- SENT → PREPARED, by the caller that marked it at p_sent_at and has not sent it: the database turned out to be a
-- restored one, the marker could not be stored outside of it, or the caller stood still. Another's mark stays.
create or replace function unsend_payout(
  p_attempt uuid, p_sent_at timestamptz, p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  update payout_attempts set status = 'PREPARED', sent_at = null, updated_at = p_now
  where id = p_attempt and status = 'SENT' and sent_at = p_sent_at and answered_at is null
    and failure_reported_at is null;
  if not found then
    return false;
  end if;
  perform append_event(v.id, 'withdrawal', 'payout_not_sent', 'system',
    jsonb_build_object('channelId', v.channel_id, 'reason', p_reason), p_now);
  return true;
end $$;

-- Records an answer that does not end the attempt. p_intervene: why a person is needed; alerted once.
create or replace function note_payout(
  p_attempt uuid, p_answer text, p_channel_order_no text, p_reason text, p_intervene text, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  update payout_attempts
  set status = case p_answer when 'UNKNOWN' then 'UNKNOWN' else 'SENT' end,
    channel_order_no = coalesce(p_channel_order_no, channel_order_no),
    answered_at = case p_answer when 'ACCEPTED' then p_now else answered_at end,
    failure_reported_at = case p_answer
      when 'FAILED' then coalesce(failure_reported_at, p_now)
      when 'ACCEPTED' then null
      else failure_reported_at end,
    last_error = p_reason, updated_at = p_now
  where id = p_attempt and status in ('SENT', 'UNKNOWN');
  if not found or v.status <> 'APPROVED' then
    return;
  end if;
  update withdrawal_orders
  set channel_order_no = coalesce(p_channel_order_no, channel_order_no), updated_at = p_now,
    needs_manual_intervention = needs_manual_intervention or p_intervene is not null,
    manual_reason = coalesce(p_intervene, manual_reason)
  where id = v.id and (p_channel_order_no is distinct from channel_order_no or p_intervene is not null);
  if p_intervene is not null and not v.needs_manual_intervention then
    perform append_event(v.id, 'withdrawal', 'intervention_needed', 'system',
      jsonb_build_object('reason', p_intervene), p_now);
    perform raise_alert('PAYOUT_INTERVENTION', 'payout:' || p_attempt, v.merchant_id,
      jsonb_build_object('orderNo', v.order_no, 'reason', p_intervene), p_now);
  end if;
end $$;

-- The channel has not paid and never will: another channel may be tried.
create or replace function refuse_payout(p_attempt uuid, p_reason text, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  update payout_attempts
  set status = 'REFUSED', last_error = p_reason, finished_at = p_now, updated_at = p_now
  where id = p_attempt and status in ('SENT', 'UNKNOWN');
  if not found then
    return false;
  end if;
  update withdrawal_orders
  set needs_manual_intervention = false, manual_reason = null, updated_at = p_now
  where id = v.id and needs_manual_intervention;
  perform append_event(v.id, 'withdrawal', 'payout_refused', 'system',
    jsonb_build_object('channelId', v.channel_id, 'reason', p_reason), p_now);
  return true;
end $$;

-- The attempt paid its withdrawal: both end, and the channel's charge is posted.
-- p_returned: the bank has already returned it; handled next.
create or replace function pay_withdrawal(
  p_attempt uuid, p_channel_order_no text, p_bank_reference text, p_cost numeric, p_returned boolean, p_actor text,
  p_accounts text[], p_amounts numeric[], p_cost_accounts text[], p_cost_amounts numeric[],
  p_callback_body text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  update payout_attempts
  set status = 'SUCCEEDED', channel_order_no = coalesce(p_channel_order_no, channel_order_no), cost = p_cost,
    bank_reference = p_bank_reference, last_error = null, doubted_at = case when p_returned then p_now end,
    finished_at = p_now, updated_at = p_now
  where id = p_attempt and status in ('SENT', 'UNKNOWN');
  if not found then
    return false;
  end if;
  update withdrawal_orders set channel_order_no = coalesce(p_channel_order_no, channel_order_no) where id = v.id;
  if not complete_withdrawal(v.id, p_bank_reference, p_cost, p_actor, p_accounts, p_amounts, p_callback_body, p_now) then
    raise exception 'withdrawal % was paid and is %', v.order_no, v.status using errcode = 'CW003';
  end if;
  if cardinality(p_cost_accounts) > 0 then
    perform post_transfer('CHANNEL_COST', 'channel-cost:' || p_attempt, v.currency_code, v.id, null, p_now,
      p_cost_accounts, p_cost_amounts);
  end if;
  return true;
end $$;

-- Fails the attempt and its withdrawal. p_recheck_at: when its channel is queried again; null for a mock channel, which
-- keeps no records.
create or replace function fail_payout(
  p_attempt uuid, p_reason text, p_actor text, p_accounts text[], p_amounts numeric[], p_callback_body text,
  p_recheck_at timestamptz, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  update payout_attempts a
  set status = 'FAILED', last_error = p_reason, finished_at = p_now, updated_at = p_now,
    recheck_at = (select p_recheck_at from channels c where c.id = a.channel_id and c.kind = 'HTTP')
  where a.id = p_attempt and a.status in ('SENT', 'UNKNOWN');
  if not found then
    return false;
  end if;
  if not fail_withdrawal(v.id, p_reason, p_actor, p_accounts, p_amounts, p_callback_body, p_now) then
    raise exception 'withdrawal % failed and is %', v.order_no, v.status using errcode = 'CW003';
  end if;
  return true;
end $$;

-- Ends the doubt about a finished attempt, unless a message came since. p_type: what is posted, once for each attempt.
create or replace function conclude_doubt(
  p_attempt uuid, p_doubted_at timestamptz, p_type text, p_accounts text[], p_amounts numeric[], p_alert text,
  p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
  v_key text := lower(replace(p_type, '_', '-')) || ':' || p_attempt;
begin
  select * into v from lock_withdrawal_of(p_attempt);
  update payout_attempts set doubted_at = null, updated_at = p_now
  where id = p_attempt and doubted_at = p_doubted_at;
  if not found then
    return false;
  end if;
  if p_type is not null
    and not post_transfer(p_type, v_key, v.currency_code, v.id, null, p_now, p_accounts, p_amounts) then
    return false;
  end if;
  if p_type is not null then
    insert into payout_aftermaths (id, attempt_id, type, amount, fee, from_available, owed, at)
    select new_id(p_now), p_attempt, p_type, sum(abs(amount)) filter (where account like 'channel:%'),
      coalesce(sum(amount) filter (where account = 'fee_income'), 0),
      coalesce(-sum(amount) filter (where account like 'merchant:%' and amount < 0), 0),
      coalesce(-sum(amount) filter (where account like 'merchant_receivable:%'), 0), p_now
    from unnest(p_accounts, p_amounts) as l(account, amount);
  end if;
  if p_alert is not null then
    perform append_event(v.id, 'withdrawal', lower(p_alert), 'system', jsonb_build_object('reason', p_reason), p_now);
    perform raise_alert(p_alert, lower(p_alert) || ':' || p_attempt, v.merchant_id,
      jsonb_build_object('orderNo', v.order_no, 'reason', p_reason), p_now);
  end if;
  return true;
end $$;

-- The same if the channel paid after all: its charge is posted, too.
create or replace function conclude_late_payment(
  p_attempt uuid, p_doubted_at timestamptz, p_type text, p_accounts text[], p_amounts numeric[], p_cost numeric,
  p_cost_accounts text[], p_cost_amounts numeric[], p_alert text, p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v withdrawal_orders;
begin
  if not conclude_doubt(p_attempt, p_doubted_at, p_type, p_accounts, p_amounts, p_alert, p_reason, p_now) then
    return false;
  end if;
  update payout_attempts set cost = p_cost where id = p_attempt;
  if p_cost > 0 then
    select * into v from lock_withdrawal_of(p_attempt);
    perform post_transfer('CHANNEL_COST', 'channel-cost:' || p_attempt, v.currency_code, v.id, null, p_now,
      p_cost_accounts, p_cost_amounts);
  end if;
  return true;
end $$;

-- Queries the channels of failed attempts whose recheck is due: each attempt is put in doubt, as if its channel had
-- reported a success.
-- p_after: delays after the failure, seconds. An attempt that was found paid is not queried again.
create or replace function recheck_payouts(p_after integer[], p_limit integer, p_now timestamptz)
returns setof withdrawal_orders
language plpgsql
as $$
declare
  v withdrawal_orders;
  v_attempt payout_attempts;
begin
  for v_attempt in
    select * from payout_attempts where recheck_at <= p_now order by recheck_at, id limit p_limit
  loop
    -- A locked one stays due for the next run.
    select * into v from withdrawal_orders where id = v_attempt.withdrawal_id for no key update skip locked;
    continue when not found;
    if exists (select from ledger_transfers
        where key in ('withdrawal-late-paid:' || v_attempt.id, 'channel-claimed:' || v_attempt.id)) then
      update payout_attempts set recheck_at = null, updated_at = p_now where id = v_attempt.id;
      continue;
    end if;
    update payout_attempts
    set rechecked = rechecked + 1, doubted_at = coalesce(doubted_at, p_now), updated_at = p_now,
      -- Missed times are skipped.
      recheck_at = (select min(finished_at + make_interval(secs => after)) from unnest(p_after) after
        where finished_at + make_interval(secs => after) > p_now)
    where id = v_attempt.id and recheck_at = v_attempt.recheck_at;
    if found then
      perform wake_withdrawal(v, p_now);
      return next v;
    end if;
  end loop;
end $$;
