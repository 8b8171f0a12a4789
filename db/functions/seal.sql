-- A posting with all its lines, in the form that the chain hashes. Old lines have no day, and keep their hash.
create or replace function ledger_digest(t ledger_transfers) returns bytea
language sql stable
as $$
  select sha256(convert_to(concat_ws('|', t.id, t.type, t.key, t.currency_code, coalesce(t.order_id::text, '-'),
    coalesce(t.bank_transfer_id::text, '-'), (extract(epoch from t.at) * 1000)::bigint, (
      select string_agg(concat_ws(' ', e.line, e.account, e.currency_code, e.amount, coalesce(e.balance_before::text, '-'),
        coalesce(e.balance_after::text, '-'), coalesce(e.version::text, '-'), e.value_day), ',' order by e.line)
      from ledger_entries e where e.transfer_id = t.id)), 'UTF8'))
$$;

-- Appends committed postings to the chain, one caller at a time; postings never wait for it. Reads the next p_limit of
-- them after p_after; null: from ten minutes before the newest sealed one, to find those that committed late. The first
-- link begins with the platform's identity. Returns how many it has sealed, and the last one that it has read, null at
-- the end; no row while another caller seals.
create or replace function seal_ledger(p_after uuid, p_limit integer, p_now timestamptz)
returns table (sealed integer, last uuid)
language plpgsql
as $$
declare
  v_seq bigint;
  v_hash bytea;
  v_newest timestamptz;
  v_after uuid := coalesce(p_after, '00000000-0000-0000-0000-000000000000');
  v_last uuid;
  v record;
  v_seqs bigint[] := '{}';
  v_ids uuid[] := '{}';
  v_hashes bytea[] := '{}';
begin
  if not pg_try_advisory_xact_lock(hashtext('causeway.seal_ledger')) then
    return;
  end if;
  select s.seq, s.hash, least(uuid_extract_timestamp(s.transfer_id), p_now) into v_seq, v_hash, v_newest
  from ledger_seals s order by s.seq desc limit 1;
  if not found then
    v_seq := 0;
    select sha256(convert_to(identity::text, 'UTF8')) into v_hash from platform where id = 1;
  elsif p_after is null then
    v_after := (lpad(to_hex((extract(epoch from v_newest - interval '10 minutes') * 1000)::bigint), 12, '0')
      || repeat('0', 20))::uuid;
  end if;
  for v in
    select t.id, case when s.seq is null then ledger_digest(t) end as digest
    from (select * from ledger_transfers where id > v_after order by id limit p_limit) t
    left join ledger_seals s on s.transfer_id = t.id
    order by t.id
  loop
    v_last := v.id;
    continue when v.digest is null;
    v_seq := v_seq + 1;
    v_hash := sha256(v_hash || v.digest);
    v_seqs := v_seqs || v_seq;
    v_ids := v_ids || v.id;
    v_hashes := v_hashes || v_hash;
  end loop;
  insert into ledger_seals (seq, transfer_id, hash, sealed_at)
  select s.seq, s.id, s.hash, p_now from unnest(v_seqs, v_ids, v_hashes) as s(seq, id, hash);
  return query select cardinality(v_seqs), v_last;
end $$;

create or replace trigger ledger_seals_append_only
before update or delete or truncate on ledger_seals
for each statement execute function refuse_change();
