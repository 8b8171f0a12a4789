-- The lines of a ledger transfer arrive in one statement: at least two, in the transfer's currency, summing to zero.
-- Checks only the new lines: earlier ones summed to zero already. Looks each transfer up by its key: the plan of a join
-- would be cached for the table's size at that time.
create or replace function check_transfer_balances() returns trigger
language plpgsql
as $$
declare
  unbalanced uuid;
begin
  select l.transfer_id into unbalanced
  from new_lines l
  group by l.transfer_id
  having sum(l.amount) <> 0 or count(*) < 2 or min(l.currency_code) <> max(l.currency_code)
    or min(l.currency_code) <> (select t.currency_code from ledger_transfers t where t.id = l.transfer_id)
  limit 1;
  if found then
    raise exception 'ledger transfer % does not balance', unbalanced using errcode = 'CW002';
  end if;
  return null;
end $$;

create or replace trigger ledger_entries_balance
after insert on ledger_entries
referencing new table as new_lines
for each statement execute function check_transfer_balances();

-- Posts one transfer. A merchant's balance has three parts: available and frozen, whose entries form a chain by the
-- version, and receivable, what the merchant owes, which has no chain and does not raise the version.
-- Does what post_transfers does for one transfer, in two thirds of the time, on every hot path. Both stay;
-- test/db/credits.test.ts compares them on every kind of account.
create or replace function post_transfer(
  p_type text, p_key text, p_currency char(3), p_order uuid, p_bank_transfer uuid, p_now timestamptz,
  p_accounts text[], p_amounts numeric[]
) returns boolean
language plpgsql
as $$
declare
  v_transfer uuid := new_id(p_now);
begin
  insert into ledger_transfers (id, type, key, currency_code, order_id, bank_transfer_id, at)
  values (v_transfer, p_type, p_key, p_currency, p_order, p_bank_transfer, p_now)
  on conflict (key) do nothing;
  if not found then
    return false;
  end if;

  with lines as (
    select l.line::smallint as line, l.account, l.amount,
      case when l.account like 'merchant:%' or l.account like 'merchant_receivable:%'
        then split_part(l.account, ':', 2)::uuid end as merchant_id,
      case when l.account like 'merchant:%' then split_part(l.account, ':', 3) else 'receivable' end as part
    from unnest(p_accounts, p_amounts) with ordinality as l(account, amount, line)
  ), moves as (
    select merchant_id,
      coalesce(sum(amount) filter (where part = 'available'), 0) as available,
      coalesce(sum(amount) filter (where part = 'frozen'), 0) as frozen,
      coalesce(-sum(amount) filter (where part = 'receivable'), 0) as receivable,
      bool_or(part <> 'receivable')::int as step
    from lines
    where merchant_id is not null
    group by merchant_id
  ), moved as (
    update merchant_balances b
    set available = b.available + m.available, frozen = b.frozen + m.frozen,
      receivable = b.receivable + m.receivable, version = b.version + m.step, updated_at = p_now
    from moves m
    where b.merchant_id = m.merchant_id and b.currency_code = p_currency
    returning b.merchant_id, b.available, b.frozen, b.version
  ), around as (
    select l.*, case when l.part <> 'receivable' then moved.version end as version,
      case l.part when 'available' then moved.available when 'frozen' then moved.frozen end as balance_after
    from lines l left join moved using (merchant_id)
  )
  insert into ledger_entries
    (transfer_id, line, account, currency_code, amount, balance_before, balance_after, version)
  select v_transfer, line, account, p_currency, amount, balance_after - amount, balance_after, version
  from around;
  return true;
end $$;

-- Posts several transfers in one statement: each balance is updated once, by their sum, and every line holds the
-- balances before and after it as if the transfers had been posted one by one. Lines name their transfer by its key.
-- Returns the keys posted; the others were posted before. If a balance would be negative after any of the transfers, it
-- violates merchant_balances_never_negative and nothing is posted. Available money covers what the merchant owes once,
-- at the end; if posted one by one, after each transfer.
create or replace function post_transfers(
  p_types text[], p_keys text[], p_currencies text[], p_orders uuid[], p_bank_transfers uuid[], p_nows timestamptz[],
  p_line_keys text[], p_accounts text[], p_amounts numeric[]
) returns setof text
language plpgsql
as $$
begin
  if cardinality(p_keys) <> (select count(distinct key) from unnest(p_keys) key) then
    raise exception 'a transfer is named twice' using errcode = 'CW003';
  end if;
  -- Without a merchant's account there is no balance to keep.
  if not exists (select from unnest(p_accounts) account
    where account like 'merchant:%' or account like 'merchant_receivable:%') then
    return query
    with posted as (
      insert into ledger_transfers (id, type, key, currency_code, order_id, bank_transfer_id, at)
      select new_id(t.now), t.type, t.key, t.currency_code, t.order_id, t.bank_transfer_id, t.now
      from unnest(p_types, p_keys, p_currencies, p_orders, p_bank_transfers, p_nows)
        with ordinality as t(type, key, currency_code, order_id, bank_transfer_id, now, place)
      order by t.place
      on conflict (key) do nothing
      returning id, ledger_transfers.key, currency_code
    ), entered as (
      insert into ledger_entries (transfer_id, line, account, currency_code, amount)
      select p.id, row_number() over (partition by p.id order by l.position), l.account, p.currency_code, l.amount
      from unnest(p_line_keys, p_accounts, p_amounts) with ordinality as l(key, account, amount, position)
      join posted p using (key)
    )
    select p.key from posted p;
    return;
  end if;
  -- Always locked in the same order: two calls cannot deadlock.
  perform from merchant_balances b
  where (b.merchant_id, b.currency_code) in (
    select split_part(l.account, ':', 2)::uuid, t.currency_code::char(3)
    from unnest(p_line_keys, p_accounts) as l(key, account)
    join unnest(p_keys, p_currencies) as t(key, currency_code) using (key)
    where l.account like 'merchant:%' or l.account like 'merchant_receivable:%')
  order by b.id
  for no key update;

  return query
  with asked as (
    select * from unnest(p_types, p_keys, p_currencies, p_orders, p_bank_transfers, p_nows)
      with ordinality as t(type, key, currency_code, order_id, bank_transfer_id, now, place)
  ), posted as (
    insert into ledger_transfers (id, type, key, currency_code, order_id, bank_transfer_id, at)
    select new_id(now), type, key, currency_code, order_id, bank_transfer_id, now from asked order by place
    on conflict (key) do nothing
    returning id, ledger_transfers.key, currency_code, at
  ), transfers as (
    select p.id, p.key, p.currency_code, p.at, min(a.place) as place
    from posted p join asked a using (key)
    group by p.id, p.key, p.currency_code, p.at
  ), lines as (
    select t.id, t.place, t.currency_code, t.at, l.account, l.amount,
      row_number() over (partition by t.place order by l.position)::smallint as line,
      case when l.account like 'merchant:%' or l.account like 'merchant_receivable:%'
        then split_part(l.account, ':', 2)::uuid end as merchant_id,
      case when l.account like 'merchant:%' then split_part(l.account, ':', 3) else 'receivable' end as part
    from unnest(p_line_keys, p_accounts, p_amounts) with ordinality as l(key, account, amount, position)
    join transfers t using (key)
  ), moves as (
    select l.place, l.merchant_id, l.currency_code, l.at,
      coalesce(sum(l.amount) filter (where l.part = 'available'), 0) as available,
      coalesce(sum(l.amount) filter (where l.part = 'frozen'), 0) as frozen,
      coalesce(-sum(l.amount) filter (where l.part = 'receivable'), 0) as receivable,
      bool_or(l.part <> 'receivable')::int as step
    from lines l
    where l.merchant_id is not null
    group by l.place, l.merchant_id, l.currency_code, l.at
  ), steps as (
    select m.place, m.merchant_id, m.currency_code, sum(m.available) over so_far as available,
      sum(m.frozen) over so_far as frozen, sum(m.receivable) over so_far as receivable,
      sum(m.step) over so_far as step
    from moves m
    window so_far as (partition by m.merchant_id, m.currency_code order by m.place)
  ), sums as (
    select m.merchant_id, m.currency_code, sum(m.available) as available, sum(m.frozen) as frozen,
      sum(m.receivable) as receivable, sum(m.step) as steps, max(m.at) as at
    from moves m group by m.merchant_id, m.currency_code
  ), lows as (
    select s.merchant_id, s.currency_code, min(s.available) as available, min(s.frozen) as frozen,
      min(s.receivable) as receivable
    from steps s group by s.merchant_id, s.currency_code
  ), moved as (
    update merchant_balances b
    -- A balance that is negative in between must fail too: set it, so that the check refuses it.
    set available = b.available + case when b.available + lows.available < 0 then lows.available else sums.available end,
      frozen = b.frozen + case when b.frozen + lows.frozen < 0 then lows.frozen else sums.frozen end,
      receivable = b.receivable
        + case when b.receivable + lows.receivable < 0 then lows.receivable else sums.receivable end,
      version = b.version + sums.steps,
      updated_at = sums.at
    from sums join lows using (merchant_id, currency_code)
    where b.merchant_id = sums.merchant_id and b.currency_code = sums.currency_code
    returning b.merchant_id, b.currency_code, b.available - sums.available as available,
      b.frozen - sums.frozen as frozen, b.version - sums.steps as version
  ), around as (
    select s.place, s.merchant_id, m.version + s.step as version,
      m.available + s.available as available, m.frozen + s.frozen as frozen
    from steps s join moved m using (merchant_id, currency_code)
  ), balanced as (
    select l.*, case when l.part <> 'receivable' then a.version end as version,
      case l.part when 'available' then a.available when 'frozen' then a.frozen end as balance
    from lines l left join around a using (place, merchant_id)
  ), entered as (
    insert into ledger_entries
      (transfer_id, line, account, currency_code, amount, balance_before, balance_after, version)
    select b.id, b.line, b.account, b.currency_code, b.amount, b.balance - b.amount, b.balance, b.version
    from balanced b
  )
  select t.key from transfers t;
end $$;
