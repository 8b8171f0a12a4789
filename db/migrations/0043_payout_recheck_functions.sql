-- A channel that failed a payout for good may pay it all the same, and never tell: it is asked again some times.
drop function fail_payout(uuid, text, text, text[], numeric[], text, timestamptz);
--> statement-breakpoint
-- The attempt is known to have failed, and its withdrawal with it. p_recheck_at: when its channel is asked again; a mock
-- channel keeps no book, and is not.
create function fail_payout(
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
--> statement-breakpoint
-- Has the channels of failed attempts asked again that are due: each is doubted, as if its channel had told of a success.
-- p_after: how long after the failure, seconds. Once it was found that one was paid, nothing more is asked.
create function recheck_payouts(p_after integer[], p_limit integer, p_now timestamptz)
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
    -- One that somebody has under way is due still, the next time.
    select * into v from withdrawal_orders where id = v_attempt.withdrawal_id for no key update skip locked;
    continue when not found;
    if exists (select from ledger_transfers where key = 'withdrawal-late-paid:' || v_attempt.id) then
      update payout_attempts set recheck_at = null, updated_at = p_now where id = v_attempt.id;
      continue;
    end if;
    update payout_attempts
    set rechecked = rechecked + 1, doubted_at = coalesce(doubted_at, p_now), updated_at = p_now,
      -- The times that have gone by unused are not made up for.
      recheck_at = (select min(finished_at + make_interval(secs => after)) from unnest(p_after) after
        where finished_at + make_interval(secs => after) > p_now)
    where id = v_attempt.id and recheck_at = v_attempt.recheck_at;
    if found then
      perform wake_withdrawal(v, p_now);
      return next v;
    end if;
  end loop;
end $$;
