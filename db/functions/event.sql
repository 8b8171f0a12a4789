-- Each function is one business step: a guarded change of status, written together with its event, callback and outbox
-- row. They use the caller's time, never the database's clock.

create or replace function append_event(
  p_order uuid, p_noun text, p_type text, p_actor text, p_detail jsonb, p_now timestamptz
) returns void
language sql
as $$
  insert into order_events (id, order_id, noun, type, actor, detail, at)
  values (new_id(p_now), p_order, p_noun, p_type, p_actor, p_detail, p_now)
$$;

-- Numbers the events that committed since the last call, one caller at a time: a reader that has seen number n has seen
-- all lower numbers. Returns the last number, or null if there was nothing to number.
create or replace function number_events(p_limit integer) returns bigint
language plpgsql
as $$
declare
  v_last bigint;
begin
  -- Mostly there is nothing, and it is asked many times a second.
  if not exists (select from order_events where seq is null)
    or not pg_try_advisory_xact_lock(hashtext('causeway.number_events')) then
    return null;
  end if;
  with batch as (
    select id, row_number() over (order by position) as place
    from (
      select id, position from order_events where seq is null order by position limit p_limit
    ) unnumbered
  ), numbered as (
    update order_events e
    set seq = batch.place + (select coalesce(max(seq), 0) from order_events)
    from batch
    where e.id = batch.id
    returning e.seq
  )
  select max(seq) into v_last from numbered;
  return v_last;
end $$;
