-- If a merchant prepays fees, the fee of a deposit is frozen in its balance from the deposit's creation until it is
-- credited or ends without money.

-- Locks the balances from which fees are held, always in the same order, so that two calls cannot deadlock. Accounts
-- are always locked before balances.
create or replace function lock_fee_balances(p_deposits deposit_orders[]) returns void
language plpgsql
as $$
begin
  -- A request waits for this call and at most one before it, each with up to two such waits: that fits into the
  -- deadline of an answer.
  perform set_config('lock_timeout', '800ms', true);
  perform from bank_accounts
  where id in (select d.account_id from unnest(p_deposits) d) and hands_out(bank_accounts)
  order by id for no key update;
  perform from merchant_balances b
  where (b.merchant_id, b.currency_code) in (
    select d.merchant_id, d.currency_code from unnest(p_deposits) d where d.fee_held is not null)
  order by b.id for no key update;
end $$;

-- Whether the balance covers the fee that a deposit is to hold. The caller holds the balance's lock.
create or replace function covers_fee(p deposit_orders) returns boolean
language sql stable
as $$
  select exists (
    select from merchant_balances b
    where b.merchant_id = p.merchant_id and b.currency_code = p.currency_code and b.available >= p.fee_held)
$$;

-- Freezes the fee of a deposit that was just written: merchant available → frozen.
create or replace function hold_fee(p deposit_orders) returns void
language plpgsql
as $$
begin
  if not post_transfer('FEE_HELD', 'fee-held:' || p.id, p.currency_code, p.id, null, p.created_at,
      array['merchant:' || p.merchant_id || ':available', 'merchant:' || p.merchant_id || ':frozen'],
      array[-p.fee_held, p.fee_held]) then
    raise exception 'the fee of deposit % was held before', p.order_no using errcode = 'CW003';
  end if;
end $$;

-- Accepts one deposit that locks no account and holds a fee. Returns ACCEPTED, NUMBER_TAKEN or INSUFFICIENT.
create or replace function accept_prepaid(p deposit_orders, p_routings jsonb) returns text
language plpgsql
as $$
begin
  if not covers_fee(p) then
    return 'INSUFFICIENT';
  end if;
  if not exists (select from write_deposits(array[p], p_routings)) then
    return 'NUMBER_TAKEN';
  end if;
  perform hold_fee(p);
  return 'ACCEPTED';
end $$;

-- The credit of a deposit ends its hold: the fee becomes our income, the rest is available again. The credit itself has
-- paid what the fee exceeds the hold by, because another amount came, or the whole fee if the hold was released before.
-- p_accounts and p_amounts are the credit's lines.
create or replace function capture_fee(p deposit_orders, p_accounts text[], p_amounts numeric[]) returns void
language plpgsql
as $$
declare
  v_available text := 'merchant:' || p.merchant_id || ':available';
begin
  if not exists (
      select from unnest(p_accounts, p_amounts) as l(account, amount)
      where l.account = v_available and l.amount = p.actual_amount - p.fee + coalesce(p.fee_captured, 0)) then
    raise exception 'deposit % is not credited beside its held fee', p.order_no using errcode = 'CW003';
  end if;
  if p.fee_captured is null then
    return;
  end if;
  if not (
      select post_transfer('FEE_CAPTURED', 'fee-captured:' || p.id, p.currency_code, p.id, null, p.completed_at,
        array_agg(l.account order by l.line), array_agg(l.amount order by l.line))
      from (values (1, 'merchant:' || p.merchant_id || ':frozen', -p.fee_held),
        (2, v_available, p.fee_held - p.fee_captured), (3, 'fee_income', p.fee_captured)) as l(line, account, amount)
      where l.amount <> 0) then
    raise exception 'the fee of deposit % was captured before', p.order_no using errcode = 'CW003';
  end if;
end $$;

-- A deposit that ends without money releases its held fee, in the transaction that ends it.
create or replace function release_held_fee() returns trigger
language plpgsql
as $$
begin
  if not post_transfer('FEE_RELEASED', 'fee-released:' || new.id, new.currency_code, new.id, null, new.updated_at,
      array['merchant:' || new.merchant_id || ':frozen', 'merchant:' || new.merchant_id || ':available'],
      array[-new.fee_held, new.fee_held]) then
    raise exception 'the fee of deposit % was released before', new.order_no using errcode = 'CW003';
  end if;
  new.fee_released_at := new.updated_at;
  return new;
end $$;

create or replace trigger deposit_orders_release_fee
before update of status on deposit_orders
for each row
when (new.fee_held is not null and new.fee_released_at is null and new.status in ('EXPIRED', 'CANCELLED', 'FAILED'))
execute function release_held_fee();
