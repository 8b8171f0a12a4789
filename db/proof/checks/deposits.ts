import type { Check } from '../rule';

/** Deposits, and the bank credits that pay them. */
export const DEPOSITS: readonly Check[] = [
  {
    name: 'a deposit is matched or completed by bank credits of its currency, or by one channel',
    each: true,
    faults: `
      select d.id as row_id, 'deposit ' || d.order_no as subject,
        case
          when a.ids is null and p.id is null then format('it is %s, and nothing pays it', d.status)
          when a.ids is null then
            format('it is %s with %s less %s; its channel is %s with %s less %s', d.status, d.actual_amount, d.fee,
              p.status, p.received, p.charge)
          when d.status not in ('MATCHED', 'COMPLETED') then
            format('it is %s, and bank credit %s is allocated to it', d.status, a.ids)
          when a.currencies <> array[d.currency_code::text] then
            format('its bank credit is in %s, the order in %s', array_to_string(a.currencies, ', '), d.currency_code)
          when a.wholes > 0 and a.many > 1 then format('bank credits %s pay it, one of them as a whole', a.ids)
          when d.status = 'COMPLETED' then
            format('it was credited %s less %s; its bank credit brought %s, and the match says a fee of %s',
              d.actual_amount, d.fee, a.amount, a.fee)
          else format('a fee of %s does not fit a bank credit of %s', a.fee, a.amount) end as problem
      from deposit_orders d
      left join lateral (
        select string_agg(x.transfer_id::text, ', ' order by x.transfer_id) as ids, count(*) as many,
          count(*) filter (where x.amount is null) as wholes, sum(coalesce(x.amount, t.amount)) as amount,
          sum(x.fee) as fee, min(x.fee) as least_fee, array_agg(distinct t.currency_code::text) as currencies
        from transfer_allocations x join bank_transfers t on t.id = x.transfer_id
        where x.deposit_id = d.id and x.released_at is null) a on true
      left join deposit_attempts p on p.deposit_id = d.id and p.status in ('OPEN', 'PAID')
      where (d.status in ('MATCHED', 'COMPLETED')) <> (a.ids is not null)
          and not (a.ids is null and p.id is not null and (d.status = 'MATCHED' or p.status = 'PAID'))
        or d.status = 'COMPLETED' and p.status = 'PAID'
          and (p.received, p.charge, p.cost) is distinct from (d.actual_amount, d.fee, d.actual_channel_cost)
        or p.status = 'PAID' and a.ids is not null
        or a.currencies <> array[d.currency_code::text] or a.fee >= a.amount or a.least_fee < 0
        or a.wholes > 0 and a.many > 1
        or d.status = 'COMPLETED' and (a.amount <> d.actual_amount or a.fee <> d.fee)`,
  },
  {
    name: 'a bank credit waits, or all of it is used, once',
    each: true,
    faults: `
      select b.id as row_id, 'bank credit ' || b.id as subject,
        case when u.used > b.amount then format('of %s %s are used', b.amount, u.used)
          when b.unmatched_reason is null then 'it waits for nobody and pays no deposit'
          else format('it waits for a person (%s) and is used', b.unmatched_reason) end as problem
      from bank_transfers b
      cross join lateral (
        select (select coalesce(sum(coalesce(a.amount, b.amount)), 0) from transfer_allocations a
            where a.transfer_id = b.id and a.released_at is null)
          + (select coalesce(sum(p.amount), 0) from operator_postings p
            where p.bank_transfer_id = b.id and p.reversed_at is null)
          + (select coalesce(sum(r.amount), 0) from payer_returns r
            where r.bank_transfer_id = b.id and r.status <> 'CANCELLED') as used) u
      where (b.unmatched_reason is null) <> (u.used >= b.amount) or u.used > b.amount`,
  },
  {
    name: 'late money is of an order that was over without it, and waits, or all of it is used, once',
    each: true,
    faults: `
      select p.id as row_id, 'late money of ' || p.reference as subject,
        case
          when l.attempt_id is null then format('its order is %s, and its %s are nowhere', d.status, p.received)
          when d.status in ('PENDING', 'MATCHED') then format('its order is %s', d.status)
          when p.status = 'PAID' then
            format('it is %s at a cost of %s; its order is %s with %s and %s', l.amount, l.cost, d.status, p.received, p.cost)
          when l.amount <> d.amount then format('%s of %s came', l.amount, d.amount)
          when l.merchant_id <> d.merchant_id then 'it is of another merchant than its order'
          else format('of %s %s are used, and it ended at %s', l.amount, u.used, l.ended_at) end as problem
      from deposit_attempts p join deposit_orders d on d.id = p.deposit_id
      left join late_receipts l on l.attempt_id = p.id
      cross join lateral (
        select coalesce(sum(o.amount), 0) as used, count(*) filter (
            where o.currency_code <> d.currency_code or o.channel_id <> p.channel_id) as strange
        from operator_postings o where o.deposit_attempt_id = p.id and o.reversed_at is null) u
      where case when l.attempt_id is null then
          p.status = 'PAID' and d.status not in ('MATCHED', 'COMPLETED') or u.used > 0
        else d.status in ('PENDING', 'MATCHED') or u.used > l.amount or u.strange > 0 or l.amount <> d.amount
          or l.merchant_id <> d.merchant_id
          or (l.ended_at is null) <> (u.used < l.amount)
          or p.status = 'PAID' and (d.status = 'COMPLETED' or (l.amount, l.cost) <> (p.received, p.cost)) end`,
  },
  {
    name: 'a held credit is of its deposit, and ends once',
    each: true,
    faults: `
      select h.deposit_id as row_id, 'held credit of ' || d.order_no as subject,
        case when (h.merchant_id, h.currency_code) <> (d.merchant_id, d.currency_code)
          then 'it is of another balance than its deposit'
          when d.status <> 'COMPLETED' or h.held_at is distinct from d.completed_at
            then format('it was held at %s; its deposit is %s since %s', h.held_at, d.status, d.completed_at)
          when h.amount > d.actual_amount - d.fee + coalesce(d.fee_captured, 0)
            then format('%s is held of a credit of %s', h.amount, d.actual_amount - d.fee + coalesce(d.fee_captured, 0))
          else format('recalled at %s; the recall of %s took %s of what was held', h.recalled_at, r.at, r.from_held)
          end as problem
      from held_credits h join deposit_orders d on d.id = h.deposit_id
      left join deposit_recalls r on r.deposit_id = h.deposit_id and r.from_held > 0
      where (h.merchant_id, h.currency_code) <> (d.merchant_id, d.currency_code)
        or d.status <> 'COMPLETED' or h.held_at is distinct from d.completed_at
        or h.amount > d.actual_amount - d.fee + coalesce(d.fee_captured, 0)
        or h.recalled_at is distinct from r.at or r.from_held > h.amount`,
  },
  {
    name: 'a recall is of a completed deposit, and two people agreed on it',
    each: true,
    faults: `
      select r.deposit_id as row_id, 'recall of ' || d.order_no as subject,
        case when d.status <> 'COMPLETED' or r.amount > d.actual_amount
          then format('it took %s; the deposit is %s with %s', r.amount, d.status, d.actual_amount)
          when r.from_held > 0 and h.deposit_id is null then 'it took from a hold that is not there'
          else format('change request %s is %s %s of %s %s', c.id, c.status, c.kind, c.amount, c.currency_code)
          end as problem
      from deposit_recalls r join deposit_orders d on d.id = r.deposit_id
      join change_requests c on c.id = r.change_id
      left join held_credits h on h.deposit_id = r.deposit_id
      where d.status <> 'COMPLETED' or r.amount > d.actual_amount or r.from_held > 0 and h.deposit_id is null
        or (c.status, c.kind, abs(c.amount), c.currency_code, c.decided_at) is distinct from
          ('APPLIED', 'RECALL_DEPOSIT', r.amount, d.currency_code, r.at)`,
  },
  {
    name: 'an applied recall is there',
    each: true,
    faults: `
      select c.id as row_id, 'change request ' || c.id as subject, 'it was applied, and nothing was recalled' as problem
      from change_requests c
      where c.kind = 'RECALL_DEPOSIT' and c.status = 'APPLIED'
        and not exists (select from deposit_recalls r where r.change_id = c.id)`,
  },
];
