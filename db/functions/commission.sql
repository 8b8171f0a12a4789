-- A reseller earns a share of the fees of the merchants that it brought. The rate is frozen on the order. The share is
-- posted in the transaction in which the fee becomes ours, and reversed in the one that returns the fee. The triggers'
-- conditions skip orders without a rate.

-- The rate in force at a time for a merchant's orders; null: nobody earns a share.
create or replace function commission_rate_at(p_merchant uuid, p_currency char(3), p_kind text, p_at timestamptz)
returns uuid
language sql stable
as $$
  select case when not f.ends then f.id end
  from (
    select r.id, r.ends from commission_rates r
    where r.merchant_id = p_merchant and r.currency_code = p_currency and r.order_kind = p_kind
      and r.effective_from <= p_at
    order by r.version desc limit 1) f
$$;

-- The rates of a merchant's currency in force at a time, as JSON; null: there are none.
create or replace function commission_rates_json(p_merchant uuid, p_currency text, p_at timestamptz) returns jsonb
language sql stable
as $$
  select jsonb_build_object('DEPOSIT', r.deposit, 'WITHDRAWAL', r.withdrawal)
  from (select commission_rate_at(p_merchant, p_currency::char(3), 'DEPOSIT', p_at) as deposit,
    commission_rate_at(p_merchant, p_currency::char(3), 'WITHDRAWAL', p_at) as withdrawal) r
  where coalesce(r.deposit, r.withdrawal) is not null
$$;

-- The share of a fee, rounded half up to the currency's decimals, as commissionOn (domain/commission.ts) has it.
create or replace function commission_on(p_fee numeric, p commission_rates) returns numeric
language sql immutable
as $$ select round(p_fee * p.percent / 100, p.decimals)::numeric(20, 4) $$;

-- Resellers' shares of orders' fees: the expected share while an order is open, and what was earned and not reversed
-- once it is completed. No row where nobody earns a share.
create or replace function order_commissions(p_ids uuid[])
returns table (id uuid, commission numeric)
language sql stable
as $$
  select o.id, case o.status when 'COMPLETED' then (
      select sum(c.amount) from commissions c where c.order_id = o.id and c.reversed_at is null)
    else nullif(commission_on(o.fee, r), 0) end
  from (
    select d.id, d.status, d.fee, d.commission_rate_id from deposit_orders d where d.id = any(p_ids)
    union all
    select w.id, w.status, w.fee, w.commission_rate_id from withdrawal_orders w where w.id = any(p_ids)) o
  join commission_rates r on r.id = o.commission_rate_id
$$;

-- Posts the share of a fee: fee income → reseller. A share that rounds to zero is not posted. p_id: the id of what
-- earned the fee.
create or replace function earn_commission(
  p_id uuid, p_source text, p_rate uuid, p_order uuid, p_fee numeric, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v commission_rates;
  v_amount numeric(20, 4);
begin
  select * into v from commission_rates where id = p_rate;
  v_amount := commission_on(p_fee, v);
  if v_amount > 0 then
    insert into commissions (id, source, rate_id, reseller_id, merchant_id, currency_code, order_id, fee, amount, at)
    values (p_id, p_source, p_rate, v.reseller_id, v.merchant_id, v.currency_code, p_order, p_fee, v_amount, p_now);
    if not post_transfer('COMMISSION_EARNED', 'commission-earned:' || p_id, v.currency_code, p_order, null, p_now,
        array['fee_income', 'reseller:' || v.reseller_id], array[-v_amount, v_amount]) then
      raise exception 'the commission % was earned before', p_id using errcode = 'CW003';
    end if;
  end if;
end $$;

-- Reverses a commission with its fee, once: reseller → fee income. The reseller owes what was already paid out.
create or replace function reverse_commission(p_id uuid, p_posting uuid, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v commissions;
begin
  update commissions set reversed_at = p_now, reversed_by = p_posting
  where id = p_id and reversed_at is null
  returning * into v;
  if found and not post_transfer('COMMISSION_REVERSED', 'commission-reversed:' || v.id, v.currency_code, v.order_id, null,
      p_now, array['reseller:' || v.reseller_id, 'fee_income'], array[-v.amount, v.amount]) then
    raise exception 'the commission % was reversed before', v.id using errcode = 'CW003';
  end if;
end $$;

-- A deposit was credited, or a withdrawal paid.
create or replace function earn_order_commission() returns trigger
language plpgsql
as $$
begin
  perform earn_commission(new.id, case tg_table_name when 'deposit_orders' then 'DEPOSIT' else 'WITHDRAWAL' end,
    new.commission_rate_id, new.id, new.fee, new.completed_at);
  return null;
end $$;

create or replace trigger deposit_orders_commission
after update of status on deposit_orders
for each row
when (old.status <> 'COMPLETED' and new.status = 'COMPLETED' and new.commission_rate_id is not null)
execute function earn_order_commission();

create or replace trigger withdrawal_orders_commission
after update of status on withdrawal_orders
for each row
when (old.status <> 'COMPLETED' and new.status = 'COMPLETED' and new.commission_rate_id is not null)
execute function earn_order_commission();

-- A channel has paid a failed withdrawal after all, and the merchant paid its fee.
create or replace function earn_late_commission() returns trigger
language plpgsql
as $$
begin
  perform earn_commission(new.attempt_id, 'LATE_PAYMENT', w.commission_rate_id, w.id, new.fee, new.at)
  from payout_attempts a join withdrawal_orders w on w.id = a.withdrawal_id
  where a.id = new.attempt_id;
  return null;
end $$;

create or replace trigger payout_aftermaths_commission
after insert on payout_aftermaths
for each row
when (new.type = 'WITHDRAWAL_LATE_PAID' and new.fee > 0)
execute function earn_late_commission();

-- The rate of a late credit: that of its deposit, else that of the merchant's deposits at that time, as for its fee.
create or replace function late_credit_rate(p operator_postings) returns uuid
language sql stable
as $$
  select case when p.deposit_id is null
    then commission_rate_at(p.merchant_id, p.currency_code, 'DEPOSIT', p.at)
    else (select d.commission_rate_id from deposit_orders d where d.id = p.deposit_id) end
$$;

-- Operators credit late money with a fee, return the fee of a payout, or reverse either.
create or replace function follow_posting_commission() returns trigger
language plpgsql
as $$
begin
  if new.kind = 'LATE_CREDIT' and new.reversed_at is null then
    perform earn_commission(new.id, 'LATE_CREDIT', late_credit_rate(new), new.deposit_id, new.fee, new.at);
  elsif new.kind = 'LATE_CREDIT' then
    perform reverse_commission(new.id, new.id, new.reversed_at);
  elsif new.kind = 'PAYOUT_RETURNED' and new.reversed_at is null then
    perform reverse_commission(c.id, new.id, new.at)
    from commissions c where c.order_id = new.withdrawal_id and c.reversed_at is null;
  elsif new.kind = 'PAYOUT_RETURNED' then
    perform earn_commission(new.id, 'RETURN_REVERSED', w.commission_rate_id, w.id, new.fee, new.reversed_at)
    from withdrawal_orders w where w.id = new.withdrawal_id;
  end if;
  return null;
end $$;

create or replace trigger operator_postings_commission
after insert on operator_postings
for each row when (new.fee > 0)
execute function follow_posting_commission();

create or replace trigger operator_postings_commission_back
after update of reversed_at on operator_postings
for each row when (new.fee > 0 and old.reversed_at is null and new.reversed_at is not null)
execute function follow_posting_commission();

-- Resellers' balances by currency: earned, reversed and paid out. What a sandbox's purge carries forward counts as
-- earned.
create or replace function reseller_sums(p_ids uuid[])
returns table (reseller_id uuid, currency_code char(3), earned numeric, reversed numeric, paid numeric, owed numeric)
language sql stable
as $$
  select r.id, e.currency_code,
    coalesce(sum(e.amount) filter (where t.type in ('COMMISSION_EARNED', 'BOOK_OPENED')), 0),
    coalesce(-sum(e.amount) filter (where t.type = 'COMMISSION_REVERSED'), 0),
    coalesce(-sum(e.amount) filter (where t.type in ('COMMISSION_PAID', 'POSTING_REVERSED')), 0), sum(e.amount)
  from unnest(p_ids) as r(id)
  join ledger_entries e on e.account = 'reseller:' || r.id join ledger_transfers t on t.id = e.transfer_id
  group by 1, 2
$$;

-- A version as the approved change request shows it (steps/fees/commission-effects.ts), except for its beginning.
create or replace function commission_rate_fields(p commission_rates) returns jsonb
language sql stable
as $$
  select jsonb_build_object('orderKind', p.order_kind, 'currencyCode', p.currency_code, 'resellerId', p.reseller_id,
    'ends', p.ends, 'percent', trim_scale(p.percent)::text)
$$;
