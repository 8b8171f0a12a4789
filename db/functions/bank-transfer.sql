-- The key of a bank credit that reuses a bank reference with another amount or currency: it is another credit.
create or replace function reused_key(p transfer_report) returns text
language sql immutable
as $$ select p.dedupe_key || '|' || p.currency_code || ' ' || p.amount::numeric(20, 4)::text $$;

-- Whether a memo contains this remark, compared as domain/remark.ts does.
create or replace function names_remark(p_memo text, p_remark text) returns boolean
language sql immutable
as $$ select position(p_remark in regexp_replace(upper(normalize(p_memo, NFKC)), '[^A-Z0-9]', '', 'g')) > 0 $$;

-- The facts on which the verdict on a bank credit depends.
create or replace function transfer_facts(p transfer_report) returns jsonb
language sql volatile
as $$
  with recorded as (
    select id, dedupe_key, amount = p.amount and currency_code = p.currency_code as same
    from bank_transfers
    where account_id = p.account_id and direction = 'CREDIT'
      and dedupe_key in (p.dedupe_key, reused_key(p))
  ), alike as (
    -- Before and after its time, each limited, so that a busy account costs only this many rows.
    (select * from bank_transfers
      where account_id = p.account_id and amount = p.amount and currency_code = p.currency_code
        and id <> p.id and id not in (select r.id from recorded r)
        and bank_time >= p.bank_time and bank_time <= p.bank_time + make_interval(secs => p.near_seconds)
      order by bank_time limit 100)
    union all
    (select * from bank_transfers
      where account_id = p.account_id and amount = p.amount and currency_code = p.currency_code
        and id <> p.id and id not in (select r.id from recorded r)
        and bank_time < p.bank_time and bank_time >= p.bank_time - make_interval(secs => p.near_seconds)
      order by bank_time desc limit 100)
  ), named as (
    select d.id, d.account_id, d.currency_code, d.amount, d.fee, d.status, d.created_at, d.order_no, d.trace_id,
      false as contested, d.payer_name, d.payer_account_last4, d.payer_account_no, d.payer_outcome, d.payer_findings,
      d.merchant_id
    from bank_accounts a join deposit_orders d on d.expected_remark = any(p.remarks)
    where a.id = p.account_id and a.mode = 'REMARK'
    union all
    select d.id, d.account_id, d.currency_code, d.amount, d.fee, d.status, d.created_at, d.order_no, d.trace_id,
      r.contested, d.payer_name, d.payer_account_last4, d.payer_account_no, d.payer_outcome, d.payer_findings,
      d.merchant_id
    from bank_accounts a
    join reserved_amounts r on r.account_id = a.id and r.currency_code = p.currency_code and r.amount = p.amount
    join deposit_orders d on d.id = r.deposit_id
    where a.id = p.account_id and a.mode = 'FLOAT'
  )
  select jsonb_build_object(
    'account', (select jsonb_build_object('currencyCode', currency_code, 'mode', mode, 'status', status,
        'balanceRequired', balance_required,
        'bankBalance', case when p.balance_after is not null then bank_balance::text end,
        'bankBalanceAt', case when p.balance_after is not null then bank_balance_at end)
      from bank_accounts where id = p.account_id),
    'recordedId', (select id from recorded where same limit 1),
    'referenceReused', exists (select from recorded where dedupe_key = p.dedupe_key and not same),
    'alike', (select coalesce(jsonb_agg(jsonb_build_object('source', source, 'bankReference', bank_reference,
        'bankTime', bank_time, 'payerName', payer_name, 'payerAccount', payer_account, 'memo', memo) order by id), '[]')
      from alike where exists (select from alike o
        where o.source <> p.source or (o.bank_reference is null) <> (p.bank_reference is null))),
    'keyLive', p.agent_key_id is null
      or exists (select from agent_keys where id = p.agent_key_id and revoked_at is null),
    'credited', case when p.credited_since is not null then (
      select coalesce(sum(t.amount), 0)::text from bank_transfers t
      join transfer_allocations a on a.transfer_id = t.id and a.matched_by = 'system'
      where t.source = p.source and t.currency_code = p.currency_code and t.received_at >= p.credited_since) end,
    'named', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'accountId', account_id,
        'currencyCode', currency_code, 'amount', amount::text, 'fee', fee::text, 'status', status,
        'createdAt', created_at, 'orderNo', order_no, 'traceId', trace_id, 'contested', contested,
        'payerName', payer_name, 'payerAccountLast4', payer_account_last4, 'payerAccountNo', payer_account_no,
        'payerOutcome', payer_outcome, 'payerFindings', payer_findings, 'merchantId', merchant_id,
        'payerRules', payer_rules_json(merchant_id, currency_code)) order by id), '[]') from named),
    'payersListed', payers_listed(p.received_at))
$$;

-- Records a bank credit, posts it bank → suspense and applies the verdict, if the facts of the verdict still hold under
-- the account's lock. Otherwise it writes nothing and returns the present facts.
create or replace function record_transfer(
  p transfer_report, p_facts jsonb, p_accounts text[], p_amounts numeric[],
  p_deposit uuid, p_fee numeric, p_reason text, p_pause text, p_note_balance boolean,
  out recorded boolean, out facts jsonb
)
language plpgsql
as $$
declare
  v_account bank_accounts;
  v_counted_day date;
begin
  select * into v_account from bank_accounts where id = p.account_id for no key update;
  -- Serialises a report with a revocation of its key and, if the key has a ceiling, with its other reports.
  if p.credited_since is not null then
    perform from agent_keys where id = p.agent_key_id for no key update;
  else
    perform from agent_keys where id = p.agent_key_id for share;
  end if;
  perform from deposit_orders where id = p_deposit for no key update;
  facts := transfer_facts(p);
  recorded := facts = p_facts and facts ->> 'recordedId' is null;
  if not recorded then
    return;
  end if;

  if counts_received(v_account) then
    v_counted_day := local_day(p.bank_time, v_account.time_zone);
    perform count_credit(p.account_id, v_counted_day, p.amount);
  end if;
  insert into bank_transfers
    (id, account_id, direction, amount, currency_code, bank_reference, dedupe_key, bank_time, payer_name,
     payer_account, memo, balance_after, source, unmatched_reason, received_at, counted_day)
  values
    (p.id, p.account_id, 'CREDIT', p.amount, p.currency_code, p.bank_reference,
     case when (facts ->> 'referenceReused')::boolean then reused_key(p) else p.dedupe_key end,
     p.bank_time, p.payer_name, p.payer_account, p.memo, p.balance_after, p.source, p_reason, p.received_at,
     v_counted_day);
  perform post_transfer('BANK_CREDIT', 'bank-credit:' || p.id, p.currency_code::char(3), null, p.id,
    p.received_at, p_accounts, p_amounts);
  if p_note_balance then
    update bank_accounts set bank_balance = p.balance_after, bank_balance_at = p.bank_time
    where id = p.account_id;
  end if;
  if p_pause is not null then
    update bank_accounts set status = 'PAUSED', status_reason = p_pause, updated_at = p.received_at
    where id = p.account_id and status = 'ACTIVE';
  end if;
  if p_deposit is not null and not match_deposit(p.id, p_deposit, p_fee, 'system', null, p.received_at) then
    raise exception 'a PENDING deposit under our lock did not match' using errcode = 'CW004';
  end if;
  -- A cancel runs before or after this, under the account's lock: see cancel_deposit.
  if p_deposit is null then
    perform alert_of_cancelled(p.id, p.account_id, d, p.received_at)
    from jsonb_array_elements(facts -> 'named') n join deposit_orders d on d.id = (n ->> 'id')::uuid
    where d.status = 'CANCELLED';
  end if;
end $$;

-- Writes the data of a better report into the row of a waiting credit and applies the verdict, as record_transfer does
-- for a new one. Writes nothing if the facts of the verdict no longer hold. A credit that is partly used gets no new
-- verdict.
create or replace function improve_transfer(
  p transfer_report, p_known uuid, p_facts jsonb, p_deposit uuid, p_fee numeric, p_reason text, p_pause text,
  p_note_balance boolean
) returns boolean
language plpgsql
as $$
begin
  perform from bank_accounts where id = p.account_id for no key update;
  perform from agent_keys where id = p.agent_key_id for share;
  perform from deposit_orders where id = p_deposit for no key update;
  if transfer_facts(p) is distinct from p_facts then
    return false;
  end if;
  update bank_transfers
  set memo = coalesce(nullif(p.memo, ''), memo), payer_name = coalesce(p.payer_name, payer_name),
    payer_account = coalesce(p.payer_account, payer_account), balance_after = coalesce(p.balance_after, balance_after),
    unmatched_reason = p_reason, payer_finding = null, confirmed_by = case when source like 'operator:%' then p.source else confirmed_by end,
    confirmed_at = case when source like 'operator:%' then p.received_at else confirmed_at end
  where id = p_known and unmatched_reason is not null and unmatched_reason <> 'REOPENED';
  if not found then
    return false;
  end if;
  if p_note_balance then
    update bank_accounts set bank_balance = p.balance_after, bank_balance_at = p.bank_time
    where id = p.account_id;
  end if;
  if p_pause is not null then
    update bank_accounts set status = 'PAUSED', status_reason = p_pause, updated_at = p.received_at
    where id = p.account_id and status = 'ACTIVE';
  end if;
  if p_deposit is not null and not match_deposit(p_known, p_deposit, p_fee, 'system', null, p.received_at) then
    raise exception 'a PENDING deposit under our lock did not match' using errcode = 'CW004';
  end if;
  return true;
end $$;

-- A transfer that was recorded, matched or reopened: it gets a new number after the commit. One that still waits for its
-- number is only locked, so that it gets it after this commit.
create or replace function note_transfer_change(p_transfer uuid) returns void
language sql
as $$
  insert into bank_transfer_changes (transfer_id) values (p_transfer)
  on conflict (transfer_id) do update set seq = null where bank_transfer_changes.seq is not null
$$;

create or replace function change_of_transfer() returns trigger
language plpgsql
as $$
begin
  perform note_transfer_change(new.id);
  return null;
end $$;

create or replace trigger bank_transfers_changed after insert or update on bank_transfers
for each row execute function change_of_transfer();

create or replace function change_of_allocation() returns trigger
language plpgsql
as $$
begin
  perform note_transfer_change(new.transfer_id);
  return null;
end $$;

create or replace trigger transfer_allocations_changed after insert or update on transfer_allocations
for each row execute function change_of_allocation();

-- Numbers the transfers that changed since the last call, one caller at a time, as number_alerts does. A transfer that
-- is being changed gets its number by the next call.
create or replace function number_transfers(p_limit integer) returns bigint
language plpgsql
as $$
declare
  v_last bigint;
begin
  if not exists (select from bank_transfer_changes where seq is null)
    or not pg_try_advisory_xact_lock(hashtext('causeway.number_transfers')) then
    return null;
  end if;
  with batch as materialized (
    select transfer_id, nextval('bank_transfer_numbers') as number
    from (
      select transfer_id from bank_transfer_changes where seq is null order by position limit p_limit
      for update skip locked
    ) unnumbered
  ), numbered as (
    update bank_transfer_changes c set seq = batch.number from batch
    where c.transfer_id = batch.transfer_id returning c.seq
  )
  select max(seq) into v_last from numbered;
  return v_last;
end $$;
