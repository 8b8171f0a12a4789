-- Whether an operator may see an alert. A restricted operator sees only alerts of its merchants.
create or replace function alert_is_seen_by(p_merchant uuid, p_operator operators) returns boolean
language sql stable
as $$
  select p_operator.disabled_at is null
    and exists (
      select from operator_roles h join roles r on r.name = h.role
      where h.operator_id = p_operator.id and 'VIEW' = any(r.permissions))
    and (not p_operator.restricted or exists (
      select from operator_merchants m
      where m.operator_id = p_operator.id and m.merchant_id = p_merchant))
$$;

-- Queues one mail to each operator who subscribes to mails and may see an alert not mailed yet. A concurrent run queues
-- none: with its share of the alerts it would write to the same operators again.
create or replace function queue_alert_mails(p_rest_before timestamptz, p_now timestamptz) returns integer
language plpgsql
as $$
declare
  v_alerts uuid[];
  v_mails integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('causeway.queue_alert_mails'))
    or exists (select from mails where event = 'alerts' and created_at > p_rest_before) then
    return 0;
  end if;
  with unmailed as (
    select id from alerts where mailed_at is null order by raised_at for no key update skip locked
  ), mailed as (
    update alerts a set mailed_at = p_now from unmailed u where a.id = u.id
    returning a.id, a.acknowledged_at
  )
  select array_agg(id) filter (where acknowledged_at is null) into v_alerts from mailed;
  if v_alerts is null then
    return 0;
  end if;
  with queued as (
    insert into mails (id, event, recipient, operator_id, status, attempts, created_at, updated_at)
    select new_id(p_now), 'alerts', o.email, o.id, 'QUEUED', 0, p_now, p_now
    from operators o
    where o.alert_mails and o.email is not null and exists (
      select from alerts a where a.id = any(v_alerts) and alert_is_seen_by(a.merchant_id, o))
    returning id
  )
  insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
  select new_id(p_now), 'mail', 'mail:' || id,
    jsonb_build_object('version', 1, 'mailId', id, 'event', 'alerts'), 2, p_now, 0, p_now
  from queued;
  get diagnostics v_mails = row_count;
  return v_mails;
end $$;
