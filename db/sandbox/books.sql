-- Only `migrate` of a sandbox installs the files of this folder: production's database has none of these functions, and
-- its rows of the ledger are kept by the trigger function of db/functions/append-only.sql.

-- As in production, except that a purge may delete: its functions carry the setting that this one reads.
create or replace function refuse_change() returns trigger
language plpgsql
as $$
begin
  if tg_op <> 'TRUNCATE' and current_setting('causeway.purge', true) = 'on'
    and tg_table_name in ('ledger_transfers', 'ledger_entries', 'ledger_seals', 'transfer_proofs') then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'CW001';
end $$;

-- What postings of one currency left, as lines of a new book: a run of versions of a merchant's balance is one line, so
-- that the chain of what stays goes on; a day of a bank's or a channel's account is one in each direction, so that the
-- figures of closed days stay true.
create or replace function carry_forward(p_book uuid, p_postings uuid[], p_currency char(3)) returns void
language sql
as $$
  with entries as (
    select e.*, t.at,
      case when e.account like 'merchant:%' then split_part(e.account, ':', 2) end as merchant,
      case when e.account like 'bank:%' or e.account like 'channel:%' then coalesce(e.value_day, (t.at at time zone
        coalesce((select b.time_zone from bank_accounts b where 'bank:' || b.id = e.account),
          (select c.time_zone from channels c where 'channel:' || c.id = e.account), 'UTC'))::date) end as day
    from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
    where t.id = any(p_postings) and t.currency_code = p_currency
  ), versions as (
    select merchant, version, version - row_number() over (partition by merchant order by version) as run
    from (select distinct merchant, version from entries where merchant is not null) v
  ), runs as (
    select *, min(version) over of_run as first, max(version) over of_run as last from versions
    window of_run as (partition by merchant, run)
  ), lines as (
    select e.account, sum(e.amount) as amount, r.first, r.last,
      (array_agg(e.balance_before order by e.version))[1] as balance_before,
      (array_agg(e.balance_after order by e.version desc))[1] as balance_after, null::date as day
    from entries e join runs r using (merchant, version)
    group by e.account, r.first, r.last
    union all
    select account, sum(amount), null, null, null, null, day from entries
    where day is not null group by account, day, sign(amount)
    union all
    select account, sum(amount), null, null, null, null, null from entries
    where merchant is null and day is null group by account having sum(amount) <> 0
  )
  insert into ledger_book_lines (book_id, line, account, currency_code, amount, first_version, last_version,
    balance_before, balance_after, value_day)
  select p_book, row_number() over (order by account, first, day, amount), account, p_currency, amount, first, last,
    balance_before, balance_after, day
  from lines
$$;

-- Closes the book of each currency of these postings and opens the next: takes the postings away and posts what they
-- left. The chain of seals is closed at its head, and the posting that opens the book is sealed next, so that its link
-- names the old head. Of a sealed posting its link keeps the digest: all links, and heads noted outside, go on to prove.
create or replace function open_books(p_postings uuid[], p_before timestamptz, p_now timestamptz) returns void
language plpgsql
set causeway.purge = 'on'
as $$
declare
  v_currency char(3);
  v_book uuid;
  v_posting uuid;
  v_links integer;
  v_seq bigint;
  v_hash bytea;
begin
  -- The sealer waits for nobody: it comes again.
  perform pg_advisory_xact_lock(hashtext('causeway.seal_ledger'));
  -- It adds up the accounts again, from the first link of the chain.
  delete from ledger_sums;
  delete from ledger_sum_ends;
  for v_currency in
    select distinct t.currency_code from ledger_transfers t where t.id = any(p_postings) order by 1
  loop
    v_book := new_id(p_now);
    v_posting := new_id(p_now);
    select s.seq, s.hash into v_seq, v_hash from ledger_seals s order by s.seq desc limit 1;
    if not found then
      select 0, sha256(convert_to(identity::text, 'UTF8')) into v_seq, v_hash from platform where id = 1;
    end if;
    update ledger_seals s set digest = ledger_digest(t), transfer_id = null
    from ledger_transfers t
    where t.id = any(p_postings) and t.currency_code = v_currency and s.transfer_id = t.id;
    get diagnostics v_links = row_count;
    insert into ledger_books (id, number, currency_code, orders, links, head_seq, head_hash, purged_before, opened_at)
    select v_book, (select coalesce(max(number), 0) + 1 from ledger_books), v_currency, count(distinct t.order_id),
      v_links, v_seq, v_hash, p_before, p_now
    from ledger_transfers t where t.id = any(p_postings) and t.currency_code = v_currency;
    perform carry_forward(v_book, p_postings, v_currency);
    delete from ledger_entries e using ledger_transfers t
    where t.id = any(p_postings) and t.currency_code = v_currency and e.transfer_id = t.id;
    delete from ledger_transfers t where t.id = any(p_postings) and t.currency_code = v_currency;

    continue when not exists (select from ledger_book_lines where book_id = v_book and amount <> 0);
    insert into ledger_transfers (id, type, key, currency_code, at)
    values (v_posting, 'BOOK_OPENED', 'book-opened:' || v_book, v_currency, p_now);
    insert into ledger_entries (transfer_id, line, account, currency_code, amount, balance_before, balance_after,
      version, value_day)
    select v_posting, row_number() over (order by line), account, currency_code, amount, balance_before, balance_after,
      last_version, value_day
    from ledger_book_lines where book_id = v_book and amount <> 0;
    insert into ledger_seals (seq, transfer_id, hash, sealed_at)
    select v_seq + 1, t.id, sha256(v_hash || ledger_digest(t)), p_now from ledger_transfers t where t.id = v_posting;
  end loop;
end $$;
