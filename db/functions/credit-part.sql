-- Bank credits that pay an order in parts: several credits one order, or one credit several orders.

-- How much of a credit live allocations use: all of it, or their parts.
create or replace function allocated(p_transfer uuid) returns numeric
language sql stable
as $$
  select coalesce(sum(coalesce(a.amount, b.amount)), 0)
  from transfer_allocations a join bank_transfers b on b.id = a.transfer_id
  where a.transfer_id = p_transfer and a.released_at is null
$$;

-- PENDING → MATCHED for one or several deposits at once, each by parts of one or several credits, as people decided.
-- p_fees: of each part; the first of a deposit carries its charge, the others none. Credits are locked before deposits,
-- each in the order of their ids: two calls cannot deadlock, and no part is used twice. Returns null, or why nothing
-- was written.
create or replace function match_parts(
  p_transfers uuid[], p_deposits uuid[], p_amounts numeric[], p_fees numeric[], p_actor text, p_reason text,
  p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_deposit deposit_orders;
begin
  perform from bank_transfers where id = any(p_transfers) order by id for no key update;
  perform from deposit_orders where id = any(p_deposits) order by id for no key update;
  if exists (
    select from unnest(p_transfers, p_amounts) as p(transfer, amount) group by transfer
    having sum(amount) > coalesce(transfer_rest(transfer), 0)) then
    return 'USED';
  end if;
  perform refuse_paid(t, p_deposits, false) from (select distinct unnest(p_transfers) as t order by t) used;
  for v_deposit in
    update deposit_orders set status = 'MATCHED', matched_at = p_now, updated_at = p_now
    where id = any(p_deposits) and status = 'PENDING'
    returning *
  loop
    perform append_event(v_deposit.id, 'deposit', 'matched', p_actor, jsonb_build_object(
      'bankTransferId', array_to_string(array(
        select p.transfer from unnest(p_transfers, p_deposits) as p(transfer, deposit)
        where p.deposit = v_deposit.id order by p.transfer), ', '),
      'amount', (select sum(p.amount)::numeric(20, 4)::text from unnest(p_deposits, p_amounts) as p(deposit, amount)
        where p.deposit = v_deposit.id), 'reason', p_reason), p_now);
    perform wake_deposit(v_deposit, p_now);
  end loop;
  if (select count(*) from deposit_orders where id = any(p_deposits) and status = 'MATCHED' and matched_at = p_now)
      <> (select count(distinct d) from unnest(p_deposits) d) then
    raise exception 'a deposit is not PENDING any more' using errcode = 'CW004';
  end if;
  insert into transfer_allocations (id, transfer_id, deposit_id, amount, fee, matched_by, reason, at)
  select new_id(p_now), p.transfer, p.deposit, p.amount, p.fee, p_actor, p_reason, p_now
  from unnest(p_transfers, p_deposits, p_amounts, p_fees) as p(transfer, deposit, amount, fee);
  perform settle_transfer(t) from (select distinct unnest(p_transfers) as t) used;
  perform release_paid_shares(p_deposits);
  return null;
end $$;
