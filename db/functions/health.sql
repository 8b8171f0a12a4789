-- When an outage ends: as entered, or as an operator ended it; null: not known.
create or replace function outage_end(p_outage outages) returns timestamptz
language sql immutable
as $$ select least(p_outage.ends_at, p_outage.ended_at) $$;

-- Whether an outage is in force. One that was ended before its beginning never is.
create or replace function is_out(p_outage outages, p_at timestamptz) returns boolean
language sql immutable
as $$ select p_outage.begins_at <= p_at and p_at < coalesce(outage_end(p_outage), 'infinity') $$;

-- Why an account is passed over: an outage of its bank, or a silent agent; null if it is not.
create or replace function account_health_refusal(p_account bank_accounts, p_at timestamptz) returns text
language sql stable
as $$
  select case
    when exists (select from outages o where o.bank_code = p_account.bank_code and is_out(o, p_at)) then 'OUTAGE'
    when p_account.silent_since is not null then 'AGENT_SILENT'
  end
$$;

-- Why a channel is passed over: an outage, or an open breaker. Once its pause is over, the first order may use it
-- (claim_trial); the order on trial may keep using it.
create or replace function channel_health_refusal(p_channel channels, p_order uuid, p_at timestamptz) returns text
language sql stable
as $$
  select case
    when exists (select from outages o where o.channel_id = p_channel.id and is_out(o, p_at)) then 'OUTAGE'
    when p_channel.breaker_trial_at > p_at and (p_channel.trial_order_id = p_order) is not true then 'UNHEALTHY'
  end
$$;

-- Tries an order at a channel whose breaker is open, if its pause is over: one order at a time, until its result is
-- known or overdue. Returns whether the order may go to the channel.
create or replace function claim_trial(p_channel uuid, p_order uuid, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v channels;
begin
  select * into v from channels where id = p_channel;
  if v.breaker_state = 'HEALTHY' or v.trial_order_id = p_order then
    return true;
  end if;
  update channels c
  set breaker_state = 'TRIAL', breaker_since = p_now, trial_order_id = p_order,
    breaker_trial_at = p_now + make_interval(secs => 60 + 2 * c.timeout_seconds)
  where c.id = p_channel and c.breaker_state <> 'HEALTHY' and c.breaker_trial_at <= p_now;
  if found then
    insert into health_changes (id, channel_id, cause, state, order_id, at, who)
    values (new_id(p_now), p_channel, 'BREAKER', 'TRIAL', p_order, p_now, 'system');
    return true;
  end if;
  -- Another order was first, or its breaker has closed meanwhile.
  return (select breaker_state = 'HEALTHY' or (trial_order_id = p_order) is true from channels where id = p_channel);
end $$;

-- The result of each order that a channel got since a time: true, false, or null while it is not known. What we refused
-- to send, because of what a merchant wrote, tells nothing about the channel (domain/payout.ts, NOT_SENT).
create or replace function channel_orders(p_channel uuid, p_since timestamptz)
returns table (order_id uuid, sent_at timestamptz, succeeded boolean, error text)
language sql stable
as $$
  -- A deposit succeeds once the channel has accepted it: whether its payer pays does not depend on the channel.
  select a.deposit_id, a.sent_at, case
      when a.status in ('OPEN', 'PAID', 'FAILED') then true
      when a.status = 'REFUSED' and a.last_error like 'not sent: %' then null
      when a.status = 'REFUSED' or a.last_error is not null then false end, a.last_error
  from deposit_attempts a where a.channel_id = p_channel and a.sent_at >= p_since
  union all
  select a.withdrawal_id, a.sent_at, case
      when a.status = 'SUCCEEDED' then true
      when a.status = 'REFUSED' and a.last_error like 'not sent: %' then null
      when a.status in ('REFUSED', 'FAILED', 'UNKNOWN') or a.failure_reported_at is not null then false
      when a.answered_at is not null then true end, a.last_error
  from payout_attempts a where a.channel_id = p_channel and a.sent_at >= p_since
$$;

-- The results of a channel's orders within its window, and since its breaker last closed.
create or replace function channel_record(
  p_channel channels, p_now timestamptz, out succeeded integer, out failed integer, out failed_in_row integer,
  out last_error text, out trial text
)
language sql stable
as $$
  with orders as materialized (
    select * from channel_orders(p_channel.id, p_now - make_interval(mins => p_channel.breaker_minutes)) o
    where p_channel.breaker_state <> 'HEALTHY' or p_channel.breaker_since is null
      or o.sent_at >= p_channel.breaker_since
  ), tried as (
    select o.succeeded from channel_orders(p_channel.id, p_channel.breaker_since - interval '1 hour') o
    where o.order_id = p_channel.trial_order_id order by o.sent_at desc limit 1
  )
  select (count(*) filter (where o.succeeded))::int, (count(*) filter (where not o.succeeded))::int,
    (count(*) filter (where not o.succeeded
      and o.sent_at > coalesce((select max(w.sent_at) from orders w where w.succeeded), '-infinity')))::int,
    (array_agg(o.error order by o.sent_at desc) filter (where not o.succeeded))[1],
    (select case when t.succeeded then 'SUCCEEDED' when not t.succeeded then 'FAILED' end from tried t)
  from orders o
$$;

-- Changes the state of a channel's breaker, unless it changed since it was evaluated.
create or replace function move_breaker(
  p_channel uuid, p_from text, p_order uuid, p_to text, p_reason text, p_paused_for integer, p_trial_at timestamptz,
  p_now timestamptz
) returns boolean
language plpgsql
as $$
begin
  update channels
  set breaker_state = p_to, breaker_since = p_now, breaker_reason = p_reason, breaker_paused_for = p_paused_for,
    breaker_trial_at = p_trial_at, trial_order_id = null
  where id = p_channel and breaker_state = p_from and trial_order_id is not distinct from p_order;
  if not found then
    return false;
  end if;
  insert into health_changes (id, channel_id, cause, state, reason, at, who)
  values (new_id(p_now), p_channel, 'BREAKER', p_to, p_reason, p_now, 'system');
  return true;
end $$;

-- When an account's agents last sent a heartbeat; null: never. Unpaired devices and revoked keys do not count.
create or replace function agents_seen(p_account uuid) returns timestamptz
language sql stable
as $$
  select max(d.last_seen_at)
  from agent_key_accounts x join agent_keys k on k.id = x.agent_key_id join agent_devices d on d.agent_key_id = k.id
  where x.account_id = p_account and k.revoked_at is null and d.unpaired_at is null
$$;

-- Records which accounts' agents have become silent, and which send heartbeats again. Returns how many accounts are
-- silent.
create or replace function note_silent_agents(p_default_minutes integer, p_now timestamptz) returns integer
language plpgsql
as $$
begin
  with found as (
    select a.id, a.silent_since, seen.at as seen,
      case when coalesce(a.silent_minutes, p_default_minutes) > 0 and a.status <> 'DISABLED'
        and seen.at <= p_now - make_interval(mins => coalesce(a.silent_minutes, p_default_minutes)) then seen.at end
        as silent
    from bank_accounts a cross join lateral (select agents_seen(a.id) as at) seen
    where a.silent_since is not null or seen.at is not null
  ), noted as (
    update bank_accounts a set silent_since = f.silent from found f
    where a.id = f.id and (f.silent is null) <> (a.silent_since is null)
    returning a.id, f.silent, f.seen
  )
  insert into health_changes (id, account_id, cause, state, reason, at, who)
  select new_id(p_now), n.id, 'AGENT', case when n.silent is null then 'HEALTHY' else 'DOWN' end,
    case when n.silent is not null
      then 'its agent was last heard of at ' || to_char(n.silent at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC' end,
    p_now, 'system'
  from noted n;
  return (select count(*) from bank_accounts where silent_since is not null);
end $$;

-- Records a change of a channel's health.
create or replace function note_probe() returns trigger
language plpgsql
as $$
begin
  insert into health_changes (id, channel_id, cause, state, reason, at, who)
  values (new_id(new.health_at), new.id, 'PROBE', case new.health when 'DOWN' then 'DOWN' else 'HEALTHY' end,
    new.health_reason, new.health_at, 'system');
  return null;
end $$;

create or replace trigger channels_probed after update of health on channels
for each row when (new.health_at is not null and (old.health = 'DOWN') <> (new.health = 'DOWN'))
execute function note_probe();

-- An account or channel that was healthy is passed over from now on: one alert an hour at most for each cause.
create or replace function alert_of_health() returns trigger
language plpgsql
as $$
begin
  perform raise_alert('PASSED_OVER',
    'health:' || new.cause || ':' || coalesce(new.account_id, new.channel_id) || ':' || to_char(new.at, 'YYYYMMDDHH24'), null,
    jsonb_strip_nulls(jsonb_build_object('accountId', new.account_id, 'channelId', new.channel_id,
      'channelCode', (select channel_code from channels where id = new.channel_id), 'reason', new.reason)), new.at);
  return null;
end $$;

create or replace trigger health_changes_down after insert on health_changes
for each row when (new.state = 'DOWN')
execute function alert_of_health();

-- Whether a channel gets no new orders now: it is disabled, down, on trial, or an outage of it is entered.
create or replace function is_passed_over(p_channel channels, p_at timestamptz) returns boolean
language sql stable
as $$
  select not p_channel.enabled or p_channel.health = 'DOWN' or p_channel.breaker_state <> 'HEALTHY'
    or exists (select from outages o where o.channel_id = p_channel.id and is_out(o, p_at))
$$;

-- Takes back orders that were never sent to a channel, and wakes their workflows, which choose another one: payouts and
-- deposits that are prepared and not marked as sent. Not during a recovery, nor those prepared before one, whose mark
-- may be lost. Returns how many, or nulls if the channel gets orders as usual.
create or replace function move_waiting(
  p_channel uuid, p_actor text, p_reason text, p_limit integer, p_now timestamptz, out payouts integer, out deposits integer
)
language plpgsql
as $$
declare
  v_payout payout_attempts;
  v_deposit deposit_attempts;
  v withdrawal_orders;
  d deposit_orders;
  v_detail jsonb := jsonb_build_object('channelId', p_channel, 'reason', p_reason);
begin
  if not (select is_passed_over(c, p_now) from channels c where c.id = p_channel) then
    return;
  end if;
  payouts := 0;
  deposits := 0;
  for v_payout in
    select * from payout_attempts a where a.channel_id = p_channel and a.status = 'PREPARED'
    order by a.created_at, a.id limit p_limit
  loop
    select * into v from lock_withdrawal_of(v_payout.id);
    update payout_attempts
    set status = 'REFUSED', last_error = p_reason, finished_at = p_now, updated_at = p_now
    where id = v_payout.id and status = 'PREPARED' and not is_payout_held(v.id)
      and reference = payout_reference(v.order_no, number, p_channel);
    continue when not found;
    perform append_event(v.id, 'withdrawal', 'payout_moved', p_actor, v_detail, p_now);
    perform wake_withdrawal(v, p_now);
    payouts := payouts + 1;
  end loop;
  for v_deposit in
    select * from deposit_attempts a where a.channel_id = p_channel and a.status = 'PREPARED'
    order by a.created_at, a.id limit p_limit
  loop
    select * into d from lock_deposit_of(v_deposit.id);
    update deposit_attempts set status = 'REFUSED', last_error = p_reason, updated_at = p_now
    where id = v_deposit.id and status = 'PREPARED' and not in_recovery() and d.status = 'PENDING'
      and d.account_id is null and reference = payout_reference(d.order_no, number, p_channel);
    continue when not found;
    perform append_event(d.id, 'deposit', 'channel_moved', p_actor, v_detail, p_now);
    perform wake_deposit(d, p_now);
    deposits := deposits + 1;
  end loop;
end $$;
