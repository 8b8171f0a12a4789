-- Deposits that a channel takes, and those to an account on which a channel reports. Each function locks the deposit
-- before its attempt: they cannot deadlock.

-- Locks and returns the deposit of an attempt.
create or replace function lock_deposit_of(p_attempt uuid) returns setof deposit_orders
language sql
as $$
  select * from deposit_orders
  where id = (select deposit_id from deposit_attempts where id = p_attempt)
  for no key update
$$;

-- Records an attempt to open the deposit at a channel, before anything is sent. Returns whether it is allowed: no other
-- attempt has the deposit or may have it, this channel has had no attempt, it is not on trial with another order, and
-- its limits have room for the share of the deposit, which is counted at the same time.
create or replace function prepare_channel_deposit(
  p_attempt uuid, p_deposit uuid, p_channel uuid, p_cost numeric, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
  v_number smallint;
  v_reference text;
  v_outcome text;
  v_day date;
begin
  -- First, because a change of the limits locks the channel and then its deposits.
  perform from channels c where c.id = p_channel and counts_received(c) for no key update;
  select * into v from deposit_orders where id = p_deposit and status = 'PENDING' for no key update;
  if not found or exists (
      select from deposit_attempts a
      where a.deposit_id = p_deposit and (a.status <> 'REFUSED' or a.channel_id = p_channel)) then
    return false;
  end if;
  -- An order to an account waits for its bank credit, whatever its channel reports.
  if v.account_id is null and not claim_trial(p_channel, v.id, p_now) then
    return false;
  end if;
  if v.account_id is null and (v.channel_id <> p_channel or v.quota_day is null) then
    select r.outcome, r.quota_day into v_outcome, v_day
    from reserve_at_channel(p_channel, v.currency_code, v.amount, p_now) r;
    if v_outcome is not null then
      return false;
    end if;
    if v.quota_day is not null then
      perform uncount_share(v);
    end if;
    v.channel_id := p_channel;
    v.quota_day := v_day;
    if v_day is not null then
      perform count_share(v);
    end if;
  end if;
  v_number := (select coalesce(max(number), 0) + 1 from deposit_attempts where deposit_id = p_deposit);
  v_reference := payout_reference(v.order_no, v_number, p_channel);
  insert into deposit_attempts (id, deposit_id, number, channel_id, reference, status, created_at, updated_at)
  values (p_attempt, v.id, v_number, p_channel, v_reference, 'PREPARED', p_now, p_now);
  update deposit_orders
  set channel_id = p_channel, quota_day = v.quota_day, estimated_channel_cost = p_cost, updated_at = p_now
  where id = v.id;
  perform append_event(v.id, 'deposit', 'channel_chosen', 'system',
    jsonb_build_object('channelId', p_channel, 'reference', v_reference), p_now);
  return true;
end $$;

-- PREPARED → SENT, before the request is sent. Only the caller that gets true sends it; after a crash, nothing is sent.
create or replace function send_channel_deposit(p_attempt uuid, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
begin
  select * into v from lock_deposit_of(p_attempt);
  if v.status is distinct from 'PENDING' or v.expire_at <= p_now then
    return false;
  end if;
  update deposit_attempts set status = 'SENT', sent_at = p_now, updated_at = p_now
  where id = p_attempt and status = 'PREPARED';
  return found;
end $$;

-- The channel refuses the deposit: another one may be tried.
create or replace function refuse_channel_deposit(p_attempt uuid, p_reason text, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
begin
  select * into v from lock_deposit_of(p_attempt);
  update deposit_attempts set status = 'REFUSED', last_error = p_reason, updated_at = p_now
  where id = p_attempt and status in ('PREPARED', 'SENT');
  if not found then
    return false;
  end if;
  perform append_event(v.id, 'deposit', 'channel_refused', 'system',
    jsonb_build_object('channelId', v.channel_id, 'reason', p_reason), p_now);
  return true;
end $$;

-- SENT → OPEN: the channel has accepted it. Its payment details become the order's, unless the order is paid to an
-- account.
create or replace function open_channel_deposit(
  p_attempt uuid, p_channel_order_no text, p_payment_url text, p_payment_info jsonb, p_snapshot jsonb,
  p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
begin
  select * into v from lock_deposit_of(p_attempt);
  update deposit_attempts
  set status = 'OPEN', channel_order_no = p_channel_order_no, last_error = null, updated_at = p_now
  where id = p_attempt and status = 'SENT';
  if not found then
    return false;
  end if;
  update deposit_orders
  set channel_order_no = p_channel_order_no,
    payment_url = case when account_id is null then p_payment_url end,
    payment_info = case when account_id is null then p_payment_info end,
    payment_snapshot = case when account_id is null then payment_snapshot || p_snapshot else payment_snapshot end,
    updated_at = p_now
  where id = v.id;
  perform append_event(v.id, 'deposit', 'channel_opened', 'system',
    jsonb_build_object('channelOrderNo', p_channel_order_no), p_now);
  return true;
end $$;

-- Records that an attempt was queried, and what was unclear.
create or replace function note_channel_deposit(p_attempt uuid, p_reason text, p_now timestamptz) returns void
language sql
as $$ update deposit_attempts set last_error = p_reason, updated_at = p_now where id = p_attempt $$;

-- The channel reports a payment, which it has received or which is under way (p_received null): PENDING → MATCHED,
-- once. An order that a bank credit pays, or a final one, stays unchanged. p_callback_body: of deposit.matched, or
-- null.
create or replace function match_channel_deposit(
  p_attempt uuid, p_channel_order_no text, p_received numeric, p_charge numeric, p_cost numeric,
  p_callback_body text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
  v_was_pending boolean;
begin
  select * into v from lock_deposit_of(p_attempt);
  if v.status not in ('PENDING', 'MATCHED') or exists (
      select from transfer_allocations where deposit_id = v.id and released_at is null) then
    return false;
  end if;
  v_was_pending := v.status = 'PENDING';
  update deposit_attempts
  set status = case when p_received is null then 'OPEN' else 'PAID' end,
    channel_order_no = coalesce(p_channel_order_no, channel_order_no),
    received = p_received, charge = p_charge, cost = p_cost, last_error = null, updated_at = p_now
  where id = p_attempt and status in ('SENT', 'OPEN');
  if not found then
    return false;
  end if;
  -- A repeated report changes nothing that a merchant sees.
  if v_was_pending or v.channel_order_no is distinct from coalesce(p_channel_order_no, v.channel_order_no) then
    update deposit_orders
    set status = 'MATCHED', matched_at = coalesce(matched_at, p_now), updated_at = p_now,
      channel_order_no = coalesce(p_channel_order_no, channel_order_no)
    where id = v.id
    returning * into v;
  end if;
  -- The received amount counts instead of the requested one, never both.
  if p_received is not null and v.account_id is null then
    if v.quota_day is not null then
      perform uncount_share(v);
      update deposit_orders set quota_day = null where id = v.id;
    end if;
    perform count_receipt(p_attempt, p_received, p_now);
  end if;
  if v_was_pending then
    perform append_event(v.id, 'deposit', 'matched', 'system',
      jsonb_build_object('channelId', v.channel_id), p_now);
    perform notify_deposit(v, 'deposit_matched', p_callback_body, p_now);
  end if;
  return true;
end $$;

-- MATCHED → COMPLETED by what the channel received, and the channel's charge. The order stays MATCHED, with an alert,
-- while operators have used the same payment, as a bank credit shows it.
create or replace function credit_channel_deposit(
  p_attempt uuid, p_actual numeric, p_fee numeric, p_cost numeric, p_accounts text[], p_amounts numeric[],
  p_cost_accounts text[], p_cost_amounts numeric[], p_callback_body text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
begin
  select * into v from lock_deposit_of(p_attempt);
  if not exists (select from deposit_attempts where id = p_attempt and status = 'PAID') or exists (
      select from transfer_allocations where deposit_id = v.id and released_at is null) then
    return false;
  end if;
  if v.account_id is not null then
    perform lock_payments(array[v.id]);
    if used_by_operators(v) then
      perform raise_alert('DEPOSIT_CONTRADICTED', 'payment_used:' || p_attempt, v.merchant_id,
        jsonb_build_object('orderNo', v.order_no, 'reason', 'the channel reports COMPLETED, and operators have used the bank''s credit of this payment: reverse that, or cancel the order'), p_now);
      return false;
    end if;
  end if;
  if not credit_deposit(v.id, p_actual, p_fee, p_accounts, p_amounts, p_callback_body, p_now) then
    return false;
  end if;
  update deposit_orders set actual_channel_cost = p_cost where id = v.id;
  if cardinality(p_cost_accounts) > 0 then
    perform post_transfer('CHANNEL_COST', 'channel-cost:' || p_attempt, v.currency_code, v.id, null, p_now,
      p_cost_accounts, p_cost_amounts);
  end if;
  return true;
end $$;

-- PENDING or MATCHED → FAILED: the channel reports a failure, or no channel accepts it (p_attempt null). Not if money
-- was received.
create or replace function fail_deposit(p_deposit uuid, p_attempt uuid, p_reason text, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
begin
  select * into v from deposit_orders where id = p_deposit and status in ('PENDING', 'MATCHED') for no key update;
  if not found or exists (
      select from transfer_allocations where deposit_id = v.id and released_at is null) then
    return false;
  end if;
  if p_attempt is not null then
    update deposit_attempts set status = 'FAILED', last_error = p_reason, updated_at = p_now
    where id = p_attempt and status in ('SENT', 'OPEN');
    if not found then
      return false;
    end if;
  end if;
  update deposit_orders set status = 'FAILED', updated_at = p_now where id = v.id;
  perform append_event(v.id, 'deposit', 'failed', 'system', jsonb_build_object('reason', p_reason), p_now);
  return true;
end $$;

-- Wakes the workflow of a deposit's attempt, at once or when its pause is over (wake_rest). p_told: what the channel
-- reports; a report that contradicts the order's final status puts the attempt in doubt, and has no other effect.
create or replace function wake_deposit_attempt(p_attempt uuid, p_told text, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v deposit_orders;
  v_attempt deposit_attempts;
  v_at timestamptz;
begin
  select * into v from lock_deposit_of(p_attempt);
  update deposit_attempts
  set doubted_at = p_now
  where id = p_attempt and case
    when v.status = 'COMPLETED' and status = 'PAID' then p_told in ('FAILED', 'RETURNED')
    -- A bank credit has paid it: the channel's report agrees.
    when v.status = 'COMPLETED' and v.account_id is not null then false
    when v.status in ('COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED') or status = 'REFUSED' then p_told = 'COMPLETED'
    else false end;
  select * into v_attempt from deposit_attempts where id = p_attempt;
  if v.status not in ('PENDING', 'MATCHED') and v_attempt.doubted_at is null then
    return;
  end if;
  v_at := greatest(p_now, v_attempt.woken_at + wake_rest(v_attempt.wakes));
  if v_attempt.woken_at > p_now + interval '5 seconds' then
    return;
  end if;
  update deposit_attempts set wakes = wakes + 1, woken_at = v_at where id = p_attempt;
  perform wake_deposit(v, v_at, p_told = 'COMPLETED');
end $$;

-- Ends the doubt about an attempt, unless a message came since. p_alert: the alert for operators.
create or replace function conclude_deposit_doubt(
  p_attempt uuid, p_doubted_at timestamptz, p_alert text, p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
begin
  select * into v from lock_deposit_of(p_attempt);
  update deposit_attempts set doubted_at = null, updated_at = p_now
  where id = p_attempt and doubted_at = p_doubted_at;
  if not found then
    return false;
  end if;
  if p_alert is not null then
    perform append_event(v.id, 'deposit', lower(p_alert), 'system', jsonb_build_object('reason', p_reason), p_now);
    perform raise_alert(p_alert, lower(p_alert) || ':' || p_attempt, v.merchant_id,
      jsonb_build_object('orderNo', v.order_no, 'reason', p_reason), p_now);
  end if;
  return true;
end $$;

-- Posts, once, what a channel received for an order that ended without it: channel → suspense, where it waits for
-- operators, and the channel's charge. The caller holds the lock of the deposit. Returns whether this call did it.
create or replace function receive_late(p_attempt uuid, p_amount numeric, p_cost numeric, p_reason text, p_now timestamptz)
returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
  v_channel text;
begin
  select d.* into v from deposit_orders d join deposit_attempts a on a.deposit_id = d.id where a.id = p_attempt;
  insert into late_receipts (attempt_id, merchant_id, amount, cost, at)
  values (p_attempt, v.merchant_id, p_amount, p_cost, p_now)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  update deposit_attempts set recheck_at = null where id = p_attempt;
  perform count_receipt(p_attempt, p_amount, p_now);
  v_channel := 'channel:' || (select channel_id from deposit_attempts where id = p_attempt);
  perform post_transfer('LATE_RECEIVED', 'late-received:' || p_attempt, v.currency_code, v.id, null, p_now,
    array[v_channel, 'suspense'], array[-p_amount, p_amount]);
  if p_cost > 0 then
    perform post_transfer('CHANNEL_COST', 'channel-cost:' || p_attempt, v.currency_code, v.id, null, p_now,
      array['channel_cost', v_channel], array[-p_cost, p_cost]);
  end if;
  perform append_event(v.id, 'deposit', 'late_channel_deposit', 'system', jsonb_build_object('reason', p_reason), p_now);
  perform raise_alert('LATE_CHANNEL_DEPOSIT', 'late_channel_deposit:' || p_attempt, v.merchant_id,
    jsonb_build_object('orderNo', v.order_no, 'reason', p_reason), p_now);
  return true;
end $$;

-- Ends the doubt about an attempt whose channel has the money of an order that ended without it, and posts that money.
-- If another message came since, the doubt continues, but the money is still posted. p_cost: the channel's charge.
create or replace function receive_late_deposit(
  p_attempt uuid, p_doubted_at timestamptz, p_cost numeric, p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
begin
  select * into v from lock_deposit_of(p_attempt);
  if v.status in ('PENDING', 'MATCHED') then
    return false;
  end if;
  update deposit_attempts set doubted_at = null, updated_at = p_now
  where id = p_attempt and doubted_at = p_doubted_at;
  if exists (select from deposit_attempts where id = p_attempt and status = 'PAID') then
    return false;
  end if;
  return receive_late(p_attempt, v.amount, p_cost, p_reason, p_now);
end $$;

-- After an order has ended, its channels are queried again: one may receive the money later without reporting it. A
-- mock channel keeps no records.
create or replace function plan_deposit_rechecks() returns trigger
language plpgsql
as $$
begin
  update deposit_attempts a set recheck_at = new.updated_at + interval '1 minute'
  from channels c
  where a.deposit_id = new.id and a.sent_at is not null and a.status <> 'PAID'
    and c.id = a.channel_id and c.kind = 'HTTP';
  return null;
end $$;

-- Not for an order that a bank credit paid: its channel's report would agree.
create or replace trigger deposit_orders_recheck
after update of status on deposit_orders
for each row when (old.status is distinct from new.status and new.channel_id is not null and (
  new.status in ('EXPIRED', 'CANCELLED', 'FAILED') or new.status = 'COMPLETED' and new.account_id is null))
execute function plan_deposit_rechecks();

-- Puts the due attempts in doubt, and wakes their workflows, which query the channels. p_after: when they are due,
-- seconds after the end of the order, ascending; never again after the last.
create or replace function recheck_channel_deposits(p_after integer[], p_limit integer, p_now timestamptz)
returns setof text
language plpgsql
as $$
declare
  v deposit_orders;
  v_attempt deposit_attempts;
begin
  for v_attempt in
    select * from deposit_attempts where recheck_at <= p_now order by recheck_at, id limit p_limit
  loop
    select * into v from deposit_orders where id = v_attempt.deposit_id for no key update skip locked;
    continue when not found;
    update deposit_attempts
    set doubted_at = coalesce(doubted_at, p_now),
      recheck_at = (select min(v.updated_at + make_interval(secs => after)) from unnest(p_after) after
        where v.updated_at + make_interval(secs => after) > p_now)
    where id = v_attempt.id and recheck_at = v_attempt.recheck_at;
    if found then
      perform wake_deposit(v, p_now);
      return next v.order_no;
    end if;
  end loop;
end $$;

-- Sets the outcome of one deposit at a mock channel, and wakes its workflow. Returns whether it is open at one.
create or replace function set_mock_deposit(p_deposit uuid, p_outcome text, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v deposit_orders;
  v_attempt uuid;
begin
  select * into v from deposit_orders where id = p_deposit and status in ('PENDING', 'MATCHED') for no key update;
  update deposit_attempts a set mock_outcome = p_outcome, updated_at = p_now
  from channels c
  where a.deposit_id = v.id and a.status in ('PREPARED', 'SENT', 'OPEN') and c.id = a.channel_id and c.kind = 'MOCK'
  returning a.id into v_attempt;
  if v_attempt is null then
    return false;
  end if;
  perform wake_deposit(v, p_now);
  return true;
end $$;

-- Wakes the workflow of every open deposit at a mock channel, which then reads its outcome.
create or replace function wake_mock_deposits(p_channel uuid, p_now timestamptz) returns void
language sql
as $$
  select wake_deposit(d, p_now)
  from deposit_attempts a join deposit_orders d on d.id = a.deposit_id
  where a.channel_id = p_channel and a.status in ('SENT', 'OPEN') and d.status in ('PENDING', 'MATCHED')
$$;
