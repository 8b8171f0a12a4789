-- The day for which an entry of a bank's or a channel's account counts, in its time zone: the bank's booking day if it
-- is known, and never a closed day. Closing a day and posting wait for each other.
create or replace function date_entry() returns trigger
language plpgsql
as $$
begin
  -- What a book carries forward counts for the day of the original entries, even a closed one: the day's figures stay
  -- the same.
  if new.value_day is not null
    and exists (select from ledger_transfers t where t.id = new.transfer_id and t.type = 'BOOK_OPENED') then
    return new;
  end if;
  perform pg_advisory_xact_lock_shared(hashtext('causeway.day_close'), hashtext(new.account));
  select greatest(
    local_day(coalesce(b.bank_time, case
        when t.type = 'WITHDRAWAL_PAID' then (
          select d.bank_time from payout_attempts p join bank_debits d on d.attempt_id = p.id
          where p.withdrawal_id = t.order_id and new.account = 'bank:' || p.account_id limit 1)
        when t.type <> 'POSTING_REVERSED' and t.order_id is null then (
          select d.bank_time from operator_postings p join bank_debits d on d.id = p.bank_debit_id
          where p.id = split_part(t.key, ':', 2)::uuid) end, t.at),
      coalesce(case when new.account like 'bank:%'
        then (select time_zone from bank_accounts where id = split_part(new.account, ':', 2)::uuid)
        else (select time_zone from channels where id = split_part(new.account, ':', 2)::uuid) end, 'UTC')),
    (select max(c.day) + 1 from day_closes c
      where c.account = new.account and c.currency_code = new.currency_code and c.status = 'CLOSED'))
  into new.value_day
  from ledger_transfers t left join bank_transfers b on b.id = t.bank_transfer_id
  where t.id = new.transfer_id;
  return new;
end $$;

create or replace trigger ledger_entries_dated
before insert on ledger_entries
for each row
when (new.account like 'bank:%' or new.account like 'channel:%')
execute function date_entry();

-- The figures of a day of an account by our books, with the bank's sign: what we have is positive. Entries without a
-- day count for the day on which they were posted.
create or replace function book_day(
  p_account text, p_currency char(3), p_zone text, p_day date,
  out opening numeric, out credits numeric, out debits numeric, out closing numeric
)
language sql stable
as $$
  with closed as (
    select c.day, c.closing from day_closes c
    where c.account = p_account and c.currency_code = p_currency and c.status = 'CLOSED' and c.day < p_day
    order by c.day desc limit 1
  ), since as (
    select coalesce((select day from closed), '-infinity'::date) as day
  ), entries as (
    select e.value_day as day, -e.amount as amount
    from ledger_entries e, since s
    where e.account = p_account and e.currency_code = p_currency and e.value_day > s.day and e.value_day <= p_day
    union all
    select d.day, -e.amount
    from since s, ledger_entries e join ledger_transfers t on t.id = e.transfer_id,
      lateral (select local_day(t.at, p_zone) as day) d
    where e.account = p_account and e.currency_code = p_currency and e.value_day is null
      and d.day > s.day and d.day <= p_day
  ), sums as (
    select coalesce((select closing from closed), 0) + coalesce(sum(amount) filter (where day < p_day), 0) as opening,
      coalesce(sum(amount) filter (where day = p_day and amount > 0), 0) as credits,
      coalesce(-sum(amount) filter (where day = p_day and amount < 0), 0) as debits
    from entries
  )
  select s.opening, s.credits, s.debits, s.opening + s.credits - s.debits from sums s
$$;

-- The bank's own figure at the end of a day: from a statement that covers it, else from the last report of the day with
-- a balance. For a channel: the balance that it reported around the end of the day.
create or replace function outside_figure(
  p_account_id uuid, p_channel uuid, p_currency char(3), p_day date, p_zone text,
  out balance numeric, out source text, out at timestamptz
)
language sql stable
as $$
  with figures as (
    (select 1 as rank, s.closing_balance - coalesce((
        select sum(case l.direction when 'CREDIT' then l.amount else -l.amount end)
        from statement_lines l where l.statement_id = s.id and l.day > p_day), 0) as balance,
      'STATEMENT' as source, s.imported_at as at
    from statements s
    where s.account_id = p_account_id and s.status = 'IMPORTED' and s.closing_balance is not null
      and s.closing_day >= p_day and counts_as_banks(s)
      and (s.closing_day = p_day or s.opening_day <= p_day and not exists (
        select from statement_lines l where l.statement_id = s.id and l.state = 'BAD'))
    order by s.closing_day, s.imported_at desc limit 1)
    union all
    (select 2, m.balance_after, 'AGENT', m.bank_time
    from (
      select t.balance_after, t.bank_time, t.received_at, t.id from bank_transfers t
      where t.account_id = p_account_id and t.balance_after is not null
        and t.bank_time >= p_day::timestamp at time zone p_zone
        and t.bank_time < (p_day + 1)::timestamp at time zone p_zone
      union all
      select d.balance_after, d.bank_time, d.received_at, d.id from bank_debits d
      where d.account_id = p_account_id and d.balance_after is not null
        and d.bank_time >= p_day::timestamp at time zone p_zone
        and d.bank_time < (p_day + 1)::timestamp at time zone p_zone) m
    order by m.bank_time desc, m.received_at desc, m.id desc limit 1)
    union all
    (select 3, b.balance, 'CHANNEL', b.at
    from channel_balances b
    where b.channel_id = p_channel and b.currency_code = p_currency
      and b.at between ((p_day + 1)::timestamp at time zone p_zone) - interval '10 minutes'
        and ((p_day + 1)::timestamp at time zone p_zone) + interval '20 minutes')
  )
  select t.balance, t.source, t.at from figures t order by t.rank limit 1
$$;

-- Accounts and channels that have days to close: those with entries, by currency.
create or replace function closing_accounts()
returns table (account text, account_id uuid, channel_id uuid, currency_code char(3), time_zone text)
language sql stable
as $$
  select 'bank:' || b.id, b.id, null::uuid, b.currency_code, b.time_zone from bank_accounts b
  where exists (select from ledger_entries e where e.account = 'bank:' || b.id)
  union all
  select 'channel:' || c.id, null, c.id, k.currency::char(3), c.time_zone
  from channels c, lateral (select distinct unnest(c.currencies || coalesce(c.deposit_currencies, '{}')) as currency) k
  where exists (select from ledger_entries e where e.account = 'channel:' || c.id and e.currency_code = k.currency)
$$;

-- Proposes to close the days that have ended, and updates proposals: only yesterday if nothing was proposed before,
-- else each day since. Returns how many are new.
create or replace function propose_closes(p_now timestamptz, p_limit integer) returns integer
language plpgsql
as $$
declare
  v record;
  v_new integer := 0;
begin
  for v in
    select a.*, d.day::date as day
    from closing_accounts() a,
      lateral (select local_day(p_now, a.time_zone) - 1 as yesterday) y,
      lateral (select max(c.day) as day from day_closes c
        where c.account = a.account and c.currency_code = a.currency_code) last,
      lateral generate_series(greatest(coalesce(last.day + 1, y.yesterday), y.yesterday - 60), y.yesterday,
        interval '1 day') as d(day)
    order by d.day, a.account limit p_limit
  loop
    insert into day_closes (id, account, account_id, channel_id, currency_code, day, time_zone,
      opening, credits, debits, closing, outside, outside_source, outside_at, status, proposed_at)
    select new_id(p_now), v.account, v.account_id, v.channel_id, v.currency_code, v.day, v.time_zone,
      b.opening, b.credits, b.debits, b.closing, f.balance, f.source, f.at, 'PROPOSED', p_now
    from book_day(v.account, v.currency_code, v.time_zone, v.day) b,
      outside_figure(v.account_id, v.channel_id, v.currency_code, v.day, v.time_zone) f
    on conflict do nothing;
    v_new := v_new + 1;
  end loop;
  return v_new;
end $$;

-- Updates a proposed day. Keeps the balance that a channel reported at the end of the day, and that of a report that a
-- sandbox's purge has deleted.
create or replace function refresh_close(p_close uuid) returns void
language sql
as $$
  update day_closes c
  set opening = b.opening, credits = b.credits, debits = b.debits, closing = b.closing,
    outside = case when s.said then c.outside else f.balance end,
    outside_source = case when s.said then c.outside_source else f.source end,
    outside_at = case when s.said then c.outside_at else f.at end
  from day_closes p, book_day(p.account, p.currency_code, p.time_zone, p.day) b,
    outside_figure(p.account_id, p.channel_id, p.currency_code, p.day, p.time_zone) f,
    lateral (select f.source is null or (f.source, p.outside_source) = ('AGENT', 'AGENT')
      and f.at < p.outside_at as said) s
  where p.id = p_close and c.id = p.id and c.status = 'PROPOSED'
$$;

-- Closes a day: from then on nothing is posted for it. A difference becomes an open item until an operator ends it.
-- Returns null, or why the day was not closed.
create or replace function close_day(p_close uuid, p_by text, p_reason text, p_owner uuid, p_now timestamptz)
returns text
language plpgsql
as $$
declare
  v day_closes;
begin
  select * into v from day_closes where id = p_close;
  perform pg_advisory_xact_lock(hashtext('causeway.day_close'), hashtext(v.account));
  select * into v from day_closes where id = p_close for no key update;
  if v.status <> 'PROPOSED' then
    return 'CLOSED_ALREADY';
  end if;
  if local_day(p_now, v.time_zone) <= v.day then
    return 'NOT_ENDED';
  end if;
  if exists (
    select from day_closes c where c.account = v.account and c.currency_code = v.currency_code and c.day < v.day
      and c.status = 'PROPOSED') then
    return 'EARLIER_OPEN';
  end if;
  perform refresh_close(p_close);
  update day_closes set status = 'CLOSED', closed_by = p_by, closed_at = p_now, reason = p_reason
  where id = p_close returning * into v;
  if v.outside <> v.closing then
    insert into close_items (id, close_id, amount, owner_id, opened_at)
    values (new_id(p_now), p_close, v.outside - v.closing, p_owner, p_now);
  end if;
  return null;
end $$;

-- A closed day never changes.
create or replace function keep_closed() returns trigger
language plpgsql
as $$
begin
  raise exception 'the day % of % is closed', old.day, old.account using errcode = 'CW001';
end $$;

create or replace trigger day_closes_kept
before update or delete on day_closes
for each row when (old.status = 'CLOSED')
execute function keep_closed();
