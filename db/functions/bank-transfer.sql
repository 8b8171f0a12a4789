-- The key of a bank credit that reuses a bank reference with another amount or currency: it is another credit.
create or replace function reused_key(p transfer_report) returns text
language sql immutable
as $$ select p.dedupe_key || '|' || p.currency_code || ' ' || p.amount::numeric(20, 4)::text $$;

-- Whether a memo contains this remark, compared as domain/remark.ts does.
create or replace function names_remark(p_memo text, p_remark text) returns boolean
language sql immutable
as $$ select position(p_remark in regexp_replace(upper(normalize(p_memo, NFKC)), '[^A-Z0-9]', '', 'g')) > 0 $$;

-- Those of these remarks that orders have.
create or replace function remarks_of_orders(p_remarks text[]) returns text[]
language sql stable
as $$ select coalesce(array_agg(expected_remark), '{}') from deposit_orders where expected_remark = any(p_remarks) $$;

-- The remarks in a memo that orders have. A remark has eight characters (domain/remark.ts).
create or replace function remarks_named_in(p_memo text) returns text[]
language sql stable
as $$
  select remarks_of_orders(array(select substr(m.text, n, 8) from generate_series(1, length(m.text) - 7) n))
  from (select regexp_replace(upper(normalize(p_memo, NFKC)), '[^A-Z0-9]', '', 'g') as text) m
$$;

-- Whether the memo of a credit contains this remark of an order. A sealed memo is not read.
create or replace function names_order(p bank_transfers, p_remark text) returns boolean
language sql immutable
as $$
  select case when p.named_remarks is null then names_remark(p.memo, p_remark) else p_remark = any(p.named_remarks) end
$$;

-- The facts on which the verdicts on several bank credits depend, each as if it were the only one.
create or replace function transfer_facts(p_reports transfer_report[]) returns table (id uuid, facts jsonb)
language sql volatile
set enable_seqscan = off
as $$
  select p.id, jsonb_build_object(
    'account', (select jsonb_build_object('currencyCode', currency_code, 'mode', mode, 'status', status,
        'balanceRequired', balance_required,
        'pausedByGap', coalesce(status_reason = 'running balance does not add up', false),
        'bankBalance', case when p.balance_after is not null then bank_balance::text end,
        'bankBalanceAt', case when p.balance_after is not null then bank_balance_at end,
        'balanceChain', case when p.balance_after is not null then balance_chain end)
      from bank_accounts where id = p.account_id),
    'recordedId', recorded.id,
    'referenceReused', coalesce(recorded.reused, false),
    -- All of them, if another source or kind of report is among them.
    'alike', case when ways.lower is not null or ways.higher is not null
    then (
      select jsonb_agg(jsonb_build_object('id', o.id, 'source', o.source, 'bankReference', o.bank_reference,
        'bankTime', o.bank_time, 'payerName', o.payer_name, 'payerAccount', o.payer_account, 'memo', o.memo,
        'sameOrder', coalesce(o.named_remarks && p.remarks, false) and exists (
          select from transfer_allocations a where a.transfer_id = o.id and a.released_at is null)) order by o.id)
      from (
        -- Before and after its time, each limited, so that a busy account costs only this many rows.
        (select b.* from bank_transfers b
          where b.account_id = p.account_id and b.amount = p.amount and b.bank_time >= p.bank_time
            and b.bank_time <= span.until
            and b.currency_code = p.currency_code and b.id <> p.id and b.id <> all(recorded.ids)
          order by b.bank_time limit 100)
        union all
        (select b.* from bank_transfers b
          where b.account_id = p.account_id and b.amount = p.amount and b.bank_time < p.bank_time
            and b.bank_time >= span.since
            and b.currency_code = p.currency_code and b.id <> p.id and b.id <> all(recorded.ids)
          order by b.bank_time desc limit 100)
      ) o
    ) else '[]' end,
    -- Credits of the same amount and balance around its time, where its own balance does not follow: one may be the same,
    -- unless their references tell them apart.
    'echoes', case when p.balance_after is not null and exists (
        select from bank_accounts a where a.id = p.account_id and a.bank_balance + p.amount <> p.balance_after)
    then (
      select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'source', o.source, 'bankReference', o.bank_reference,
        'bankTime', o.bank_time, 'payerName', o.payer_name, 'payerAccount', o.payer_account, 'memo', o.memo) order by o.id), '[]')
      from (
        select b.* from bank_transfers b
        where b.account_id = p.account_id and b.amount = p.amount
          and b.bank_time between p.bank_time - interval '1 hour' and p.bank_time + interval '1 hour'
          and b.balance_after = p.balance_after and b.id <> p.id and b.id <> all(recorded.ids)
          and (b.bank_reference is null or p.bank_reference is null)
        order by b.bank_time limit 5) o
    ) else '[]' end,
    'keyLive', p.agent_key_id is null
      or exists (select from agent_keys k where k.id = p.agent_key_id and k.revoked_at is null),
    'credited', case when p.credited_since is not null then (
      select coalesce(sum(t.amount), 0)::text from bank_transfers t
      join transfer_allocations a on a.transfer_id = t.id and a.matched_by = 'system'
      where t.source = p.source and t.currency_code = p.currency_code and t.received_at >= p.credited_since) end,
    'named', coalesce(named.deposits, '[]'),
    'payersListed', payers_listed(p.received_at))
  from unnest(p_reports) p
  cross join lateral (
    select coalesce(array_agg(r.id), '{}') as ids,
      (array_agg(r.id) filter (where r.amount = p.amount and r.currency_code = p.currency_code))[1] as id,
      bool_or(r.dedupe_key = p.dedupe_key and (r.amount <> p.amount or r.currency_code <> p.currency_code)) as reused
    from (
      -- Ordered as the index bank_transfers_once, so that no other is used: while a plan is cached that was made for a
      -- small table, it would read all credits of the account.
      (select b.* from bank_transfers b
        where b.account_id = p.account_id and b.direction = 'CREDIT'
          and b.dedupe_key between p.dedupe_key and p.dedupe_key
        order by b.dedupe_key limit 1)
      union all
      (select b.* from bank_transfers b
        where b.account_id = p.account_id and b.direction = 'CREDIT'
          and b.dedupe_key between reused_key(p) and reused_key(p)
        order by b.dedupe_key limit 1)
    ) r
  ) recorded
  cross join lateral (
    select p.bank_time - make_interval(secs => p.near_seconds) as since,
      p.bank_time + make_interval(secs => p.near_seconds) as until,
      p.source || case when p.bank_reference is null then ' ?' else '' end as way
  ) span
  cross join lateral (
    -- Ordered as the index bank_transfers_ways, so that no other is used: where nothing differs, these read no row.
    select (
      select true from bank_transfers b
      where b.account_id = p.account_id and b.amount = p.amount
        and b.source || case when b.bank_reference is null then ' ?' else '' end < span.way
        and b.bank_time between span.since and span.until
        and b.currency_code = p.currency_code and b.id <> p.id and b.id <> all(recorded.ids)
      order by b.source || case when b.bank_reference is null then ' ?' else '' end desc limit 1) as lower, (
      select true from bank_transfers b
      where b.account_id = p.account_id and b.amount = p.amount
        and b.source || case when b.bank_reference is null then ' ?' else '' end > span.way
        and b.bank_time between span.since and span.until
        and b.currency_code = p.currency_code and b.id <> p.id and b.id <> all(recorded.ids)
      order by b.source || case when b.bank_reference is null then ' ?' else '' end limit 1) as higher
  ) ways
  cross join lateral (
    select jsonb_agg(jsonb_build_object('id', d.id, 'accountId', d.account_id,
        'currencyCode', d.currency_code, 'amount', d.amount::text, 'fee', d.fee::text, 'status', d.status,
        'createdAt', d.created_at, 'orderNo', d.order_no, 'traceId', d.trace_id, 'contested', n.contested,
        'payerName', d.payer_name, 'payerAccountLast4', d.payer_account_last4, 'payerAccountNo', d.payer_account_no,
        'payerOutcome', d.payer_outcome, 'payerFindings', d.payer_findings, 'merchantId', d.merchant_id,
        'merchantOrderNo', d.merchant_order_no,
        'payerRules', payer_rules_json(d.merchant_id, d.currency_code)) order by d.id) as deposits
    from (
      select o.id, false as contested
      from bank_accounts a join deposit_orders o on o.expected_remark = any(p.remarks)
      where a.id = p.account_id and a.mode = 'REMARK'
      union all
      select r.deposit_id, r.contested
      from bank_accounts a
      join reserved_amounts r on r.account_id = a.id and r.currency_code = p.currency_code and r.amount = p.amount
      where a.id = p.account_id and a.mode = 'FLOAT'
    ) n join deposit_orders d on d.id = n.id
  ) named
$$;

-- The same for one.
create or replace function transfer_facts(p transfer_report) returns jsonb
language sql volatile
as $$ select facts from transfer_facts(array[p]) $$;

-- Opens an account again that was paused because its balance did not add up (BALANCE_GAP of domain/running-balance.ts):
-- the missing movement came, or what contradicted it was invented.
create or replace function resume_account(p_account uuid, p_now timestamptz) returns void
language sql
as $$
  update bank_accounts set status = 'ACTIVE', status_reason = null, updated_at = p_now
  where id = p_account and status = 'PAUSED' and status_reason = 'running balance does not add up'
$$;

-- Records bank credits, posts each bank → suspense and applies its verdict, if the facts of the verdict still hold under
-- the account's lock. Writes nothing of a credit whose facts have changed, or may be changed by an earlier one of this
-- batch, and returns its facts as they were before the batch.
-- Without sequential scans: a plan is cached for the size that the tables had when a connection first used it.
-- p_asked: for each the columns of transfer_report, `facts`, `accounts` and `amounts` of its postings, and of its verdict
-- `deposit_id` and `fee`, or `reason`; `pause`, `resume`, `note_balance` with the account's `newest_balance`, `newest_at` and
-- `balance_chain` from then on.
create or replace function record_transfers(p_asked jsonb) returns table (id uuid, recorded boolean, facts jsonb)
language plpgsql
set enable_seqscan = off
as $$
declare
  v_reports transfer_report[];
  v_accounts uuid[];
  v_capped_keys uuid[];
  v_keys uuid[];
  v_deposits uuid[];
  v_credits uuid[];
  v_keys_posted text[];
  v_currencies text[];
  v_nows timestamptz[];
  v_line_keys text[];
  v_lines text[];
  v_amounts numeric[];
  v_matched_credits uuid[];
  v_matched_deposits uuid[];
  v_fees numeric[];
  v_counts boolean;
  v_balances boolean;
  v_pauses boolean;
  v_names boolean;
  v_facts jsonb;
begin
  select array_agg(r order by t.n), array_agg(r.account_id), array_agg(r.agent_key_id) filter (where r.credited_since is not null),
    array_agg(r.agent_key_id) filter (where r.credited_since is null), array_agg((t.j ->> 'deposit_id')::uuid)
  into v_reports, v_accounts, v_capped_keys, v_keys, v_deposits
  from jsonb_array_elements(p_asked) with ordinality t(j, n), jsonb_populate_record(null::transfer_report, t.j) r;
  -- Always locked in the same order: two calls cannot deadlock.
  perform from bank_accounts a where a.id = any(v_accounts) order by a.id for no key update;
  -- Serialises a report with a revocation of its key and, if the key has a ceiling, with its other reports.
  perform from agent_keys k where k.id = any(v_capped_keys) order by k.id for no key update;
  perform from agent_keys k where k.id = any(v_keys) order by k.id for share;
  perform from deposit_orders d where d.id = any(v_deposits) order by d.id for no key update;

  with asked as materialized (
    select t.n, t.j, r.*, reused_key(r) as reused_key, t.j -> 'facts' as facts, (t.j ->> 'deposit_id')::uuid as deposit_id,
      (t.j ->> 'note_balance')::boolean as note_balance, t.j ->> 'pause' as pause, t.j #> '{facts,alike}' <> '[]' as has_alike,
      array(select (d ->> 'id')::uuid from jsonb_array_elements(t.j #> '{facts,named}') d) as named
    from jsonb_array_elements(p_asked) with ordinality t(j, n), jsonb_populate_record(null::transfer_report, t.j) r
  ), present as materialized (
    select f.id, f.facts from transfer_facts(v_reports) f
  ), recordable as materialized (
    select a.* from asked a join present f on f.id = a.id
    where f.facts = a.facts and f.facts ->> 'recordedId' is null and not exists (
      -- An earlier one of this batch may change its facts.
      select from asked e
      where e.n < a.n and (
        a.credited_since is not null and a.source = e.source
        or e.deposit_id = any(a.named)
        or a.account_id = e.account_id and (
          e.pause is not null or (e.j ->> 'resume')::boolean
          or e.note_balance and a.balance_after is not null
          or e.dedupe_key in (a.dedupe_key, a.reused_key) or e.reused_key in (a.dedupe_key, a.reused_key)
          -- Both are alike, and nothing says yet that they are of different credits.
          or a.amount = e.amount and (a.source <> e.source
            or (a.bank_reference is null) <> (e.bank_reference is null) or a.has_alike or e.has_alike))))
  ), credits as (
    insert into bank_transfers
      (id, account_id, direction, amount, currency_code, bank_reference, dedupe_key, bank_time, payer_name,
       payer_account, payer_account_index, memo, named_remarks, balance_after, source, unmatched_reason, received_at,
       counted_day)
    select g.id, g.account_id, 'CREDIT', g.amount, g.currency_code, g.bank_reference,
      case when (g.facts ->> 'referenceReused')::boolean then g.reused_key else g.dedupe_key end,
      g.bank_time, g.payer_name, g.payer_account, g.payer_account_index, g.memo, remarks_of_orders(g.remarks),
      g.balance_after, g.source, g.j ->> 'reason', g.received_at, case when counts_received(b) then local_day(g.bank_time, b.time_zone) end
    from recordable g join bank_accounts b on b.id = g.account_id
    order by g.n
    returning bank_transfers.id, counted_day
  )
  select array_agg(g.id order by g.n), array_agg('bank-credit:' || g.id order by g.n),
    array_agg(g.currency_code order by g.n), array_agg(g.received_at order by g.n),
    array_agg(g.id order by g.n) filter (where g.deposit_id is not null),
    array_agg(g.deposit_id order by g.n) filter (where g.deposit_id is not null),
    array_agg((g.j ->> 'fee')::numeric order by g.n) filter (where g.deposit_id is not null),
    bool_or(c.counted_day is not null), bool_or(g.note_balance), bool_or(g.pause is not null),
    bool_or(g.deposit_id is null and g.named <> '{}'),
    (select jsonb_object_agg(f.id, f.facts) from present f where f.id <> all(array(select g.id from recordable g)))
  into v_credits, v_keys_posted, v_currencies, v_nows, v_matched_credits, v_matched_deposits, v_fees, v_counts, v_balances,
    v_pauses, v_names, v_facts
  from recordable g join credits c on c.id = g.id;

  if v_credits is not null then
    select array_agg('bank-credit:' || (t.j ->> 'id') order by t.n, l.m), array_agg(l.account order by t.n, l.m),
      array_agg((t.j -> 'amounts' ->> (l.m::integer - 1))::numeric order by t.n, l.m)
    into v_line_keys, v_lines, v_amounts
    from jsonb_array_elements(p_asked) with ordinality t(j, n),
      jsonb_array_elements_text(t.j -> 'accounts') with ordinality l(account, m)
    where (t.j ->> 'id')::uuid = any(v_credits);
    perform post_transfers(array_fill('BANK_CREDIT'::text, array[cardinality(v_credits)]), v_keys_posted, v_currencies,
      array_fill(null::uuid, array[cardinality(v_credits)]), v_credits, v_nows, v_line_keys, v_lines, v_amounts);
    if cardinality(v_matched_credits) > (
        select count(*) from match_deposits(v_matched_credits, v_matched_deposits, v_fees, 'PENDING', 'system', null,
          array(select r.received_at from unnest(v_matched_credits) with ordinality m(id, n)
            join unnest(v_reports) r on r.id = m.id order by m.n))) then
      raise exception 'a PENDING deposit under our lock did not match' using errcode = 'CW004';
    end if;
    if v_counts then
      perform count_credit(b.account_id, b.counted_day, b.amount) from (
        select * from bank_transfers b where b.id = any(v_credits) and b.counted_day is not null
        order by b.account_id, b.counted_day) b;
    end if;
    if v_balances then
      update bank_accounts a set
        bank_balance = coalesce((t.j ->> 'newest_balance')::numeric, (t.j ->> 'balance_after')::numeric),
        bank_balance_at = coalesce((t.j ->> 'newest_at')::timestamptz, (t.j ->> 'bank_time')::timestamptz),
        balance_chain = coalesce(t.j -> 'balance_chain', a.balance_chain)
      from jsonb_array_elements(p_asked) t(j)
      where (t.j ->> 'note_balance')::boolean and (t.j ->> 'id')::uuid = any(v_credits)
        and a.id = (t.j ->> 'account_id')::uuid;
    end if;
    if v_pauses then
      update bank_accounts a set status = 'PAUSED', status_reason = t.j ->> 'pause',
        updated_at = (t.j ->> 'received_at')::timestamptz
      from jsonb_array_elements(p_asked) t(j)
      where t.j ->> 'pause' is not null and (t.j ->> 'id')::uuid = any(v_credits)
        and a.id = (t.j ->> 'account_id')::uuid and a.status = 'ACTIVE';
    end if;
    if v_balances then
      perform resume_account((t.j ->> 'account_id')::uuid, (t.j ->> 'received_at')::timestamptz)
      from jsonb_array_elements(p_asked) t(j)
      where (t.j ->> 'resume')::boolean and (t.j ->> 'id')::uuid = any(v_credits);
    end if;
    -- A cancel runs before or after this, under the account's lock: see cancel_deposit.
    if v_names then
      perform alert_of_cancelled((t.j ->> 'id')::uuid, (t.j ->> 'account_id')::uuid, d, (t.j ->> 'received_at')::timestamptz)
      from jsonb_array_elements(p_asked) t(j)
      cross join lateral jsonb_array_elements(t.j -> 'facts' -> 'named') n
      join deposit_orders d on d.id = (n ->> 'id')::uuid
      where t.j ->> 'deposit_id' is null and (t.j ->> 'id')::uuid = any(v_credits) and d.status = 'CANCELLED';
    end if;
  end if;
  return query
  select r.id, coalesce(r.id = any(v_credits), false), v_facts -> r.id::text
  from unnest(v_reports) r;
end $$;

-- The same for one.
create or replace function record_transfer(
  p transfer_report, p_facts jsonb, p_accounts text[], p_amounts numeric[],
  p_deposit uuid, p_fee numeric, p_reason text, p_pause text, p_note_balance boolean,
  out recorded boolean, out facts jsonb
)
language sql
as $$
  select r.recorded, r.facts
  from record_transfers(jsonb_build_array(to_jsonb(p) || jsonb_build_object(
    'facts', p_facts, 'accounts', p_accounts, 'amounts', p_amounts, 'deposit_id', p_deposit, 'fee', p_fee,
    'reason', p_reason, 'pause', p_pause, 'note_balance', p_note_balance))) r
$$;

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
  set memo = coalesce(nullif(p.memo, ''), memo),
    named_remarks = case when p.memo = '' then named_remarks else remarks_of_orders(p.remarks) end,
    payer_name = coalesce(p.payer_name, payer_name),
    payer_account = coalesce(p.payer_account, payer_account),
    payer_account_index = case when p.payer_account is null then payer_account_index else p.payer_account_index end,
    balance_after = coalesce(p.balance_after, balance_after),
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
  if p_deposit is not null and not exists (
    select from match_deposits(
      array[p_known], array[p_deposit], array[p_fee], 'PENDING', 'system', null, array[p.received_at])) then
    raise exception 'a PENDING deposit under our lock did not match' using errcode = 'CW004';
  end if;
  return true;
end $$;

-- A new verdict on a credit that waited because of its account's balance, as improve_transfer applies one, without new data.
-- The caller holds the account's lock.
create or replace function judge_waiting_credit(
  p transfer_report, p_facts jsonb, p_deposit uuid, p_fee numeric, p_reason text
) returns boolean
language plpgsql
as $$
begin
  perform from agent_keys where id = p.agent_key_id for share;
  perform from deposit_orders where id = p_deposit for no key update;
  if transfer_facts(p) is distinct from p_facts then
    return false;
  end if;
  update bank_transfers set unmatched_reason = p_reason, payer_finding = null
  where id = p.id and unmatched_reason in ('BALANCE_DIFFERS', 'ACCOUNT_PAUSED');
  if not found then
    return false;
  end if;
  if p_deposit is not null and not exists (
    select from match_deposits(
      array[p.id], array[p_deposit], array[p_fee], 'PENDING', 'system', null, array[p.received_at])) then
    raise exception 'a PENDING deposit under our lock did not match' using errcode = 'CW004';
  end if;
  return true;
end $$;

-- Transfers that were recorded, matched or reopened: each gets a new number after the commit. One that still waits for its
-- number is only locked, so that it gets it after this commit.
create or replace function note_transfer_changes(p_transfers uuid[]) returns void
language sql
as $$
  insert into bank_transfer_changes (transfer_id) select distinct id from unnest(p_transfers) id order by id
  on conflict (transfer_id) do update set seq = null where bank_transfer_changes.seq is not null
$$;

create or replace function change_of_transfer() returns trigger
language plpgsql
as $$
begin
  -- What a credit says stays the same where keys:rotate seals it again.
  if current_setting('causeway.reseals', true) is distinct from 'on' then
    perform note_transfer_changes(array(select id from changed));
  end if;
  return null;
end $$;

create or replace trigger bank_transfers_changed after insert on bank_transfers
referencing new table as changed
for each statement execute function change_of_transfer();

create or replace trigger bank_transfers_updated after update on bank_transfers
referencing new table as changed
for each statement execute function change_of_transfer();

create or replace function change_of_allocation() returns trigger
language plpgsql
as $$
begin
  perform note_transfer_changes(array(select transfer_id from changed));
  return null;
end $$;

create or replace trigger transfer_allocations_changed after insert on transfer_allocations
referencing new table as changed
for each statement execute function change_of_allocation();

create or replace trigger transfer_allocations_updated after update on transfer_allocations
referencing new table as changed
for each statement execute function change_of_allocation();

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
