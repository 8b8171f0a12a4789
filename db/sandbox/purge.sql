-- Takes ended orders away with all that hangs on them. What people have decided about with others (recalls, refunds,
-- returned payouts, settlements, and other postings of operators) stays, as change requests do; so does money that waits.

-- Whether nothing of an order is under way, and nothing happened to it since p_before. The newest number of an event
-- stays: the next is counted from it.
create or replace function is_past(p_order uuid, p_names text[], p_before timestamptz) returns boolean
language sql stable
as $$
  select not exists (
      select from order_events e where e.order_id = p_order
        and (e.at >= p_before or e.seq = (select max(seq) from order_events)))
    and not exists (
      select from notification_logs n where n.order_id = p_order
        and (n.status not in ('SUCCESS', 'FAILED') or n.updated_at >= p_before))
    and not exists (select from ledger_transfers t where t.order_id = p_order and t.at >= p_before)
    and not exists (select from outbox o where split_part(o.key, ':', 2) = any(p_names))
    and not exists (
      select from change_requests c
      where c.status = 'PROPOSED' and (c.subject_id = p_order::text or c.subject_id = any(p_names)))
$$;

-- Those of the deposits that may go, as far as their own rows tell.
create or replace function purgeable_deposits(p_ids uuid[], p_before timestamptz, p_now timestamptz) returns uuid[]
language sql stable
as $$
  select coalesce(array_agg(d.id), '{}') from deposit_orders d
  where d.id = any(p_ids) and d.status in ('COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED')
    and d.created_at < p_before and d.updated_at < p_before
    and is_past(d.id, array[d.order_no, coalesce(d.cashier_session_id::text, d.order_no)], p_before)
    and not exists (select from deposit_attempts a where a.deposit_id = d.id
      and (a.doubted_at is not null or a.recheck_at is not null
        or exists (select from late_receipts l where l.attempt_id = a.id)))
    and not exists (select from held_credits h where h.deposit_id = d.id
      and h.released_at is null and h.recalled_at is null)
    and not exists (select from reserved_amounts r where r.deposit_id = d.id and r.free_at > p_now)
    and not exists (select from deposit_recalls r where r.deposit_id = d.id)
    and not exists (select from payer_returns r where r.deposit_id = d.id)
    and not exists (select from operator_postings p where p.deposit_id = d.id)
$$;

create or replace function purgeable_withdrawals(p_ids uuid[], p_before timestamptz) returns uuid[]
language sql stable
as $$
  select coalesce(array_agg(w.id), '{}') from withdrawal_orders w
  where w.id = any(p_ids) and w.status in ('COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED') and w.origin = 'MERCHANT'
    and w.created_at < p_before and w.updated_at < p_before and not w.needs_manual_intervention
    and is_past(w.id, array[w.order_no], p_before)
    and not exists (
      select from payout_attempts a where a.withdrawal_id = w.id
        and (a.finished_at is null or a.doubted_at is not null or a.recheck_at is not null))
    -- A claim against a channel waits until it is settled.
    and not exists (
      select from payout_aftermaths f join payout_attempts a on a.id = f.attempt_id
      where a.withdrawal_id = w.id and f.type = 'CHANNEL_CLAIMED')
    and not exists (select from operator_postings p where p.withdrawal_id = w.id)
    and not exists (select from recovery_findings f where f.withdrawal_id = w.id)
    and not exists (
      select from bank_debits b join payout_attempts a on a.id = b.attempt_id
      where a.withdrawal_id = w.id and (b.received_at >= p_before
        or exists (select from operator_postings p where p.bank_debit_id = b.id)
        or exists (select from payer_returns r where r.bank_debit_id = b.id)
        or exists (select from deposit_recalls r where r.bank_debit_id = b.id)
        or exists (select from statement_lines l where l.debit_id = b.id)))
$$;

-- What orders and sessions of any kind have; they themselves are gone. A session that was used again has several numbers.
create or replace function purge_orders(p_ids uuid[]) returns void
language sql
as $$
  delete from callback_attempts a using notification_logs n
  where n.order_id = any(p_ids) and a.notification_id = n.id;
  delete from notification_logs where order_id = any(p_ids);
  delete from order_events where order_id = any(p_ids);
  delete from merchant_order_numbers where order_id = any(p_ids)
$$;

-- Adds the deposits that share a bank credit, and leaves out those whose credit is not theirs alone or still waits.
create or replace function with_credits(p_ids uuid[], p_before timestamptz, p_now timestamptz) returns uuid[]
language plpgsql
as $$
declare
  v_ids uuid[] := p_ids;
  v_others uuid[];
begin
  loop
    v_others := array(select id from deposit_orders where id in (
      select o.deposit_id from transfer_allocations a join transfer_allocations o using (transfer_id)
      where a.deposit_id = any(v_ids) and o.deposit_id <> all(v_ids)) order by id for update skip locked);
    v_others := purgeable_deposits(v_others, p_before, p_now);
    exit when v_others = '{}';
    v_ids := v_ids || v_others;
  end loop;
  loop
    select array_agg(distinct a.deposit_id) into v_others
    from transfer_allocations a join bank_transfers b on b.id = a.transfer_id
    where a.deposit_id = any(v_ids) and (b.unmatched_reason is not null or b.received_at >= p_before
      or exists (select from transfer_allocations o where o.transfer_id = b.id and o.deposit_id <> all(v_ids))
      or exists (select from operator_postings p where p.bank_transfer_id = b.id)
      or exists (select from payer_returns r where r.bank_transfer_id = b.id)
      or exists (select from statement_lines l where l.transfer_id = b.id));
    exit when v_others is null;
    v_ids := array(select id from unnest(v_ids) as i(id) where id <> all(v_others));
  end loop;
  return v_ids;
end $$;

-- Takes orders that go off the volumes of their months.
create or replace function purge_volumes(p_kind text, p_ids uuid[]) returns void
language plpgsql
as $$
begin
  with gone as (
    select o.merchant_id, o.currency_code, o.volume_month as month, count(*)::integer as orders,
      sum(o.actual_amount) as amount
    from (
      select id, merchant_id, currency_code, volume_month, actual_amount from deposit_orders where p_kind = 'DEPOSIT'
      union all
      select id, merchant_id, currency_code, volume_month, amount from withdrawal_orders where p_kind = 'WITHDRAWAL') o
    where o.id = any(p_ids) and o.volume_month is not null group by 1, 2, 3
  ), emptied as (
    delete from merchant_volumes v using gone g
    where v.order_kind = p_kind and v.orders = g.orders
      and (v.merchant_id, v.currency_code, v.month) = (g.merchant_id, g.currency_code, g.month)
  )
  update merchant_volumes v set orders = v.orders - g.orders, amount = v.amount - g.amount
  from gone g
  where v.order_kind = p_kind and v.orders > g.orders
    and (v.merchant_id, v.currency_code, v.month) = (g.merchant_id, g.currency_code, g.month);
end $$;

-- Looks at the next p_limit deposits behind p_after that are older than p_before. `last` is the last of them, null where
-- there are none; `gone` says how many orders were taken away.
create or replace function purge_deposits(
  p_before timestamptz, p_after uuid, p_limit integer, p_now timestamptz, out last uuid, out gone integer
)
language plpgsql
as $$
declare
  v_ids uuid[];
  v_credits uuid[];
  v_sessions uuid[];
begin
  v_ids := array(select id from deposit_orders where id > p_after and created_at < p_before
    order by id limit p_limit for update skip locked);
  last := v_ids[cardinality(v_ids)];
  v_ids := with_credits(purgeable_deposits(v_ids, p_before, p_now), p_before, p_now);
  gone := cardinality(v_ids);
  if gone = 0 then
    return;
  end if;
  v_credits := array(select distinct transfer_id from transfer_allocations where deposit_id = any(v_ids));
  v_sessions := array(select id from cashier_sessions where deposit_order_id = any(v_ids));
  perform open_books(array(
    select id from ledger_transfers where order_id = any(v_ids)
    union select id from ledger_transfers where key = any(select 'bank-credit:' || c from unnest(v_credits) c)),
    p_before, p_now);

  delete from agent_texts where transfer_id = any(v_credits);
  delete from credit_work where transfer_id = any(v_credits);
  delete from bank_transfer_changes where transfer_id = any(v_credits);
  delete from transfer_allocations where deposit_id = any(v_ids);
  update account_days k set amount = k.amount - g.amount, deposits = k.deposits - g.deposits,
    received = k.received - g.received, credits = k.credits - g.credits
  from (
    select account_id, day, sum(amount) as amount, sum(deposits)::integer as deposits, sum(received) as received,
      sum(credits)::integer as credits
    from (
      select account_id, quota_day as day, amount, 1 as deposits, 0 as received, 0 as credits from deposit_orders
      where id = any(v_ids)
      union all
      select account_id, counted_day, 0, 0, amount, 1 from bank_transfers where id = any(v_credits)) counted
    group by 1, 2) g
  where k.account_id = g.account_id and k.day = g.day;
  delete from account_days k
  where k.deposits = 0 and k.credits = 0 and (k.account_id, k.day) in (
    select account_id, quota_day from deposit_orders where id = any(v_ids)
    union select account_id, counted_day from bank_transfers where id = any(v_credits));
  update channel_days k set amount = k.amount - g.amount, deposits = k.deposits - g.deposits,
    received = k.received - g.received, credits = k.credits - g.credits
  from (
    select channel_id, currency_code, day, sum(amount) as amount, sum(deposits)::integer as deposits,
      sum(received) as received, sum(credits)::integer as credits
    from (
      select channel_id, currency_code, quota_day as day, amount, 1 as deposits, 0 as received, 0 as credits
      from deposit_orders where id = any(v_ids) and account_id is null
      union all
      select a.channel_id, d.currency_code, a.counted_day, 0, 0, coalesce(a.received, l.amount), 1
      from deposit_attempts a join deposit_orders d on d.id = a.deposit_id
      left join late_receipts l on l.attempt_id = a.id where a.deposit_id = any(v_ids)) counted
    group by 1, 2, 3) g
  where (k.channel_id, k.currency_code, k.day) = (g.channel_id, g.currency_code, g.day);
  delete from channel_days k
  where k.deposits = 0 and k.credits = 0 and (k.channel_id, k.currency_code, k.day) in (
    select d.channel_id, d.currency_code, d.quota_day from deposit_orders d where d.id = any(v_ids)
    union select a.channel_id, d.currency_code, a.counted_day
    from deposit_attempts a join deposit_orders d on d.id = a.deposit_id where a.deposit_id = any(v_ids));
  delete from bank_transfers where id = any(v_credits);
  delete from reserved_amounts where deposit_id = any(v_ids);
  delete from held_credits where deposit_id = any(v_ids);
  delete from payment_claims where deposit_id = any(v_ids);
  delete from channel_messages m using deposit_attempts a
  where a.deposit_id = any(v_ids) and m.channel_id = a.channel_id and m.reference = a.reference;
  delete from deposit_attempts where deposit_id = any(v_ids);
  delete from cashier_sessions where id = any(v_sessions);
  perform purge_volumes('DEPOSIT', v_ids);
  delete from commissions where order_id = any(v_ids);
  delete from deposit_orders where id = any(v_ids);
  perform purge_orders(v_ids || v_sessions);
end $$;

-- The same for withdrawals.
create or replace function purge_withdrawals(
  p_before timestamptz, p_after uuid, p_limit integer, p_now timestamptz, out last uuid, out gone integer
)
language plpgsql
set causeway.purge = 'on'
as $$
declare
  v_ids uuid[];
  v_attempts uuid[];
begin
  v_ids := array(select id from withdrawal_orders where id > p_after and created_at < p_before
    order by id limit p_limit for update skip locked);
  last := v_ids[cardinality(v_ids)];
  v_ids := purgeable_withdrawals(v_ids, p_before);
  gone := cardinality(v_ids);
  if gone = 0 then
    return;
  end if;
  v_attempts := array(select id from payout_attempts where withdrawal_id = any(v_ids));
  perform open_books(array(select id from ledger_transfers where order_id = any(v_ids)), p_before, p_now);

  delete from transfer_proofs where attempt_id = any(v_attempts);
  delete from payout_aftermaths where attempt_id = any(v_attempts);
  delete from agent_texts t using bank_debits b where b.attempt_id = any(v_attempts) and t.debit_id = b.id;
  delete from bank_debits where attempt_id = any(v_attempts);
  delete from channel_messages m using payout_attempts a
  where a.id = any(v_attempts) and m.channel_id = a.channel_id and m.reference = a.reference;
  delete from payout_attempts where id = any(v_attempts);
  delete from withdrawal_decisions where withdrawal_id = any(v_ids);
  with g as (
    select o.merchant_id, o.currency_code, coalesce(o.counted_day, local_day(o.created_at, 'UTC')) as day, b.beneficiary,
      count(*)::integer as orders, sum(o.amount) as amount
    from withdrawal_orders o
    cross join lateral (values (''), (counted_beneficiary(o)))
      as b(beneficiary)
    where o.id = any(v_ids) group by 1, 2, 3, 4
  )
  update withdrawal_days k set orders = k.orders - g.orders, amount = k.amount - g.amount from g
  where (k.merchant_id, k.currency_code, k.day, k.beneficiary) = (g.merchant_id, g.currency_code, g.day, g.beneficiary);
  delete from withdrawal_days k using withdrawal_orders o
  where o.id = any(v_ids) and k.merchant_id = o.merchant_id and k.currency_code = o.currency_code
    and k.day = coalesce(o.counted_day, local_day(o.created_at, 'UTC')) and k.orders = 0;
  perform purge_volumes('WITHDRAWAL', v_ids);
  delete from commissions where order_id = any(v_ids);
  delete from withdrawal_orders where id = any(v_ids);
  perform purge_orders(v_ids);
end $$;

-- The same for sessions of which no order came.
create or replace function purge_sessions(
  p_before timestamptz, p_after uuid, p_limit integer, out last uuid, out gone integer
)
language plpgsql
as $$
declare
  v_ids uuid[];
begin
  v_ids := array(select id from cashier_sessions where id > p_after and created_at < p_before and status = 'EXPIRED'
    order by id limit p_limit for update skip locked);
  last := v_ids[cardinality(v_ids)];
  v_ids := array(select id from cashier_sessions where id = any(v_ids) and updated_at < p_before
    and is_past(id, array[id::text], p_before));
  gone := cardinality(v_ids);
  delete from cashier_sessions where id = any(v_ids);
  perform purge_orders(v_ids);
end $$;
