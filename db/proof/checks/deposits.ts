import type { Check } from '../rule';

/** Deposits, and the bank credits that pay them. */
export const DEPOSITS: readonly Check[] = [
  {
    name: 'a deposit is matched or completed by one bank credit or one channel',
    each: true,
    faults: `
      select d.id as row_id, 'deposit ' || d.order_no as subject,
        case
          when a.id is null and p.id is null then format('it is %s, and nothing pays it', d.status)
          when a.id is null then
            format('it is %s with %s less %s; its channel is %s with %s less %s', d.status, d.actual_amount, d.fee,
              p.status, p.received, p.charge)
          when d.status not in ('MATCHED', 'COMPLETED') then
            format('it is %s, and bank credit %s is allocated to it', d.status, a.transfer_id)
          when t.currency_code <> d.currency_code then
            format('its bank credit is in %s, the order in %s', t.currency_code, d.currency_code)
          when d.status = 'COMPLETED' then
            format('it was credited %s less %s; its bank credit brought %s, and the match says a fee of %s',
              d.actual_amount, d.fee, t.amount, a.fee)
          else format('a fee of %s does not fit a bank credit of %s', a.fee, t.amount) end as problem
      from deposit_orders d
      left join transfer_allocations a on a.deposit_id = d.id and a.released_at is null
      left join bank_transfers t on t.id = a.transfer_id
      left join deposit_attempts p on p.deposit_id = d.id and p.status in ('OPEN', 'PAID')
      where (d.status in ('MATCHED', 'COMPLETED')) <> (a.id is not null)
          and not (a.id is null and p.id is not null and (d.status = 'MATCHED' or p.status = 'PAID'))
        or d.status = 'COMPLETED' and p.status = 'PAID'
          and (p.received, p.charge, p.cost) is distinct from (d.actual_amount, d.fee, d.actual_channel_cost)
        or p.status = 'PAID' and a.id is not null
        or t.currency_code <> d.currency_code or a.fee >= t.amount or a.fee < 0
        or d.status = 'COMPLETED' and (t.amount <> d.actual_amount or a.fee <> d.fee)`,
  },
  {
    name: 'a bank credit waits, or pays one deposit',
    each: true,
    faults: `
      select b.id as row_id, 'bank credit ' || b.id as subject,
        case when b.unmatched_reason is null then 'it waits for nobody and pays no deposit'
          else format('it waits for a person (%s) and pays a deposit', b.unmatched_reason) end as problem
      from bank_transfers b
      where (b.unmatched_reason is null) <> exists (
        select from transfer_allocations a where a.transfer_id = b.id and a.released_at is null)`,
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
          when h.amount > d.actual_amount - d.fee
            then format('%s is held of a credit of %s', h.amount, d.actual_amount - d.fee)
          else format('recalled at %s; the recall of %s took %s of what was held', h.recalled_at, r.at, r.from_held)
          end as problem
      from held_credits h join deposit_orders d on d.id = h.deposit_id
      left join deposit_recalls r on r.deposit_id = h.deposit_id and r.from_held > 0
      where (h.merchant_id, h.currency_code) <> (d.merchant_id, d.currency_code)
        or d.status <> 'COMPLETED' or h.held_at is distinct from d.completed_at
        or h.amount > d.actual_amount - d.fee
        or h.recalled_at is distinct from r.at or r.from_held > h.amount`,
  },
  {
    name: 'a recall is of a completed deposit, and two people agreed on it',
    each: true,
    faults: `
      select r.deposit_id as row_id, 'recall of ' || d.order_no as subject,
        case when d.status <> 'COMPLETED' or r.amount <> d.actual_amount
          then format('it took %s; the deposit is %s with %s', r.amount, d.status, d.actual_amount)
          when r.from_held > 0 and h.deposit_id is null then 'it took from a hold that is not there'
          else format('change request %s is %s %s of %s %s', c.id, c.status, c.kind, c.amount, c.currency_code)
          end as problem
      from deposit_recalls r join deposit_orders d on d.id = r.deposit_id
      join change_requests c on c.id = r.change_id
      left join held_credits h on h.deposit_id = r.deposit_id
      where d.status <> 'COMPLETED' or r.amount <> d.actual_amount or r.from_held > 0 and h.deposit_id is null
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
