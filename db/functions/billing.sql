-- The lowest id of a time: ids begin with their milliseconds. For -infinity: the lowest of all.
create or replace function lowest_id(p_at timestamptz) returns uuid
language sql immutable
as $$
  select (lpad(to_hex(floor(extract(epoch from greatest(timezone('UTC', p_at), 'epoch')) * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid
$$;

-- How long after its month a statement is issued: by then, postings that were under way at the end of the month are
-- sealed.
create or replace function billing_grace() returns interval
language sql immutable
as $$ select interval '1 hour' $$;

-- The ledger's accounts of a merchant's balance.
create or replace function billing_accounts(p_merchant uuid) returns text[]
language sql immutable
as $$
  select array['merchant:' || p_merchant || ':available', 'merchant:' || p_merchant || ':frozen',
    'merchant_receivable:' || p_merchant]
$$;

-- The postings of a merchant's balance: those from before p_until that are sealed up to p_through, less those from
-- before p_since that were sealed up to p_from. One query for statements and for daily files. `at` decides whether a
-- posting is before a time. Its id has the same time or a slightly later one, so a range of ids of the hours around
-- finds it; what was sealed long after its time is found by the index ledger_seals_late. p_fee_types: for these types
-- our fee income is the merchant's fee.
create or replace function billing_postings(
  p_merchant uuid, p_currency char(3), p_since timestamptz, p_from bigint, p_until timestamptz, p_through bigint,
  p_fee_types text[]
) returns table (
  seq bigint, transfer_id uuid, type text, order_id uuid, bank_transfer_id uuid, at timestamptz, sealed_at timestamptz,
  available numeric, frozen numeric, receivable numeric, fee numeric
)
language sql stable
as $$
  with entries as (
    select e.transfer_id, e.account, e.amount from ledger_entries e
    where e.account = any(billing_accounts(p_merchant)) and e.currency_code = p_currency
      and e.transfer_id >= lowest_id(p_since - interval '1 hour') and e.transfer_id < lowest_id(p_until + interval '1 hour')
    union all
    select e.transfer_id, e.account, e.amount
    from ledger_seals s join ledger_entries e on e.transfer_id = s.transfer_id
    where s.seq > p_from and s.seq <= p_through
      and timezone('UTC', s.sealed_at) - timezone('UTC', uuid_extract_timestamp(s.transfer_id)) > interval '30 minutes'
      and s.transfer_id < lowest_id(p_since - interval '1 hour')
      and e.account = any(billing_accounts(p_merchant)) and e.currency_code = p_currency
  ), sums as (
    select e.transfer_id,
      coalesce(sum(e.amount) filter (where e.account like '%:available'), 0) as available,
      coalesce(sum(e.amount) filter (where e.account like '%:frozen'), 0) as frozen,
      coalesce(-sum(e.amount) filter (where e.account like 'merchant_receivable:%'), 0) as receivable
    from entries e group by e.transfer_id
  )
  select s.seq, t.id, t.type, t.order_id, t.bank_transfer_id, t.at, s.sealed_at, m.available, m.frozen, m.receivable,
    case when t.type = any(p_fee_types) then coalesce((
      select sum(i.amount) from ledger_entries i where i.transfer_id = t.id and i.account = 'fee_income'), 0) else 0 end
  from sums m join ledger_transfers t on t.id = m.transfer_id join ledger_seals s on s.transfer_id = t.id
  where t.at < p_until and s.seq <= p_through and not (t.at < p_since and s.seq <= p_from)
$$;

-- Whether a committed posting of a merchant between two times is not sealed yet.
create or replace function billing_waits_for_seal(
  p_merchant uuid, p_currency char(3), p_since timestamptz, p_until timestamptz
) returns boolean
language sql stable
as $$
  select exists (
    select from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
    where e.account = any(billing_accounts(p_merchant)) and e.currency_code = p_currency
      and e.transfer_id >= lowest_id(p_since - interval '1 hour') and e.transfer_id < lowest_id(p_until + interval '1 hour')
      and t.at < p_until
      and not exists (select from ledger_seals s where s.transfer_id = e.transfer_id offset 0))
$$;

-- Merchants and currencies whose next statement may be due, by (merchant, currency), after a given place. A month has
-- at least 28 days; a change of the zone can shorten it by a day.
create or replace function billing_candidates(
  p_after_merchant uuid, p_after_currency char(3), p_limit integer, p_now timestamptz
) returns table (merchant_id uuid, currency_code char(3))
language sql stable
as $$
  select b.merchant_id, b.currency_code from merchant_balances b
  where (b.merchant_id, b.currency_code) > (p_after_merchant, p_after_currency)
    and not exists (
      select from billing_statements s
      where s.merchant_id = b.merchant_id and s.currency_code = b.currency_code
        and s.ends_at > p_now - interval '26 days')
  order by 1, 2 limit p_limit
$$;

-- The next month of a balance: that of the first posting, then the one after the newest statement. No row before the
-- first posting. `since` is -infinity for the first month, which includes what was posted before it.
create or replace function next_billing_month(p_merchant uuid, p_currency char(3))
returns table (
  number integer, month date, time_zone text, since timestamptz, begins_at timestamptz, ends_at timestamptz,
  from_seq bigint, available numeric, frozen numeric, receivable numeric
)
language plpgsql stable
as $$
declare
  v_previous billing_statements;
  v_first timestamptz;
begin
  select m.time_zone into time_zone from merchants m where m.id = p_merchant;
  select s.* into v_previous from billing_statements s
  where s.merchant_id = p_merchant and s.currency_code = p_currency order by s.number desc limit 1;
  if found then
    month := v_previous.month + interval '1 month';
    begins_at := v_previous.ends_at;
    since := v_previous.ends_at;
  else
    select min(t.at) into v_first
    from unnest(billing_accounts(p_merchant)) a(account), lateral (
      select e.transfer_id from ledger_entries e
      where e.account = a.account and e.currency_code = p_currency order by e.transfer_id limit 1) e
    join ledger_transfers t on t.id = e.transfer_id;
    if v_first is null then
      return;
    end if;
    month := month_start(local_day(v_first, time_zone));
    begins_at := day_start(month, time_zone);
    since := '-infinity';
  end if;
  number := coalesce(v_previous.number, 0) + 1;
  ends_at := day_start((month + interval '1 month')::date, time_zone);
  from_seq := coalesce(v_previous.through_seq, 0);
  available := coalesce(v_previous.closing_available, 0);
  frozen := coalesce(v_previous.closing_frozen, 0);
  receivable := coalesce(v_previous.closing_receivable, 0);
  return next;
end $$;

-- Issues the next statement of a merchant in a currency, if its month has ended long enough ago. Concurrent callers
-- issue one. Returns ISSUED, or why none was issued: NOT_DUE, or UNSEALED while a posting of the month is not sealed. A
-- statement has a line for each of p_types, and none is issued where a posting of another type touches the balance
-- (CW002).
create or replace function issue_billing_statement(
  p_merchant uuid, p_currency char(3), p_types text[], p_fee_types text[], p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v record;
  v_through bigint;
  v_unknown text;
  v_gone record;
begin
  perform pg_advisory_xact_lock(hashtext('causeway.billing'), hashtext(p_merchant || p_currency));
  select * into v from next_billing_month(p_merchant, p_currency);
  if not found or p_now < v.ends_at + billing_grace() then
    return 'NOT_DUE';
  end if;
  select coalesce(max(s.seq), 0) into v_through from ledger_seals s;
  if billing_waits_for_seal(p_merchant, p_currency, v.since, v.ends_at) then
    return 'UNSEALED';
  end if;

  -- A sandbox's purge deletes postings and carries forward their sum, also of those in earlier statements: that part is
  -- not new.
  select v.available - coalesce(sum(m.available), 0) as available, v.frozen - coalesce(sum(m.frozen), 0) as frozen,
    v.receivable - coalesce(sum(m.receivable), 0) as receivable into v_gone
  from billing_postings(p_merchant, p_currency, '-infinity', 0, v.begins_at, v.from_seq, '{}') m
  where v.number > 1 and exists (select from ledger_books);

  with moved as (
    select m.type, count(*)::integer as postings, sum(m.available) as available, sum(m.frozen) as frozen,
      sum(m.receivable) as receivable, sum(m.fee) as fee
    from billing_postings(p_merchant, p_currency, v.since, v.from_seq, v.ends_at, v_through, p_fee_types) m
    group by m.type
  ), lines as materialized (
    select m.type, m.postings, m.fee, m.available - g.available as available, m.frozen - g.frozen as frozen,
      m.receivable - g.receivable as receivable
    from moved m, lateral (
      select case when m.type = 'BOOK_OPENED' then v_gone.available else 0 end as available,
        case when m.type = 'BOOK_OPENED' then v_gone.frozen else 0 end as frozen,
        case when m.type = 'BOOK_OPENED' then v_gone.receivable else 0 end as receivable) g
  ), issued as (
    insert into billing_statements (id, merchant_id, currency_code, number, month, time_zone, begins_at, ends_at,
      from_seq, through_seq, opening_available, opening_frozen, opening_receivable,
      closing_available, closing_frozen, closing_receivable, lines, postings, issued_at)
    select new_id(p_now), p_merchant, p_currency, v.number, v.month, v.time_zone, v.begins_at, v.ends_at,
      v.from_seq, v_through, v.available, v.frozen, v.receivable, v.available + s.available, v.frozen + s.frozen,
      v.receivable + s.receivable, s.lines, s.postings, p_now
    from (select coalesce(sum(l.available), 0) as available, coalesce(sum(l.frozen), 0) as frozen,
        coalesce(sum(l.receivable), 0) as receivable, count(*)::integer as lines,
        coalesce(sum(l.postings), 0)::integer as postings from lines l) s
    returning id
  )
  insert into billing_statement_lines (statement_id, type, postings, amount, fee, available, frozen, receivable)
  select i.id, l.type, l.postings, l.available + l.frozen - l.receivable + l.fee, l.fee, l.available, l.frozen, l.receivable
  from issued i, lines l;
  select l.type into v_unknown
  from billing_statement_lines l join billing_statements s on s.id = l.statement_id
  where s.merchant_id = p_merchant and s.currency_code = p_currency and s.number = v.number and l.type <> all(p_types);
  if found then
    raise exception 'postings of type % have no line in billing statements', v_unknown using errcode = 'CW002';
  end if;
  return 'ISSUED';
end $$;

-- A statement opens with the closing balance of the previous one (billing_statements_previous) and closes with that
-- plus the sum of its lines. One SQL statement inserts it with all its lines, and this check runs at its end: so no
-- line is missing, and none is added later.
create or replace function check_billing_statement() returns trigger
language plpgsql
as $$
declare
  v_id uuid;
begin
  v_id := case tg_table_name when 'billing_statements' then (to_jsonb(new) ->> 'id')::uuid
    else (to_jsonb(new) ->> 'statement_id')::uuid end;
  if not exists (
    select from billing_statements s, lateral (
      select count(*) as lines, coalesce(sum(l.postings), 0) as postings, coalesce(sum(l.available), 0) as available,
        coalesce(sum(l.frozen), 0) as frozen, coalesce(sum(l.receivable), 0) as receivable
      from billing_statement_lines l where l.statement_id = s.id) l
    where s.id = v_id and (s.lines, s.postings) = (l.lines, l.postings)
      and s.closing_available = s.opening_available + l.available and s.closing_frozen = s.opening_frozen + l.frozen
      and s.closing_receivable = s.opening_receivable + l.receivable) then
    raise exception 'the lines of the billing statement % do not add up', v_id using errcode = 'CW002';
  end if;
  return null;
end $$;

create or replace trigger billing_statements_add_up
after insert on billing_statements
for each row execute function check_billing_statement();

create or replace trigger billing_statement_lines_add_up
after insert on billing_statement_lines
for each row execute function check_billing_statement();

-- The month of a day of a balance, and its range of postings: that of the month's statement or, until it is issued,
-- that of the next statement. `refusal` says why the day has no file yet: NO_MONTH, NOT_ENDED, or UNSEALED while a
-- posting is not sealed.
create or replace function billing_month_of(p_merchant uuid, p_currency char(3), p_day date, p_now timestamptz)
returns table (
  refusal text, month date, time_zone text, since timestamptz, begins_at timestamptz, until timestamptz,
  from_seq bigint, through_seq bigint, opening numeric
)
language plpgsql stable
as $$
declare
  v_issued billing_statements;
  v record;
begin
  select s.* into v_issued from billing_statements s
  where s.merchant_id = p_merchant and s.currency_code = p_currency and s.month = month_start(p_day);
  if found then
    return query select null::text, v_issued.month, v_issued.time_zone,
      case when v_issued.number = 1 then '-infinity' else v_issued.begins_at end, v_issued.begins_at::timestamptz,
      v_issued.ends_at::timestamptz, v_issued.from_seq, v_issued.through_seq,
      v_issued.opening_available + v_issued.opening_frozen - v_issued.opening_receivable;
    return;
  end if;
  select * into v from next_billing_month(p_merchant, p_currency);
  month := month_start(p_day);
  if not found or v.month <> month then
    refusal := 'NO_MONTH';
    return next;
    return;
  end if;
  time_zone := v.time_zone;
  since := v.since;
  begins_at := v.begins_at;
  until := least(day_start(p_day + 1, v.time_zone), v.ends_at);
  from_seq := v.from_seq;
  opening := v.available + v.frozen - v.receivable;
  select coalesce(max(s.seq), 0) into through_seq from ledger_seals s;
  refusal := case when p_now < until then 'NOT_ENDED'
    when billing_waits_for_seal(p_merchant, p_currency, v.since, until) then 'UNSEALED' end;
  return next;
end $$;

-- The day for which a posting counts: its own day in the merchant's zone; if it was too late for its month, the day on
-- which it was sealed.
create or replace function billing_day(
  p_at timestamptz, p_sealed_at timestamptz, p_begins timestamptz, p_month date, p_zone text
) returns date
language sql stable
as $$
  select least(greatest(local_day(case when p_at >= p_begins then p_at else p_sealed_at end, p_zone), p_month),
    (p_month + interval '1 month')::date - 1)
$$;
