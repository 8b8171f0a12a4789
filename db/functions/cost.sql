-- What the bank of an account is expected to charge for a credit (DEPOSIT) or a payout (WITHDRAWAL), by the costs in
-- force at a time; null: none are set.
create or replace function account_cost(p_account uuid, p_kind text, p_amount numeric, p_at timestamptz) returns numeric
language sql stable
as $$
  select case p_kind when 'DEPOSIT' then p_amount * c.credit_percent / 100 + c.credit_fixed
    else p_amount * c.payout_percent / 100 + c.payout_fixed end::numeric(20, 4)
  from account_costs c where c.account_id = p_account and c.created_at <= p_at
  order by c.version desc limit 1
$$;

-- What orders cost us: expected while they are open, known once they are completed. No row for an order that ended
-- otherwise. channel_cost and bank_cost are null if none are set.
create or replace function order_costs(p_ids uuid[])
returns table (id uuid, channel_cost numeric, bank_cost numeric)
language sql stable
as $$
  select d.id,
    case d.status when 'COMPLETED' then d.actual_channel_cost else d.estimated_channel_cost end,
    case d.status when 'COMPLETED' then account_cost(d.account_id, 'DEPOSIT', d.actual_amount, d.completed_at)
      else account_cost(d.account_id, 'DEPOSIT', d.amount, d.created_at) end
  from deposit_orders d
  where d.id = any(p_ids) and d.status in ('PENDING', 'MATCHED', 'COMPLETED')
  union all
  select w.id,
    case w.status when 'COMPLETED' then w.actual_channel_cost else w.estimated_channel_cost end,
    account_cost(w.account_id, 'WITHDRAWAL', w.amount, coalesce(w.completed_at, w.updated_at))
  from withdrawal_orders w
  where w.id = any(p_ids) and w.status in ('PENDING', 'APPROVED', 'COMPLETED')
$$;
