-- The last link of the chain of seals whose posting ledger_sums includes; 0 before the first.
create or replace function summed_through() returns bigint
language sql stable
as $$ select coalesce((select e.seq from ledger_sum_ends e where e.id = 1), 0) $$;

-- Every posting with a lower id is sealed: the sealer finds one that commits within ten minutes of its time, and later
-- ones each night. Never later than ten minutes ago, in case the clock was set back.
create or replace function unsealed_from() returns uuid
language sql stable
as $$
  select coalesce(
    (select lowest_id(least(uuid_extract_timestamp(s.transfer_id), s.sealed_at, now()) - interval '10 minutes')
      from ledger_seals s where s.transfer_id is not null order by s.seq desc limit 1),
    '00000000-0000-0000-0000-000000000000')
$$;

-- What adds up to the balance of every account: its sums, and the entries of postings that the sums do not include. One
-- statement sees both at the same moment. Credits are positive, debits negative. `offset 0`: the few unsealed postings are
-- looked up one by one, whatever PostgreSQL expects.
create or replace function account_amounts()
returns table (account text, currency_code char(3), credits numeric, debits numeric)
language sql stable
as $$
  select s.account, s.currency_code, s.credits, s.debits from ledger_sums s
  union all
  select e.account, e.currency_code, greatest(e.amount, 0), least(e.amount, 0)
  from ledger_seals l join ledger_entries e on e.transfer_id = l.transfer_id
  where l.seq > summed_through()
  union all
  select e.account, e.currency_code, greatest(e.amount, 0), least(e.amount, 0)
  from ledger_transfers t cross join lateral (select * from ledger_entries l where l.transfer_id = t.id offset 0) e
  where t.id >= unsealed_from() and not exists (select from ledger_seals l where l.transfer_id = t.id offset 0)
$$;

-- Adds the next p_limit sealed postings to the sums, one caller at a time; postings never wait for it. Returns how many:
-- 0 at the end, and while another caller seals or adds.
create or replace function sum_ledger(p_limit integer) returns integer
language plpgsql
as $$
declare
  v_last bigint;
  v_links integer;
  v_ids uuid[];
begin
  if not pg_try_advisory_xact_lock(hashtext('causeway.seal_ledger')) then
    return 0;
  end if;
  -- A purge leaves links without a posting.
  select max(l.seq), count(*), array_agg(l.transfer_id) filter (where l.transfer_id is not null)
  into v_last, v_links, v_ids
  from (select * from ledger_seals s where s.seq > summed_through() order by s.seq limit p_limit) l;
  if v_links = 0 then
    return 0;
  end if;
  insert into ledger_sums as s (account, currency_code, credits, debits)
  select e.account, e.currency_code, sum(greatest(e.amount, 0)), sum(least(e.amount, 0))
  from ledger_entries e where e.transfer_id = any(v_ids) group by e.account, e.currency_code
  on conflict (account, currency_code) do update
  set credits = s.credits + excluded.credits, debits = s.debits + excluded.debits;
  insert into ledger_sum_ends (id, seq) values (1, v_last) on conflict (id) do update set seq = excluded.seq;
  return v_links;
end $$;
