-- Makes the relay start or wake the workflow of an event of the platform.
create or replace function wake_platform_event(p_event platform_events, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
  values (new_id(p_now), 'platform_event', 'platform_event:' || p_event.id,
    jsonb_strip_nulls(jsonb_build_object('version', 1, 'eventId', p_event.id, 'event', p_event.event,
      'merchantCode', (select merchant_code from merchants where id = p_event.merchant_id))),
    2, p_now, 0, p_now)
$$;

-- Reports an event to these addresses, once, in the transaction that causes it. Without an address nothing is written.
create or replace function report_platform_event(
  p_event text, p_merchant uuid, p_subject uuid, p_mails text[], p_webhook text, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_event platform_events;
begin
  if p_webhook is null and cardinality(p_mails) = 0 then
    return;
  end if;
  insert into platform_events (id, event, merchant_id, subject_id, created_at)
  values (new_id(p_now), p_event, p_merchant, p_subject, p_now)
  on conflict (event, subject_id) do nothing
  returning * into v_event;
  if not found then
    return;
  end if;
  insert into event_deliveries (id, event_id, kind, target, status, attempt_count, total_attempts, generation,
    next_attempt_at, created_at, updated_at)
  select new_id(p_now), v_event.id, t.kind, t.target, 'WAITING_RETRY', 0, 0, 1, p_now, p_now, p_now
  from (
    select 'MAIL' as kind, unnest(p_mails) as target
    union all select 'WEBHOOK', p_webhook where p_webhook is not null) t;
  perform wake_platform_event(v_event, p_now);
end $$;

-- Reports an event to its addresses in force.
create or replace function raise_platform_event(
  p_event text, p_merchant uuid, p_subject uuid, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_to event_addresses;
begin
  select * into v_to from event_addresses
  where event = p_event and (merchant_id = p_merchant or (p_merchant is null and merchant_id is null))
  order by version desc limit 1;
  if found then
    perform report_platform_event(p_event, p_merchant, p_subject, v_to.mails, v_to.webhook_url, p_now);
  end if;
end $$;

create or replace function report_billing_statement() returns trigger
language plpgsql
as $$
begin
  perform raise_platform_event('billing_statement_issued', new.merchant_id, new.id, new.issued_at);
  return null;
end $$;

create or replace trigger billing_statements_reported after insert on billing_statements
for each row execute function report_billing_statement();

create or replace function report_alert() returns trigger
language plpgsql
as $$
begin
  perform raise_platform_event('alert_raised', null, new.id, new.raised_at);
  return null;
end $$;

-- What was seen before it was written, as in a sandbox for one person, is reported to nobody.
create or replace trigger alerts_reported after insert on alerts
for each row when (new.acknowledged_at is null) execute function report_alert();

-- An alert that cannot be delivered raises no further alert: that one could not be delivered either.
create or replace function alert_of_failed_delivery() returns trigger
language plpgsql
as $$
begin
  perform raise_alert('EVENT_UNDELIVERED', 'event:' || new.id || ':' || new.generation, e.merchant_id,
    jsonb_build_object('deliveryId', new.id, 'event', e.event, 'reason', new.last_error), new.updated_at)
  from platform_events e where e.id = new.event_id and e.event <> 'alert_raised';
  return null;
end $$;

create or replace trigger event_deliveries_failed after update of status on event_deliveries
for each row when (old.status <> 'FAILED' and new.status = 'FAILED')
execute function alert_of_failed_delivery();

-- Resends a delivery: all its attempts begin again. Returns false during an attempt.
create or replace function rearm_event_delivery(p_delivery uuid, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v_event uuid;
begin
  update event_deliveries
  set status = 'WAITING_RETRY', attempt_count = 0, generation = generation + 1, next_attempt_at = p_now,
    lease_until = null, updated_at = p_now
  where id = p_delivery and (status <> 'SENDING' or lease_until <= p_now)
  returning event_id into v_event;
  if not found then
    return false;
  end if;
  perform wake_platform_event(e, p_now) from platform_events e where e.id = v_event;
  return true;
end $$;

-- Wakes events with a delivery that was due before p_overdue_before, at most p_limit, in the order of their ids from
-- after the given one.
create or replace function wake_overdue_platform_events(
  p_overdue_before timestamptz, p_parked_after timestamptz, p_after uuid, p_limit integer, p_now timestamptz
) returns setof platform_events
language plpgsql
as $$
declare
  v_row platform_events;
begin
  for v_row in
    select * from platform_events e
    where (p_after is null or e.id > p_after)
      and exists (
        select from event_deliveries d
        where d.event_id = e.id and d.status in ('WAITING_RETRY', 'SENDING')
          and coalesce(d.next_attempt_at, d.lease_until) <= p_overdue_before)
      and 'platform_event:' || e.id not in (select keys_on_their_way(p_parked_after))
    order by e.id limit p_limit
  loop
    perform wake_platform_event(v_row, p_now);
    return next v_row;
  end loop;
end $$;
