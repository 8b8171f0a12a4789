-- A UUIDv7 whose time is the caller's clock, so that skipped time in tests is the time in ids too.
create function new_id(p_now timestamptz) returns uuid
language sql volatile
as $$ select uuidv7(p_now - clock_timestamp()) $$;
--> statement-breakpoint
-- What is posted stays posted: a mistake is mended by another transfer.
create function refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'CW001';
end $$;
--> statement-breakpoint
create trigger ledger_transfers_append_only
before update or delete or truncate on ledger_transfers
for each statement execute function refuse_change();
--> statement-breakpoint
create trigger ledger_entries_append_only
before update or delete or truncate on ledger_entries
for each statement execute function refuse_change();
--> statement-breakpoint
create trigger operator_actions_append_only
before update or delete or truncate on operator_actions
for each statement execute function refuse_change();
--> statement-breakpoint
-- The lines of a transfer arrive in one statement, at least two of them, in the transfer's currency, and sum to zero.
create function check_transfer_balances() returns trigger
language plpgsql
as $$
declare
  unbalanced uuid;
begin
  select e.transfer_id into unbalanced
  from (select distinct transfer_id from new_lines) as touched
  join ledger_entries e using (transfer_id)
  join ledger_transfers t on t.id = e.transfer_id
  group by e.transfer_id
  having sum(e.amount) <> 0 or count(*) < 2 or bool_or(e.currency_code <> t.currency_code)
  limit 1;
  if found then
    raise exception 'ledger transfer % does not balance', unbalanced using errcode = 'CW002';
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger ledger_entries_balance
after insert on ledger_entries
referencing new table as new_lines
for each statement execute function check_transfer_balances();
--> statement-breakpoint
-- Posts one transfer: moves the merchants' balances that it touches and appends its lines with the balances
-- around them. Returns false, and changes nothing, where the key was posted before.
-- A balance that would go below zero violates merchant_balances_never_negative.
create function post_transfer(
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
      case when l.account like 'merchant:%' then split_part(l.account, ':', 2)::uuid end as merchant_id,
      split_part(l.account, ':', 3) as part
    from unnest(p_accounts, p_amounts) with ordinality as l(account, amount, line)
  ), moves as (
    select merchant_id,
      coalesce(sum(amount) filter (where part = 'available'), 0) as available,
      coalesce(sum(amount) filter (where part = 'frozen'), 0) as frozen
    from lines
    where merchant_id is not null
    group by merchant_id
  ), moved as (
    update merchant_balances b
    set available = b.available + m.available, frozen = b.frozen + m.frozen,
      version = b.version + 1, updated_at = p_now
    from moves m
    where b.merchant_id = m.merchant_id and b.currency_code = p_currency
    returning b.merchant_id, b.available, b.frozen, b.version
  ), around as (
    select l.*, moved.version,
      case l.part when 'available' then moved.available when 'frozen' then moved.frozen end as balance_after
    from lines l left join moved using (merchant_id)
  )
  insert into ledger_entries
    (transfer_id, line, account, currency_code, amount, balance_before, balance_after, version)
  select v_transfer, line, account, p_currency, amount, balance_after - amount, balance_after, version
  from around;
  return true;
end $$;
