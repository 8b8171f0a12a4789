-- The start arguments of a session's workflow.
create or replace function cashier_arguments(p_session cashier_sessions, p_merchant_code text) returns jsonb
language sql immutable
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'version', 1, 'sessionId', p_session.id, 'merchantCode', p_merchant_code,
    'currencyCode', p_session.currency_code, 'traceId', p_session.trace_id))
$$;

-- Makes the relay start the workflow of an open session, which has nothing to do before it expires. A session that is
-- reused expires later than its workflow was started for.
create or replace function start_cashier(p_session cashier_sessions) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, rank, start_at, due_at, refusals, created_at)
  select new_id(p_session.updated_at), 'cashier', 'cashier:' || p_session.id,
    cashier_arguments(p_session, m.merchant_code), 3, p_session.expire_at, p_session.updated_at, 0, p_session.updated_at
  from merchants m
  where m.id = p_session.merchant_id
$$;

-- Makes the relay start or wake the session's workflow. The outbox row holds the start arguments, and no other data.
create or replace function wake_cashier(p_session cashier_sessions, p_now timestamptz) returns void
language sql
as $$
  insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
  select new_id(p_now), 'cashier', 'cashier:' || p_session.id,
    cashier_arguments(p_session, m.merchant_code), 2, p_now, 0, p_now
  from merchants m
  where m.id = p_session.merchant_id
$$;

-- PENDING → EXPIRED, at or after expire_at, when the delayed start of the session's workflow ends. Returns whether this
-- call did it.
create or replace function expire_cashier_session(p_session uuid, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v_session cashier_sessions;
begin
  update cashier_sessions set status = 'EXPIRED', updated_at = p_now
  where id = p_session and status = 'PENDING' and expire_at <= p_now and not in_recovery()
  returning * into v_session;
  if not found then
    return false;
  end if;
  perform append_event(p_session, 'cashier', 'expired', 'system', '{}', p_now);
  return true;
end $$;

-- PENDING → EXPIRED by an operator: the session's tokens become invalid.
create or replace function revoke_cashier_session(p_session uuid, p_actor text, p_reason text, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v_session cashier_sessions;
begin
  update cashier_sessions set status = 'EXPIRED', revoked_at = p_now, updated_at = p_now
  where id = p_session and status = 'PENDING'
  returning * into v_session;
  if not found then
    return false;
  end if;
  perform append_event(p_session, 'cashier', 'revoked', p_actor, jsonb_build_object('reason', p_reason), p_now);
  perform wake_cashier(v_session, p_now);
  return true;
end $$;

-- Claims a number for the session. Returns whether it was free, or already claimed by this session.
create or replace function claim_cashier_number(p_session uuid, p_merchant uuid, p_number text) returns boolean
language plpgsql
as $$
begin
  insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
  values (p_merchant, p_number, 'cashier', p_session)
  on conflict do nothing;
  return found or exists (
    select from merchant_order_numbers
    where merchant_id = p_merchant and merchant_order_no = p_number and noun = 'cashier' and order_id = p_session);
end $$;

-- Makes the number of an order's session the order's. Returns whether it was the session's.
create or replace function take_over_cashier_number(p_order deposit_orders) returns boolean
language plpgsql
as $$
begin
  update merchant_order_numbers set noun = 'deposit', order_id = p_order.id
  where merchant_id = p_order.merchant_id and merchant_order_no = p_order.merchant_order_no
    and noun = 'cashier' and order_id = p_order.cashier_session_id;
  return found;
end $$;

-- Opens a session, or reuses the PENDING one of the same user: replaces its number, currency, callback_url, cards and
-- extra_data, and restarts its time. `outcome` is PUT, or NUMBER_TAKEN where nothing was written.
-- Requests of one user are serialised, so that they share one session.
-- p_same_cards: the indexes that equal cards may have.
create or replace function put_cashier_session(
  p cashier_sessions, p_same_cards text[], out outcome text, out session cashier_sessions
)
language plpgsql
as $$
declare
  v_old cashier_sessions;
begin
  if p.user_id <> '' then
    perform pg_advisory_xact_lock(hashtextextended('cashier:' || p.merchant_id || ':' || p.user_id, 0));
    select * into v_old from cashier_sessions
    where merchant_id = p.merchant_id and user_id = p.user_id and user_id <> '' and status = 'PENDING'
    for no key update;
    if found and expire_cashier_session(v_old.id, p.created_at) then
      v_old := null;
    end if;
  end if;
  if not claim_cashier_number(coalesce(v_old.id, p.id), p.merchant_id, p.merchant_order_no) then
    outcome := 'NUMBER_TAKEN';
    return;
  end if;
  if v_old.id is null then
    insert into cashier_sessions select (p).* returning * into session;
  else
    update cashier_sessions s
    set merchant_order_no = p.merchant_order_no, currency_code = p.currency_code, callback_url = p.callback_url,
      extra_data = p.extra_data, payer_bank_cards = p.payer_bank_cards,
      payer_bank_cards_index = p.payer_bank_cards_index, card_count = p.card_count, trace_id = p.trace_id,
      expire_at = p.expire_at, updated_at = p.created_at,
      version = s.version + case
        when (s.merchant_order_no, s.currency_code) = (p.merchant_order_no, p.currency_code)
          and (s.payer_bank_cards = p.payer_bank_cards or s.payer_bank_cards_index = any(p_same_cards)) then 0 else 1 end
    where s.id = v_old.id
    returning * into session;
  end if;
  perform append_event(session.id, 'cashier', case when v_old.id is null then 'created' else 'reused' end,
    'merchant:' || p.merchant_id,
    jsonb_build_object('merchantOrderNo', p.merchant_order_no, 'version', session.version), p.created_at);
  outcome := 'PUT';
end $$;

-- Opens a session, or reuses that of the same user. With `p_deposit` the session is submitted in the same transaction:
-- both are written or neither. `outcome` is ACCEPTED, NUMBER_TAKEN, or why the account does not accept the order.
create or replace function open_cashier_session(
  p_session jsonb, p_deposit jsonb,
  out outcome text, out session_id uuid, out version integer, out expire_at timestamptz, out amount numeric
)
language plpgsql
as $$
declare
  v_put record;
  v_session cashier_sessions;
begin
  select * into v_put from put_cashier_session(jsonb_populate_record(null::cashier_sessions, p_session),
    array(select jsonb_array_elements_text(p_session -> 'same_cards')));
  outcome := v_put.outcome;
  v_session := v_put.session;
  session_id := v_session.id;
  version := v_session.version;
  expire_at := v_session.expire_at;
  if outcome = 'NUMBER_TAKEN' then
    return;
  end if;
  if p_deposit is null then
    outcome := 'ACCEPTED';
    perform start_cashier(v_session);
    if p_session ->> 'key_to_note' is not null then
      perform note_first_create((p_session ->> 'key_to_note')::uuid, v_session.updated_at);
    end if;
    return;
  end if;
  select s.outcome, s.amount into outcome, amount
  from submit_cashier_session(session_id, version, p_deposit, null, 'merchant:' || v_session.merchant_id,
    v_session.updated_at) s;
  if outcome <> 'ACCEPTED' then
    raise exception using errcode = 'CW012';
  end if;
exception when sqlstate 'CW012' then
  -- Rolled back; `outcome` holds the answer of submit_cashier_session.
  null;
end $$;

-- PENDING → SUBMITTED with the session's order, which takes over its number. `outcome` is ACCEPTED; EXPIRED, SUBMITTED
-- or OLD_VERSION for a session that no longer accepts an order; or why the account does not accept the order. Unless
-- ACCEPTED nothing was written, except for the expiry of an overdue session. Fields that the order takes from its
-- session are read here, under the session's lock.
create or replace function submit_cashier_session(
  p_session uuid, p_version integer, p_deposit jsonb, p_card smallint, p_actor text, p_now timestamptz,
  out outcome text, out amount numeric
)
language plpgsql
as $$
declare
  v_session cashier_sessions;
begin
  select * into v_session from cashier_sessions where id = p_session for no key update;
  if v_session.status = 'PENDING' and expire_cashier_session(p_session, p_now) then
    outcome := 'EXPIRED';
  elsif v_session.status <> 'PENDING' then
    outcome := v_session.status;
  elsif v_session.version <> p_version then
    outcome := 'OLD_VERSION';
  end if;
  if outcome is not null then
    return;
  end if;

  select a.outcome, a.amount into outcome, amount
  from accept_deposits(jsonb_build_array(p_deposit || jsonb_build_object(
    'merchant_id', v_session.merchant_id, 'merchant_order_no', v_session.merchant_order_no,
    'currency_code', v_session.currency_code, 'callback_url', v_session.callback_url,
    'extra_data', v_session.extra_data, 'user_id', v_session.user_id, 'cashier_session_id', p_session))) a;
  if outcome <> 'ACCEPTED' then
    return;
  end if;

  update cashier_sessions
  set status = 'SUBMITTED', deposit_order_id = (p_deposit ->> 'id')::uuid, chosen_card = p_card,
    submitted_at = p_now, updated_at = p_now
  where id = p_session
  returning * into v_session;
  perform append_event(p_session, 'cashier', 'submitted', p_actor,
    jsonb_build_object('orderNo', p_deposit ->> 'order_no', 'amount', amount::numeric(20, 4)::text), p_now);
  perform wake_cashier(v_session, p_now);
end $$;

-- Records, once, which card the payer uses, for an order that was created with its session.
create or replace function choose_cashier_card(
  p_session uuid, p_version integer, p_card smallint, p_bank_code text, p_last4 text, p_now timestamptz
) returns boolean
language plpgsql
as $$
declare
  v_session cashier_sessions;
begin
  update cashier_sessions set chosen_card = p_card, updated_at = p_now
  where id = p_session and status = 'SUBMITTED' and version = p_version and chosen_card is null
  returning * into v_session;
  if not found then
    return false;
  end if;
  update deposit_orders set payer_bank_code = p_bank_code, payer_account_last4 = p_last4, updated_at = p_now
  where id = v_session.deposit_order_id and status = 'PENDING';
  perform append_event(p_session, 'cashier', 'card_chosen', 'payer:' || p_session,
    jsonb_build_object('card', p_card), p_now);
  return true;
end $$;

-- The sweep: wakes sessions that are PENDING although expire_at was before p_overdue_before. At most p_limit, by
-- (expire_at, id), after the given place; a null place means the beginning.
create or replace function wake_overdue_cashier_sessions(
  p_overdue_before timestamptz, p_parked_after timestamptz, p_place_at timestamptz, p_place_id uuid,
  p_limit integer, p_now timestamptz
) returns setof cashier_sessions
language plpgsql
as $$
declare
  v_session cashier_sessions;
begin
  for v_session in
    select * from cashier_sessions s
    where s.status = 'PENDING' and s.expire_at <= p_overdue_before and not in_recovery()
      and (p_place_id is null or (s.expire_at, s.id) > (p_place_at, p_place_id))
      and 'cashier:' || s.id not in (select keys_on_their_way(p_parked_after))
    order by s.expire_at, s.id limit p_limit
    for no key update of s skip locked
  loop
    perform wake_cashier(v_session, p_now);
    return next v_session;
  end loop;
end $$;
