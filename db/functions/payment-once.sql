-- One payment is credited once, whatever reports it: the bank's credit that names an order, and the order's channel.

-- Serialises what credits the payments of these orders. Taken after the locks of orders and bank credits and before
-- that of a balance.
create or replace function lock_payments(p_deposits uuid[]) returns void
language sql
as $$
  select pg_advisory_xact_lock(k.key) from (
    select distinct hashtextextended('causeway.payment:' || id, 0) as key from unnest(p_deposits) id order by key) k
$$;

-- Whether a bank credit names an order by the remark in its memo or, for an order without one, by the exact amount that
-- the account still reserves for it.
create or replace function names_deposit(p_transfer bank_transfers, p_deposit deposit_orders) returns boolean
language sql stable
as $$
  select case when p_deposit.expected_remark is not null then names_order(p_transfer, p_deposit.expected_remark)
    else p_transfer.bank_time >= p_deposit.created_at - interval '1 minute' and exists (
      select from reserved_amounts r
      where r.account_id = p_transfer.account_id and r.currency_code = p_transfer.currency_code
        and r.amount = p_transfer.amount and r.deposit_id = p_deposit.id) end
$$;

-- The orders that a bank credit names.
create or replace function deposits_named(p_transfer uuid) returns setof uuid
language sql stable
as $$
  select d.id from bank_transfers b
  cross join lateral (select coalesce(b.named_remarks, remarks_named_in(b.memo)) as remarks) n
  join deposit_orders d on d.expected_remark = any(n.remarks)
  where b.id = p_transfer
  union
  select d.id from bank_transfers b
  join reserved_amounts r on r.account_id = b.account_id and r.currency_code = b.currency_code and r.amount = b.amount
  join deposit_orders d on d.id = r.deposit_id
  where b.id = p_transfer and names_deposit(b, d)
$$;

-- Whether the channel of an order to an account reported its payment, so that the channel's report credits the merchant
-- or waits as late money. Not where a bank credit pays the order, and not where operators have moved another bank credit
-- of the payment from the channel to the account.
create or replace function reported_by_channel(p_transfer uuid, p_deposit deposit_orders) returns boolean
language sql stable
as $$
  select p_deposit.account_id is not null
    and not exists (select from transfer_allocations where deposit_id = p_deposit.id and released_at is null)
    and case when p_deposit.status in ('MATCHED', 'COMPLETED')
      then exists (select from deposit_attempts a where a.deposit_id = p_deposit.id and a.status in ('OPEN', 'PAID'))
      else exists (
        select from deposit_attempts a join late_receipts l on l.attempt_id = a.id
        where a.deposit_id = p_deposit.id and l.amount > (
          select coalesce(sum(p.amount), 0) from operator_postings p
          where p.deposit_attempt_id = a.id and p.reversed_at is null and p.kind in ('LATE_RETURNED', 'MONEY_UNCLAIMED')))
      end
    and not exists (
      select from bank_transfers o join operator_postings p on p.bank_transfer_id = o.id
      where o.account_id = p_deposit.account_id and o.amount = p_deposit.amount
        and o.bank_time >= p_deposit.created_at - interval '1 minute' and o.id <> p_transfer
        and p.kind = 'OWN_TRANSFER_IN' and p.reversed_at is null and names_deposit(o, p_deposit))
$$;

-- Whether operators gave a merchant the money of a bank credit for this order, or of one that names it.
create or replace function credited_by_operators(p_deposit deposit_orders) returns boolean
language sql stable
as $$
  select exists (
    select from operator_postings p join bank_transfers b on b.id = p.bank_transfer_id
    where p.at >= p_deposit.created_at - interval '1 minute' and p.reversed_at is null
      and p.kind in ('LATE_CREDIT', 'TOP_UP_RECEIVED', 'PAYOUT_RETURNED')
      and (p.deposit_id = p_deposit.id or names_deposit(b, p_deposit)))
$$;

-- The same, or they matched its exact payment to another order, or return it to its payer.
create or replace function used_by_operators(p_deposit deposit_orders) returns boolean
language sql stable
as $$
  select credited_by_operators(p_deposit) or exists (
    select from bank_transfers b
    where b.account_id = p_deposit.account_id and b.amount = p_deposit.amount
      and b.bank_time >= p_deposit.created_at - interval '1 minute' and names_deposit(b, p_deposit)
      and (exists (select from transfer_allocations t
          where t.transfer_id = b.id and t.released_at is null and t.deposit_id <> p_deposit.id)
        or exists (select from payer_returns r where r.bank_transfer_id = b.id and r.status <> 'CANCELLED')))
$$;

-- Refuses a second use of the payment that a bank credit shows (CW006; the detail is the order, the hint says why). The
-- caller holds the lock of the credit. p_for: the orders that the money is for. p_late: it is to be credited as late
-- money, which is also refused where the memo names a completed order that this credit has not paid.
create or replace function refuse_paid(p_transfer uuid, p_for uuid[], p_late boolean) returns void
language plpgsql
as $$
declare
  v_transfer bank_transfers;
  v_named uuid[] := array(select deposits_named(p_transfer));
  v deposit_orders;
  v_why text;
begin
  perform lock_payments(v_named || p_for);
  select * into v_transfer from bank_transfers where id = p_transfer;
  for v in
    select * from deposit_orders d
    where d.id = any(v_named) and (p_late or d.id <> all(p_for)) or p_late and d.id = any(p_for) order by d.id
  loop
    v_why := case
      when (p_late and v.id = any(v_named)
          or (v.account_id, v.currency_code, v.amount)
            = (v_transfer.account_id, v_transfer.currency_code, v_transfer.amount))
        and reported_by_channel(p_transfer, v) then 'REPORTED'
      when p_late and v.status = 'COMPLETED' and names_order(v_transfer, v.expected_remark)
        and not exists (select from transfer_allocations t
          where t.transfer_id = p_transfer and t.deposit_id = v.id and t.released_at is null) then 'COMPLETED' end;
    if v_why is not null then
      raise exception 'the payment was credited before' using errcode = 'CW006', detail = v.order_no, hint = v_why;
    end if;
  end loop;
end $$;

-- Refuses to credit what a channel received for an order whose payment was credited from the bank.
create or replace function refuse_banked(p_attempt uuid) returns void
language plpgsql
as $$
declare
  v deposit_orders;
begin
  select d.* into v from deposit_attempts a join deposit_orders d on d.id = a.deposit_id where a.id = p_attempt;
  if v.account_id is null then
    return;
  end if;
  perform lock_payments(array[v.id]);
  if exists (select from transfer_allocations where deposit_id = v.id and released_at is null)
    or credited_by_operators(v) then
    raise exception 'the payment was credited before' using errcode = 'CW006', detail = v.order_no, hint = 'BANKED';
  end if;
end $$;

-- Refuses to match a bank credit to an order that expired and whose payment was credited from its channel. The caller
-- holds the lock of the order.
create or replace function refuse_received(p_deposit deposit_orders) returns void
language plpgsql
as $$
begin
  perform lock_payments(array[p_deposit.id]);
  if exists (
    select from deposit_attempts a join operator_postings p on p.deposit_attempt_id = a.id
    where a.deposit_id = p_deposit.id and p.kind = 'LATE_CREDIT' and p.reversed_at is null) then
    raise exception 'the payment was credited before' using errcode = 'CW006', detail = p_deposit.order_no,
      hint = 'REPORTED';
  end if;
end $$;
