-- Reports that may be the same movements as these lines of a statement, by direction and amount: booked around the same
-- days, and not yet named by a line of it. So a line is not compared with what earlier lines have recorded.
create or replace function free_reports(p_statement uuid, p_after integer, p_through integer, p_days integer)
returns jsonb
language sql stable
as $$
  with wanted as materialized (
    select min(l.account_id::text)::uuid as account_id, min(l.day) - p_days - 2 as first, max(l.day) + p_days + 2 as last,
      array_agg(distinct l.amount) as amounts
    from statement_lines l
    where l.statement_id = p_statement and l.line > p_after and l.line <= p_through and l.state = 'NEW'
  ), reports as (
    select 'CREDIT' as direction, t.amount, t.id
    from wanted w join bank_transfers t on t.account_id = w.account_id and t.amount = any(w.amounts)
      and t.bank_time >= w.first and t.bank_time < w.last and t.direction = 'CREDIT'
    where not exists (
      select from statement_lines l where l.transfer_id = t.id and l.statement_id = p_statement)
    union all
    select 'DEBIT', d.amount, d.id
    from wanted w join bank_debits d on d.account_id = w.account_id and d.amount = any(w.amounts)
      and d.bank_time >= w.first and d.bank_time < w.last
    where not exists (
      select from statement_lines l where l.debit_id = d.id and l.statement_id = p_statement)
  )
  select coalesce(jsonb_object_agg(f.key, f.ids), '{}')
  from (select r.direction || r.amount as key, jsonb_agg(r.id) as ids from reports r group by 1) f
$$;

-- Movements among these that were reported as a line of a statement says: credits for a credit, debits for a debit.
create or replace function found_among(p statement_lines, p_among jsonb)
returns table (
  id uuid, bank_time timestamptz, reference text, party text, balance_after numeric, remarks text[]
)
language sql stable
as $$
  select t.id, t.bank_time, bank_reference_key(t.bank_reference), t.payer_name, t.balance_after, t.named_remarks
  from jsonb_array_elements_text(p_among) a join bank_transfers t on t.id = a::uuid
  where p.direction = 'CREDIT' and t.currency_code = p.currency_code
  union all
  select d.id, d.bank_time, bank_reference_key(d.bank_reference), d.payee_name, d.balance_after, null
  from jsonb_array_elements_text(p_among) a join bank_debits d on d.id = a::uuid
  where p.direction = 'DEBIT' and d.currency_code = p.currency_code
$$;

-- Lines about a bank credit or debit; their ids differ.
create or replace function lines_of_movement(p_movement uuid) returns setof statement_lines
language sql stable
as $$
  select * from statement_lines where transfer_id = p_movement
  union all
  select * from statement_lines where debit_id = p_movement
$$;

-- The movement among these that an earlier file of the same form has under this line's reference, on its day; null: there
-- is none. A bank may change the text of a line from one export to the next, and not its reference. Not where both name
-- orders, and no order together: some banks write one reference on many lines.
create or replace function known_among(p statement_lines, p_among jsonb, p_remarks text[]) returns uuid
language sql stable
as $$
  select m.id
  from found_among(p, p_among) m, statements own
  where own.id = p.statement_id and p.bank_reference is not null
    and (p_remarks = '{}' or coalesce(m.remarks, '{}') = '{}' or m.remarks && p_remarks)
    and not exists (select from lines_of_movement(m.id) l where l.statement_id = p.statement_id)
    and exists (
      select from lines_of_movement(m.id) l join statements s on s.id = l.statement_id
      where s.status in ('IMPORTING', 'IMPORTED') and s.format = own.format
        and s.mapping is not distinct from own.mapping and l.day = p.day
        and bank_reference_key(l.bank_reference) = bank_reference_key(p.bank_reference))
  order by abs(extract(epoch from m.bank_time - p.bank_time)), m.id
  limit 1
$$;

-- The report among these of the same movement as a line; null: there is none. Lines and reports pair one to one: a
-- report that another line of the statement names is not used. One that another statement names is used, unless that
-- statement has another format, whose lines cannot be compared, and names it on the same day. Where both name orders, it
-- is one of the same order. p_parties: whom reports and lines name whose rows keep it sealed, by the ids of reports and
-- the numbers of lines. p_remarks: the remarks of orders in the line.
create or replace function report_among(
  p statement_lines, p_among jsonb, p_zone text, p_days integer, p_same_reference integer, p_parties jsonb,
  p_remarks text[]
)
returns uuid
language sql stable
as $$
  select m.id
  from found_among(p, p_among) m,
    lateral (select abs(local_day(m.bank_time, p_zone) - p.day) as days,
      m.reference = bank_reference_key(p.bank_reference) as named, m.remarks && p_remarks as same_order) how
  where (how.named is null or how.named)
    and (how.same_order or p_remarks = '{}' or coalesce(m.remarks, '{}') = '{}')
    and how.days <= case when how.named then greatest(p_days, p_same_reference) else p_days end
    and (m.balance_after is null or p.balance_after is null or m.balance_after = p.balance_after)
    and not exists (select from lines_of_movement(m.id) l where l.statement_id = p.statement_id)
    and not exists (
      select from lines_of_movement(m.id) l join statements s on s.id = l.statement_id
      where l.statement_id <> p.statement_id and s.status in ('IMPORTING', 'IMPORTED')
        and (l.day <> p.day or exists (
          select from statements own where own.id = p.statement_id and own.format = s.format
            and own.mapping is not distinct from s.mapping)))
    and (how.named or not exists (
      select from statement_lines l
      where l.statement_id = p.statement_id and l.bank_reference is not null
        and bank_reference_key(l.bank_reference) = m.reference
        and l.line <> p.line and l.amount = p.amount and l.direction = p.direction))
  order by how.named desc nulls last, how.same_order desc nulls last, how.days,
    (coalesce(p_parties ->> m.id::text, m.party) = coalesce(p_parties ->> p.line::text, p.party_name)) desc nulls last,
    abs(extract(epoch from m.bank_time - p.bank_time)), m.id
  limit 1
$$;

-- The credit among these that may be a line's under another reference: the same amount within the same days, and it has
-- paid the order whose remark the line has. Not one that this file, or another of its form, has beside it.
create or replace function doubtful_among(
  p statement_lines, p_among jsonb, p_zone text, p_days integer, p_remarks text[]
) returns uuid
language sql stable
as $$
  select m.id
  from found_among(p, p_among) m
  where m.remarks && p_remarks and abs(local_day(m.bank_time, p_zone) - p.day) <= p_days
    and exists (select from transfer_allocations a where a.transfer_id = m.id and a.released_at is null)
    and not exists (
      select from lines_of_movement(m.id) l join statements s on s.id = l.statement_id
      join statements own on own.id = p.statement_id
      where l.statement_id = p.statement_id or s.status in ('IMPORTING', 'IMPORTED') and s.format = own.format
        and s.mapping is not distinct from own.mapping)
    and not exists (
      select from statement_lines l
      where l.statement_id = p.statement_id and l.bank_reference is not null
        and bank_reference_key(l.bank_reference) = m.reference
        and l.line <> p.line and l.amount = p.amount and l.direction = p.direction)
  order by m.id
  limit 1
$$;

-- Whom reports name that may be the same movements as the next lines of a statement, as their rows keep it, where there
-- are several of one amount.
create or replace function report_parties(
  p_statement uuid, p_after integer, p_limit integer, p_days integer, p_same_reference integer
) returns table (id uuid, direction text, party text)
language sql stable
as $$
  with next as (
    select max(l.line) as last, coalesce(bool_or(l.bank_reference is not null), false) as has_references
    from (
      select line, bank_reference from statement_lines
      where statement_id = p_statement and line > p_after and state <> 'BAD'
      order by line limit p_limit) l
  ), reports as materialized (
    select f.key, a::uuid as id
    from next n
    cross join lateral jsonb_each(free_reports(p_statement, p_after, n.last,
      case when n.has_references then greatest(p_days, p_same_reference) else p_days end)) f
    cross join lateral jsonb_array_elements_text(f.value) a
    where jsonb_array_length(f.value) > 1
  )
  select t.id, 'CREDIT', t.payer_name from reports r join bank_transfers t using (id)
  where starts_with(r.key, 'CREDIT') and t.payer_name is not null
  union all
  select d.id, 'DEBIT', d.payee_name from reports r join bank_debits d using (id)
  where starts_with(r.key, 'DEBIT') and d.payee_name is not null
$$;

-- Searches the next lines of a statement among what was reported or imported before: KNOWN, PAIRED, BAD if only a person
-- can tell, or still NEW. Under the account's lock, so that two statements do not use the same report. Returns the last
-- line that was searched; null: there are no more. p_remarks: what may be remarks in the lines, by their numbers.
create or replace function pair_statement_lines(
  p_statement uuid, p_after integer, p_limit integer, p_days integer, p_same_reference integer,
  p_parties jsonb, p_remarks jsonb
) returns integer
language plpgsql
as $$
declare
  v_account uuid;
  v_zone text;
  v statement_lines;
  v_found uuid;
  v_state text;
  v_problem text;
  v_free jsonb;
  v_among jsonb;
  v_orders text[];
  v_remarks text[];
  v_last integer;
begin
  select account_id into v_account from statements where id = p_statement for no key update;
  select time_zone into v_zone from bank_accounts where id = v_account for no key update;
  select max(l.line) into v_last from (
    select line from statement_lines where statement_id = p_statement and line > p_after and state <> 'BAD'
    order by line limit p_limit) l;
  update statement_lines l set state = 'KNOWN', transfer_id = k.transfer_id, debit_id = k.debit_id
  from statement_lines n, lateral (
    select o.transfer_id, o.debit_id from statement_lines o join statements s on s.id = o.statement_id
    where o.account_id = v_account and o.line_key = n.line_key and o.statement_id <> p_statement
      and s.status in ('IMPORTING', 'IMPORTED') and coalesce(o.transfer_id, o.debit_id) is not null
    limit 1) k
  where n.statement_id = p_statement and n.line > p_after and n.line <= v_last and n.state = 'NEW'
    and l.statement_id = n.statement_id and l.line = n.line;
  v_free := free_reports(p_statement, p_after, v_last, case when exists (
      select from statement_lines where statement_id = p_statement and line > p_after and line <= v_last
        and bank_reference is not null)
    then greatest(p_days, p_same_reference) else p_days end);
  v_orders := remarks_of_orders(array(
    select r from jsonb_each(p_remarks) e, jsonb_array_elements_text(e.value) r));
  -- Lines that name an order choose first: no other line takes its report by the amount alone.
  for v in
    select l.* from statement_lines l,
      lateral (select array(select jsonb_array_elements_text(p_remarks -> l.line::text)) && v_orders as names) how
    where l.statement_id = p_statement and l.line > p_after and l.line <= v_last and l.state = 'NEW'
    order by how.names desc, l.line
  loop
    v_among := v_free -> (v.direction || v.amount);
    continue when v_among is null;
    v_remarks := array(
      select r from jsonb_array_elements_text(p_remarks -> v.line::text) r where r = any(v_orders));
    v_state := 'KNOWN';
    v_problem := null;
    v_found := known_among(v, v_among, v_remarks);
    if v_found is null then
      v_state := 'PAIRED';
      v_found := report_among(v, v_among, v_zone, p_days, p_same_reference, p_parties, v_remarks);
    end if;
    if v_found is null and v_remarks <> '{}' and v.direction = 'CREDIT' then
      v_state := 'BAD';
      v_found := doubtful_among(v, v_among, v_zone, p_days, v_remarks);
      v_problem := 'it may be the bank credit ' || v_found
        || ', which has its amount and remark, and another reference: a person decides';
    end if;
    if v_found is not null then
      update statement_lines set state = v_state, problem = v_problem,
        transfer_id = case when v.direction = 'CREDIT' and v_state <> 'BAD' then v_found end,
        debit_id = case when v.direction = 'DEBIT' then v_found end
      where statement_id = p_statement and line = v.line;
    end if;
  end loop;
  return v_last;
end $$;

-- Credits that operators entered and these lines tell of are no longer provisional, once somebody has confirmed that the
-- file is the bank's: it comes from a person's disk. p_two: nobody confirms what he entered himself.
create or replace function confirm_credits_of_statement(
  p_statement uuid, p_after integer, p_through integer, p_two boolean, p_now timestamptz
) returns integer
language sql volatile
as $$
  with confirmed as (
    update bank_transfers t set confirmed_by = 'statement:' || p_statement, confirmed_at = p_now
    from statement_lines l join statements s on s.id = l.statement_id
    where l.statement_id = p_statement and l.line > p_after and l.line <= p_through
      -- A line with a raw text is one that only a person matches.
      and l.state in ('PAIRED', 'KNOWN') and l.raw is null and t.id = l.transfer_id
      and t.confirmed_at is null and t.source like 'operator:%'
      and s.confirmed_by is not null and (not p_two or t.source <> s.confirmed_by)
    returning 1)
  select count(*)::int from confirmed
$$;

-- Whether the closing balance of a statement counts as the bank's own figure: somebody has confirmed that the file is the
-- bank's. Its lines prove nothing of it: an honest file with other balances has the same lines, and one may have none.
create or replace function counts_as_banks(p statements) returns boolean
language sql stable
as $$ select p.confirmed_at is not null $$;

-- Records new credit lines of a statement, as record_transfer does, and the result of each. A line whose facts changed
-- stays new. Returns the lines that it recorded. p_credits: for each the line, the report, the facts and the verdict on
-- them.
create or replace function record_statement_credits(p_statement uuid, p_credits jsonb) returns integer[]
language plpgsql
as $$
declare
  v jsonb;
  v_report transfer_report;
  v_recorded boolean;
  v_lines integer[] := '{}';
begin
  for v in select c from jsonb_array_elements(p_credits) c loop
    v_report := jsonb_populate_record(null::transfer_report, v -> 'report');
    select r.recorded into v_recorded
    from record_transfer(v_report, v -> 'facts',
      array(select jsonb_array_elements_text(v -> 'accounts')),
      array(select jsonb_array_elements_text(v -> 'amounts'))::numeric[],
      (v ->> 'deposit')::uuid, (v ->> 'fee')::numeric, v ->> 'reason', null, false) r;
    continue when not v_recorded;
    update statement_lines set state = 'RECORDED', transfer_id = v_report.id
    where statement_id = p_statement and line = (v ->> 'line')::integer and state = 'NEW';
    v_lines := v_lines || (v ->> 'line')::integer;
  end loop;
  return v_lines;
end $$;

-- The same for debits. One whose key is known, or that may have paid a payout, stays new: it is recorded on its own.
-- p_debits: for each the line, and its row.
create or replace function record_statement_debits(
  p_statement uuid, p_debits jsonb, p_done_since timestamptz
) returns integer[]
language plpgsql
as $$
declare
  v jsonb;
  v_debit bank_debits;
  v_lines integer[] := '{}';
begin
  perform from bank_accounts where id = (select account_id from statements where id = p_statement) for no key update;
  for v in select d from jsonb_array_elements(p_debits) d loop
    v_debit := jsonb_populate_record(null::bank_debits, v -> 'debit');
    continue when exists (
        select from bank_debits where account_id = v_debit.account_id and dedupe_key = v_debit.dedupe_key)
      or exists (
        select from debit_tasks(v_debit.account_id, v_debit.amount, v_debit.currency_code, p_done_since));
    insert into bank_debits select v_debit.*;
    update statement_lines set state = 'RECORDED', debit_id = v_debit.id
    where statement_id = p_statement and line = (v ->> 'line')::integer and state = 'NEW';
    v_lines := v_lines || (v ->> 'line')::integer;
  end loop;
  return v_lines;
end $$;
