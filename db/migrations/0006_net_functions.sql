-- The nets under everything: they find what should have moved by itself and did not, because its workflow or its
-- outbox row was lost. They wake workflows again and decide nothing: a workflow reads its row and does what is due.
-- Safe to run twice and at once. A row that somebody is moving just now is left alone.

-- Workflows that a row of the outbox will still wake. A row that was parked lately counts too: Temporal refuses it
-- as it is, and another like it would only be parked beside it.
create function keys_on_their_way(p_parked_after timestamptz) returns setof text
language sql stable
as $$ select key from outbox where parked_at is null or parked_at > p_parked_after $$;
--> statement-breakpoint
-- Wakes deposits that are PENDING though they expired before p_overdue_before, or MATCHED since before it. At most
-- p_limit of them, by (expire_at, id), after the given place; from the beginning where that is null.
create function wake_overdue_deposits(
  p_overdue_before timestamptz, p_parked_after timestamptz, p_place_at timestamptz, p_place_id uuid,
  p_limit integer, p_now timestamptz
) returns setof deposit_orders
language plpgsql
as $$
declare
  v_deposit deposit_orders;
begin
  for v_deposit in
    select * from deposit_orders d
    where d.status in ('PENDING', 'MATCHED')
      and case d.status when 'PENDING' then d.expire_at else d.matched_at end <= p_overdue_before
      and (p_place_id is null or (d.expire_at, d.id) > (p_place_at, p_place_id))
      -- One look at the whole outbox for all of them: it has no index by key.
      and 'deposit:' || d.order_no not in (select keys_on_their_way(p_parked_after))
    order by d.expire_at, d.id limit p_limit
    for no key update of d skip locked
  loop
    perform wake_deposit(v_deposit, p_now);
    return next v_deposit;
  end loop;
end $$;
--> statement-breakpoint
-- Wakes callbacks whose next attempt was due before p_overdue_before. At most p_limit of them, by
-- (next_attempt_at, id), after the given place; from the beginning where that is null.
create function wake_overdue_callbacks(
  p_overdue_before timestamptz, p_parked_after timestamptz, p_place_at timestamptz, p_place_id uuid,
  p_limit integer, p_now timestamptz
) returns setof notification_logs
language plpgsql
as $$
declare
  v_row notification_logs;
begin
  for v_row in
    select * from notification_logs n
    where n.status = 'WAITING_RETRY' and n.next_attempt_at <= p_overdue_before
      and (p_place_id is null or (n.next_attempt_at, n.id) > (p_place_at, p_place_id))
      and 'callback:' || n.order_no || ':' || n.notification_type
        not in (select keys_on_their_way(p_parked_after))
    order by n.next_attempt_at, n.id limit p_limit
    for no key update of n skip locked
  loop
    perform wake_callback(v_row, p_now);
    return next v_row;
  end loop;
end $$;
--> statement-breakpoint
-- SENDING → WAITING_RETRY, due at once, for attempts claimed before p_claimed_before that never told what came of
-- them. The attempt stays counted: after the fifth, the next look at the row ends it FAILED. At most p_limit.
create function sweep_callbacks(p_claimed_before timestamptz, p_limit integer, p_now timestamptz)
returns setof notification_logs
language plpgsql
as $$
declare
  v_row notification_logs;
begin
  for v_row in
    update notification_logs
    set status = 'WAITING_RETRY', next_attempt_at = p_now, lease_until = null,
      last_error = 'attempt interrupted', updated_at = p_now
    where id in (
      select id from notification_logs
      -- While SENDING, updated_at is when the attempt was claimed.
      where status = 'SENDING' and lease_until <= p_now and updated_at <= p_claimed_before
      order by lease_until limit p_limit
      for no key update skip locked
    )
    returning *
  loop
    perform append_event(v_row.order_id, 'deposit', 'callback_interrupted', 'system',
      jsonb_build_object('notificationType', v_row.notification_type, 'attempt', v_row.attempt_count), p_now);
    perform wake_callback(v_row, p_now);
    return next v_row;
  end loop;
end $$;
