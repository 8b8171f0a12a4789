-- The start arguments of a deposit's workflow.
create or replace function deposit_arguments(p_deposit deposit_orders, p_merchant_code text) returns jsonb
language sql immutable
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'version', 1, 'depositId', p_deposit.id, 'orderNo', p_deposit.order_no,
    'merchantCode', p_merchant_code, 'merchantOrderNo', p_deposit.merchant_order_no,
    'currencyCode', p_deposit.currency_code,
    'amount', p_deposit.amount::text, 'traceId', p_deposit.trace_id))
$$;

-- The workflow type of a deposit: those of channels have their own.
create or replace function deposit_noun(p_deposit deposit_orders) returns text
language sql immutable
as $$ select case when p_deposit.channel_id is null then 'deposit' else 'channel_deposit' end $$;

-- Received money and cancelled orders go before orders that are still unpaid. p_paid: a channel reports the money, which
-- its workflow asks for.
create or replace function wake_deposit(p_deposit deposit_orders, p_now timestamptz, p_paid boolean default false)
returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
  select new_id(p_now), deposit_noun(p_deposit), 'deposit:' || p_deposit.order_no,
    deposit_arguments(p_deposit, m.merchant_code),
    case when p_deposit.status = 'PENDING' and not p_paid then 2 else 1 end, p_now, 0, p_now
  from merchants m
  where m.id = p_deposit.merchant_id
$$;

-- Accepts one deposit on an account that assigns amounts or shares of its limits, or at a channel with limits, under
-- its lock: writes the number, the amount and share, the event and the outbox row. `outcome` is ACCEPTED, or why
-- nothing was written. If it holds a fee, the caller has locked the balance. p_history_days: for how many days an
-- amount counts as used (free_amount).
create or replace function accept_deposit(
  p deposit_orders, p_routings jsonb, p_history_days integer, out outcome text, out amount numeric
)
language plpgsql
as $$
declare
  v_account bank_accounts;
begin
  if p.account_id is null then
    select r.outcome, r.quota_day into outcome, p.quota_day
    from reserve_at_channel(p.channel_id, p.currency_code, p.amount, p.created_at) r;
    if outcome is not null then
      return;
    end if;
  else
    select * into v_account from bank_accounts where id = p.account_id for no key update;
    outcome := account_refusal(v_account, p);
    if outcome is not null then
      return;
    end if;
  end if;
  if v_account.mode = 'FLOAT' then
    p.amount := free_amount(v_account, p, p_history_days);
    if p.amount is null then
      outcome := 'NO_FLOAT_SPACE';
      return;
    end if;
    p.payment_snapshot := p.payment_snapshot || jsonb_build_object('amount', p.amount::numeric(20, 4)::text);
  end if;
  if counts_received(v_account) then
    p.quota_day := local_day(p.created_at, v_account.time_zone);
    outcome := limit_refusal(v_account, p.amount, p.created_at);
    if outcome is not null then
      return;
    end if;
  end if;

  if p.fee_held is not null and not covers_fee(p) then
    outcome := 'INSUFFICIENT';
    return;
  end if;

  if not exists (select from write_deposits(array[p], p_routings)) then
    outcome := 'NUMBER_TAKEN';
    return;
  end if;
  if p.fee_held is not null then
    perform hold_fee(p);
  end if;
  if v_account.mode = 'FLOAT' then
    insert into reserved_amounts (account_id, currency_code, amount, deposit_id, free_at, used_at, contested)
    values (v_account.id, v_account.currency_code, p.amount, p.id,
      p.expire_at + make_interval(mins => v_account.quarantine_minutes), p.created_at,
      is_contested(v_account, p, p.amount, p_history_days))
    on conflict on constraint reserved_amounts_account_id_currency_code_amount_pk
    do update set deposit_id = excluded.deposit_id, free_at = excluded.free_at, used_at = excluded.used_at,
      contested = excluded.contested;
  end if;
  if p.quota_day is not null then
    perform count_share(p);
  end if;
  outcome := 'ACCEPTED';
  amount := p.amount;
end $$;

-- Writes deposits as given: numbers, orders, events and outbox rows, one statement for each kind. Their workflows have
-- nothing to do before the orders expire, unless they are paid. A channel is requested at once; if it provides the
-- payment details, the merchant waits for its answer. The order of a cashier session is the only one of its call, and
-- takes over the session's number. Returns the written deposits; the others had a number that was taken, and nothing is
-- written for them. p_routings: by deposit id, why its account was chosen.
create or replace function write_deposits(p_deposits deposit_orders[], p_routings jsonb) returns setof uuid
language plpgsql
as $$
declare
  v_of_session boolean := (p_deposits[1]).cashier_session_id is not null;
begin
  return query
  -- Unfolded once: each unfolding of a table's rows copies the texts of all its checks.
  with given as materialized (
    select * from unnest(p_deposits)
  ), claimed as (
    insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
    select a.merchant_id, a.merchant_order_no, 'deposit', a.id
    from given a where not v_of_session order by a.merchant_id, a.merchant_order_no
    on conflict do nothing
    returning order_id
  ), numbers as (
    select order_id from claimed
    union all
    select (p_deposits[1]).id where v_of_session and take_over_cashier_number(p_deposits[1])
  ), orders as (
    insert into deposit_orders as d
    select a.* from given a join numbers n on n.order_id = a.id
    order by a.merchant_id, a.merchant_order_no
    returning d
  ), events as (
    insert into order_events (id, order_id, noun, type, actor, detail, at)
    select new_id(a.created_at), a.id, 'deposit', 'created', 'merchant:' || a.merchant_id,
      jsonb_build_object('routing', p_routings -> a.id::text), a.created_at
    from given a join numbers n on n.order_id = a.id
    order by a.merchant_id, a.merchant_order_no
  ), woken as (
    insert into outbox (id, noun, key, arguments, rank, start_at, due_at, refusals, created_at)
    select new_id((o.d).created_at), deposit_noun(o.d), 'deposit:' || (o.d).order_no,
      deposit_arguments(o.d, m.merchant_code),
      case when (o.d).channel_id is null then 3 when (o.d).account_id is null then 1 else 2 end,
      case when (o.d).channel_id is null then (o.d).expire_at end, (o.d).created_at, 0, (o.d).created_at
    from orders o join merchants m on m.id = (o.d).merchant_id
  )
  select order_id from numbers;
end $$;

-- Accepts several deposits in one transaction; each has its own outcome. They are ordered by number, so that two calls
-- with the same numbers cannot deadlock. Those that need no lock are written together.
-- p_deposits: for each the columns of deposit_orders, `routing`, `float_history_days` where it is not 0, and
-- `key_to_note`, the key that signed it, until a create of that key was accepted.
create or replace function accept_deposits(p_deposits jsonb)
returns table (id uuid, outcome text, amount numeric)
language plpgsql
as $$
declare
  v_routings jsonb := (select jsonb_object_agg(d ->> 'id', d -> 'routing') from jsonb_array_elements(p_deposits) d);
  v_history_days integer := coalesce((p_deposits -> 0 ->> 'float_history_days')::integer, 0);
  v_locking deposit_orders[];
  v_refused uuid[];
  v_refusals text[];
  v_taken deposit_orders[];
  v_taken_ids uuid[];
  v_taken_amounts numeric[];
  v_prepaid deposit_orders[];
  v_holds boolean;
  v_written uuid[];
begin
  select array_agg(j.d order by j.place) filter (where j.locks),
    array_agg((j.d).id) filter (where not j.locks and j.refusal is not null),
    array_agg(j.refusal) filter (where not j.locks and j.refusal is not null),
    array_agg(j.d order by j.place) filter (where not j.locks and j.refusal is null and (j.d).fee_held is null),
    array_agg((j.d).id order by j.place) filter (where not j.locks and j.refusal is null and (j.d).fee_held is null),
    array_agg((j.d).amount order by j.place) filter (where not j.locks and j.refusal is null and (j.d).fee_held is null),
    array_agg(j.d order by j.place) filter (where not j.locks and j.refusal is null and (j.d).fee_held is not null),
    bool_or((j.d).fee_held is not null)
  into v_locking, v_refused, v_refusals, v_taken, v_taken_ids, v_taken_amounts, v_prepaid, v_holds
  from (
    select d, row_number() over (order by d.merchant_id, d.merchant_order_no) as place,
      coalesce(hands_out(a), false) or counts_received(c) as locks,
      -- A channel order has no account: its workflow sends the request to the channel.
      case when d.account_id is not null or d.channel_id is null then account_refusal(a, d, case
        -- As uses_account says.
        when m.pool_id is null then not exists (select from pool_accounts p where p.account_id = d.account_id)
        else exists (select from pool_accounts p where p.account_id = d.account_id and p.pool_id = m.pool_id) end)
      end as refusal
    from jsonb_populate_recordset(null::deposit_orders, p_deposits) d
    left join bank_accounts a on a.id = d.account_id
    left join channels c on c.id = d.channel_id and d.account_id is null
    left join merchant_currencies m on m.merchant_id = d.merchant_id and m.currency_code = d.currency_code
  ) j;

  if v_refused is not null then
    return query select * , null::numeric from unnest(v_refused, v_refusals);
  end if;
  if v_holds then
    perform lock_fee_balances(v_locking || v_prepaid);
    return query select p.id, accept_prepaid(p, v_routings), p.amount from unnest(v_prepaid) p;
  end if;
  if v_taken is not null then
    v_written := array(select write_deposits(v_taken, v_routings));
    return query
    select t.id, case when t.id = any(v_written) then 'ACCEPTED' else 'NUMBER_TAKEN' end, t.amount
    from unnest(v_taken_ids, v_taken_amounts) as t(id, amount);
  end if;
  if v_locking is not null then
    return query
    select d.id, accepted.outcome, accepted.amount
    from unnest(v_locking) d, lateral accept_deposit(d, v_routings, v_history_days) accepted;
  end if;
  -- The last locks of the transaction, in one order.
  if p_deposits @? '$[*].key_to_note' then
    perform note_first_create(k.id, k.at)
    from (
      select (j ->> 'key_to_note')::uuid as id, min(o.created_at) as at
      from jsonb_array_elements(p_deposits) j join deposit_orders o on o.id = (j ->> 'id')::uuid
      where j ? 'key_to_note' group by 1 order by 1
    ) k;
  end if;
end $$;

-- Whether a person's match may still complete an expired deposit: its merchant allows that (late_payment) and, if it
-- has no remark, no other order has had its exact amount since.
create or replace function may_reopen(p_deposit deposit_orders) returns boolean
language sql stable
as $$
  select m.late_payment = 'REOPEN' and (p_deposit.expected_remark is not null
    or exists (select from reserved_amounts r where r.deposit_id = p_deposit.id))
  from merchants m where m.id = p_deposit.merchant_id
$$;

-- PENDING → MATCHED, or EXPIRED → MATCHED where may_reopen says so, by a person: allocates the bank credit to this deposit
-- and fixes the fee. Returns whether this call did it. A bank credit that is already allocated violates
-- transfer_allocations_once.
create or replace function match_deposit(
  p_transfer uuid, p_deposit uuid, p_fee numeric, p_actor text, p_reason text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_deposit deposit_orders;
begin
  select * into v_deposit from deposit_orders d
  where d.id = p_deposit and (d.status = 'PENDING' or d.status = 'EXPIRED' and may_reopen(d))
  for no key update;
  if not found then
    return false;
  end if;
  -- Waits for others that use the credit.
  perform from bank_transfers where id = p_transfer for no key update;
  if (select b.amount > transfer_rest(b.id) from bank_transfers b where b.id = p_transfer)
    and not exists (select from transfer_allocations
      where transfer_id = p_transfer and released_at is null and amount is null) then
    raise exception 'the credit % is partly used', p_transfer using errcode = 'CW004';
  end if;
  perform refuse_paid(p_transfer, array[p_deposit], false);
  perform refuse_received(v_deposit);
  perform from match_deposits(array[p_transfer], array[p_deposit], array[p_fee], v_deposit.status, p_actor, p_reason,
    array[p_now]);
  update bank_transfers set unmatched_reason = null where id = p_transfer and unmatched_reason is not null;
  return true;
end $$;

-- p_status → MATCHED for several credits, each of another deposit. Their callers hold the credits and set why one still
-- waits. Returns the deposits that are MATCHED now.
create or replace function match_deposits(
  p_transfers uuid[], p_deposits uuid[], p_fees numeric[], p_status text, p_actor text, p_reason text, p_nows timestamptz[]
) returns setof uuid
language plpgsql
as $$
declare
  v_shares uuid[];
  v_matched uuid[];
begin
  with asked as (
    select * from unnest(p_transfers, p_deposits, p_fees, p_nows) as t(transfer_id, deposit_id, fee, now)
  ), matched as (
    update deposit_orders d set status = 'MATCHED', matched_at = a.now, updated_at = a.now
    from asked a
    where d.id = a.deposit_id and d.status = p_status
    returning d, a.transfer_id, a.fee, a.now
  ), allocated as (
    insert into transfer_allocations (id, transfer_id, deposit_id, fee, matched_by, reason, at)
    select new_id(m.now), m.transfer_id, (m.d).id, m.fee, p_actor, p_reason, m.now from matched m
  ), events as (
    insert into order_events (id, order_id, noun, type, actor, detail, at)
    select new_id(m.now), (m.d).id, 'deposit', 'matched', p_actor,
      jsonb_strip_nulls(jsonb_build_object('bankTransferId', m.transfer_id, 'reason', p_reason)), m.now
    from matched m
  ), woken as (
    insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
    select new_id(m.now), deposit_noun(m.d), 'deposit:' || (m.d).order_no,
      deposit_arguments(m.d, o.merchant_code), 1, m.now, 0, m.now
    from matched m join merchants o on o.id = (m.d).merchant_id
  )
  select array_agg((m.d).id), array_agg((m.d).id) filter (where (m.d).quota_day is not null) into v_matched, v_shares
  from matched m;
  if v_shares is not null then
    perform release_paid_shares(v_shares);
  end if;
  return query select * from unnest(v_matched);
end $$;

-- PENDING → EXPIRED, at or after expire_at. Not in a recovery: its payer may have paid in the lost period.
create or replace function expire_deposit(p_deposit uuid, p_callback_body text, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v_deposit deposit_orders;
begin
  update deposit_orders set status = 'EXPIRED', updated_at = p_now
  where id = p_deposit and status = 'PENDING' and expire_at <= p_now and not in_recovery()
  returning * into v_deposit;
  if not found then
    return false;
  end if;
  perform append_event(p_deposit, 'deposit', 'expired', 'system', '{}', p_now);
  perform notify_deposit(v_deposit, 'deposit_expired', p_callback_body, p_now);
  return true;
end $$;

-- PENDING or MATCHED → CANCELLED. Money already received stays in suspense, and its bank credit is unmatched again;
-- what a channel had received becomes late money. Each bank credit that paid this order, or names it, raises an alert.
-- The account's lock serialises it with reports (record_transfer), so that each report is seen by one of the two.
create or replace function cancel_deposit(
  p_deposit uuid, p_actor text, p_reason text, p_callback_body text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_deposit deposit_orders;
begin
  perform from bank_accounts
  where id = (select account_id from deposit_orders where id = p_deposit) for no key update;
  update deposit_orders set status = 'CANCELLED', updated_at = p_now
  where id = p_deposit and status in ('PENDING', 'MATCHED')
  returning * into v_deposit;
  if not found then
    return false;
  end if;
  with released as (
    update transfer_allocations set released_at = p_now
    where deposit_id = p_deposit and released_at is null
    returning transfer_id
  )
  update bank_transfers set unmatched_reason = 'REOPENED'
  where id in (select transfer_id from released);
  perform receive_late(a.id, a.received, a.cost, 'it was cancelled when the channel had its money', p_now)
  from deposit_attempts a where a.deposit_id = p_deposit and a.status = 'PAID';
  perform alert_of_cancelled(t.id, t.account_id, v_deposit, p_now) from bank_transfers t
  where t.unmatched_reason is not null and t.received_at >= v_deposit.created_at - interval '1 day'
    and (names_order(t, v_deposit.expected_remark)
      or exists (select from transfer_allocations a where a.transfer_id = t.id and a.deposit_id = p_deposit)
      or v_deposit.expected_remark is null and t.account_id = v_deposit.account_id
        and t.currency_code = v_deposit.currency_code and t.amount = v_deposit.amount
        and t.bank_time >= v_deposit.created_at - interval '1 minute');
  perform append_event(p_deposit, 'deposit', 'cancelled', p_actor,
    jsonb_build_object('reason', p_reason), p_now);
  perform notify_deposit(v_deposit, 'deposit_cancelled', p_callback_body, p_now);
  perform wake_deposit(v_deposit, p_now);
  return true;
end $$;

-- Raises an alert that money came for a cancelled order: operators decide what happens to the money. Once for each bank
-- credit and order.
create or replace function alert_of_cancelled(
  p_transfer uuid, p_account uuid, p_deposit deposit_orders, p_now timestamptz
) returns void
language sql
as $$
  select raise_alert('MONEY_OF_CANCELLED', 'money-of-cancelled:' || p_transfer || ':' || p_deposit.order_no,
    p_deposit.merchant_id, jsonb_build_object('transferId', p_transfer, 'accountId', p_account,
      'cancelledOrderNo', p_deposit.order_no,
      'reason', 'money of ' || p_deposit.order_no || ', which is cancelled'), p_now)
$$;

-- Expires an order early, for the sandbox's payer page.
create or replace function hurry_deposit(p_deposit uuid, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v_deposit deposit_orders;
begin
  update deposit_orders set expire_at = p_now, updated_at = p_now
  where id = p_deposit and status = 'PENDING' and expire_at > p_now
  returning * into v_deposit;
  if not found then
    return false;
  end if;
  perform wake_deposit(v_deposit, p_now);
  return true;
end $$;

create or replace function notify_deposit(
  p_deposit deposit_orders, p_type text, p_body text, p_now timestamptz
) returns void
language sql
as $$ select notify_deposits(array[p_deposit], p_type, array[p_body], array[p_now]) $$;

-- Writes the callbacks of deposits, each with its outbox row; none for a deposit without a target or a body.
create or replace function notify_deposits(
  p_deposits deposit_orders[], p_type text, p_bodies text[], p_nows timestamptz[]
) returns void
language plpgsql
as $$
begin
  with asked as (
    select d.id as order_id, d.order_no, d.merchant_id, d.callback_url, d.trace_id, b.body, b.now
    from unnest(p_deposits) with ordinality d
    join unnest(p_bodies, p_nows) with ordinality as b(body, now, ordinality) using (ordinality)
    where d.callback_url is not null and b.body is not null
  ), notified as (
    insert into notification_logs as n
      (id, order_id, order_no, merchant_id, notification_type, target_url, request_body, status,
       attempt_count, total_attempts, generation, next_attempt_at, created_at, updated_at)
    select new_id(now), order_id, order_no, merchant_id, p_type, callback_url, body, 'WAITING_RETRY',
      0, 0, 1, now, now, now
    from asked
    returning n
  )
  insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
  select new_id(a.now), 'callback', 'callback:' || a.order_no || ':' || p_type,
    callback_arguments(notified.n, m.merchant_code, a.trace_id), callback_rank(p_type), a.now, 0, a.now
  from notified join asked a on a.order_id = (notified.n).order_id join merchants m on m.id = a.merchant_id;
end $$;

-- Wakes deposits that are PENDING although expire_at was before p_overdue_before (in a recovery none expires), or MATCHED
-- since before it. What a channel has seen and not received may stay MATCHED: its workflow asks every 30 s, and is woken if
-- it does not. At most
-- p_limit, by (expire_at, id), after the given place; a null place means the beginning.
create or replace function wake_overdue_deposits(
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
    where d.status in ('PENDING', 'MATCHED') and (d.status = 'MATCHED' or not in_recovery())
      and case d.status when 'PENDING' then d.expire_at else coalesce((
          select a.updated_at from deposit_attempts a
          where a.deposit_id = d.id and a.status in ('SENT', 'OPEN') and d.channel_id is not null), d.matched_at)
        end <= p_overdue_before
      and (p_place_id is null or (d.expire_at, d.id) > (p_place_at, p_place_id))
      -- One scan of the outbox for all of them: it has no index by key.
      and 'deposit:' || d.order_no not in (select keys_on_their_way(p_parked_after))
    order by d.expire_at, d.id limit p_limit
    for no key update of d skip locked
  loop
    perform wake_deposit(v_deposit, p_now);
    return next v_deposit;
  end loop;
end $$;
