-- Movements that were reported as a line of a statement says: credits for a credit, debits for a debit.
create or replace function movements_like(p statement_lines)
returns table (id uuid, bank_time timestamptz, reference text, party text, balance_after numeric)
language sql stable
as $$
  select t.id, t.bank_time, bank_reference_key(t.bank_reference), t.payer_name, t.balance_after
  from bank_transfers t
  where p.direction = 'CREDIT' and t.account_id = p.account_id and t.amount = p.amount
    and t.currency_code = p.currency_code
  union all
  select d.id, d.bank_time, bank_reference_key(d.bank_reference), d.payee_name, d.balance_after
  from bank_debits d
  where p.direction = 'DEBIT' and d.account_id = p.account_id and d.amount = p.amount
    and d.currency_code = p.currency_code
$$;

-- The report of the same movement as a line; null: there is none. Lines and reports pair one to one: a report that
-- another line of the statement names is left to it. One that another statement has is taken, unless that is a file of
-- another form, whose lines cannot be compared, and has it under the same day.
create or replace function report_of_line(p statement_lines, p_zone text, p_days integer, p_same_reference integer)
returns uuid
language sql stable
as $$
  select m.id
  from movements_like(p) m,
    lateral (select abs((m.bank_time at time zone p_zone)::date - p.day) as days,
      m.reference = bank_reference_key(p.bank_reference) as named) how
  where (how.named is null or how.named)
    and how.days <= case when how.named then greatest(p_days, p_same_reference) else p_days end
    and (m.balance_after is null or p.balance_after is null or m.balance_after = p.balance_after)
    and not exists (
      select from statement_lines l
      where l.statement_id = p.statement_id and case when p.direction = 'CREDIT' then l.transfer_id else l.debit_id end = m.id)
    and not exists (
      select from statement_lines l join statements s on s.id = l.statement_id
      where l.statement_id <> p.statement_id and s.status in ('IMPORTING', 'IMPORTED')
        and case when p.direction = 'CREDIT' then l.transfer_id else l.debit_id end = m.id
        and (l.day <> p.day or exists (
          select from statements own where own.id = p.statement_id and own.format = s.format
            and own.mapping is not distinct from s.mapping)))
    and (how.named or not exists (
      select from statement_lines l
      where l.statement_id = p.statement_id and l.line <> p.line and l.amount = p.amount and l.direction = p.direction
        and bank_reference_key(l.bank_reference) = m.reference))
  order by how.named desc nulls last, how.days, (m.party = p.party_name) desc nulls last,
    abs(extract(epoch from m.bank_time - p.bank_time)), m.id
  limit 1
$$;

-- Looks for the next lines of a statement among what was reported or imported before: KNOWN, PAIRED, or NEW as they
-- were. Under the account's lock, so that two statements do not take the same report. Returns the last line that was
-- looked for; null: there are no more.
create or replace function pair_statement_lines(
  p_statement uuid, p_after integer, p_limit integer, p_days integer, p_same_reference integer
) returns integer
language plpgsql
as $$
declare
  v_account uuid;
  v_zone text;
  v statement_lines;
  v_known record;
  v_report uuid;
  v_last integer;
begin
  select account_id into v_account from statements where id = p_statement for no key update;
  select time_zone into v_zone from bank_accounts where id = v_account for no key update;
  for v in
    select * from statement_lines where statement_id = p_statement and line > p_after and state <> 'BAD'
    order by line limit p_limit
  loop
    v_last := v.line;
    continue when v.state <> 'NEW';
    select l.transfer_id, l.debit_id into v_known
    from statement_lines l join statements s on s.id = l.statement_id
    where l.account_id = v_account and l.line_key = v.line_key and l.statement_id <> p_statement
      and s.status in ('IMPORTING', 'IMPORTED') and coalesce(l.transfer_id, l.debit_id) is not null
    limit 1;
    if found then
      update statement_lines set state = 'KNOWN', transfer_id = v_known.transfer_id, debit_id = v_known.debit_id
      where statement_id = p_statement and line = v.line;
      continue;
    end if;
    v_report := report_of_line(v, v_zone, p_days, p_same_reference);
    if v_report is not null then
      update statement_lines set state = 'PAIRED',
        transfer_id = case when v.direction = 'CREDIT' then v_report end,
        debit_id = case when v.direction = 'DEBIT' then v_report end
      where statement_id = p_statement and line = v.line;
    end if;
  end loop;
  return v_last;
end $$;

-- Credits that a person had entered and these lines tell of too are provisional no more, unless the same person imports
-- the statement and that takes two.
create or replace function confirm_by_statement(
  p_statement uuid, p_after integer, p_through integer, p_not_of text, p_now timestamptz
) returns integer
language sql volatile
as $$
  with confirmed as (
    update bank_transfers t set confirmed_by = 'statement:' || p_statement, confirmed_at = p_now
    from statement_lines l
    where l.statement_id = p_statement and l.line > p_after and l.line <= p_through
      and l.state in ('PAIRED', 'KNOWN') and t.id = l.transfer_id
      and t.confirmed_at is null and t.source like 'operator:%' and t.source is distinct from p_not_of
    returning 1)
  select count(*)::int from confirmed
$$;
