import type { Check } from '../rule';

/** The counts of the days of accounts, and of channels by currency. */
const DAYS = `
  select account_id as id, '' as currency, day, amount, deposits, received, credits from account_days
  union all
  select channel_id, currency_code::text, day, amount, deposits, received, credits from channel_days`;
/** The account or channel of the day; an account has one currency. */
const taker = (row: string): string =>
  `case ${row}.currency when '' then 'account ' || ${row}.id else 'channel ' || ${row}.id || ' in ' || ${row}.currency end`;

/** Counts and claims beside the orders: quotas, days, assigned amounts, numbers. */
export const COUNTS: readonly Check[] = [
  {
    name: "an account's or a channel's quota is what its deposits use of it",
    each: false,
    faults: `
      select coalesce(k.id, d.id) as row_id,
        format('quota of %s on %s', coalesce(${taker('k')}, ${taker('d')}), coalesce(k.day, d.day)) as subject,
        format('counted %s in %s deposits; its orders say %s in %s', k.amount, k.deposits,
          coalesce(d.amount, 0), coalesce(d.deposits, 0)) as problem
      from (${DAYS}) k
      full join (
        select coalesce(account_id, channel_id) as id, case when account_id is null then currency_code else '' end as currency,
          quota_day as day, sum(amount) as amount, count(*) as deposits
        from deposit_orders where quota_day is not null group by 1, 2, 3) d using (id, currency, day)
      where (k.amount, k.deposits) is distinct from (coalesce(d.amount, 0), coalesce(d.deposits, 0))`,
  },
  {
    name: 'what an account or a channel received on a day is what its bank credits or its reports say',
    each: false,
    faults: `
      select coalesce(k.id, b.id) as row_id,
        format('what %s received on %s', coalesce(${taker('k')}, ${taker('b')}), coalesce(k.day, b.day)) as subject,
        format('counted %s in %s credits; they say %s in %s', k.received, k.credits, coalesce(b.amount, 0),
          coalesce(b.credits, 0)) as problem
      from (${DAYS}) k
      full join (
        select account_id as id, '' as currency, counted_day as day, sum(amount) as amount, count(*) as credits
        from bank_transfers where counted_day is not null group by 1, 3
        union all
        select a.channel_id, o.currency_code::text, a.counted_day, sum(coalesce(a.received, l.amount)), count(*)
        from deposit_attempts a join deposit_orders o on o.id = a.deposit_id
        left join late_receipts l on l.attempt_id = a.id
        where a.counted_day is not null group by 1, 2, 3) b using (id, currency, day)
      where (coalesce(k.received, 0), coalesce(k.credits, 0))
        is distinct from (coalesce(b.amount, 0), coalesce(b.credits, 0))`,
  },
  {
    name: 'a deposit whose money is counted as received has no share beside it',
    each: true,
    faults: `
      select d.id as row_id, 'deposit ' || d.order_no as subject,
        format('its money is counted, and it has a share of %s', d.quota_day) as problem
      from deposit_orders d
      cross join lateral (
        select count(*) as all_of_it, count(b.counted_day) as counted
        from transfer_allocations a join bank_transfers b on b.id = a.transfer_id
        where a.deposit_id = d.id and a.released_at is null and b.account_id = d.account_id) m
      where d.quota_day is not null and (m.counted > 0 and m.counted = m.all_of_it
        or d.account_id is null and exists (
          select from deposit_attempts a where a.deposit_id = d.id and a.status = 'PAID'))`,
  },
  {
    name: 'a deposit that ended unpaid uses no quota',
    each: true,
    faults: `
      select id as row_id, 'deposit ' || order_no as subject,
        format('it is %s and uses the quota of %s', status, quota_day) as problem
      from deposit_orders where quota_day is not null and status in ('EXPIRED', 'CANCELLED', 'FAILED')`,
  },
  {
    name: "a merchant's day is what it asked to be paid out",
    each: false,
    faults: `
      select coalesce(k.merchant_id, w.merchant_id) as row_id,
        format('withdrawals of %s on %s in %s to %s', coalesce(k.merchant_id, w.merchant_id), coalesce(k.day, w.day),
          coalesce(k.currency_code, w.currency_code), coalesce(nullif(coalesce(k.beneficiary, w.beneficiary), ''), 'all'))
          as subject,
        format('counted %s in %s orders; the orders say %s in %s', k.amount, k.orders, w.amount, w.orders) as problem
      from withdrawal_days k
      full join (
        select o.merchant_id, o.currency_code, coalesce(o.counted_day, (o.created_at at time zone 'UTC')::date) as day, b.beneficiary,
          count(*) as orders, sum(o.amount) as amount
        from withdrawal_orders o
        cross join lateral (values (''), (counted_beneficiary(o)))
          as b(beneficiary)
        where o.origin = 'MERCHANT' group by 1, 2, 3, 4) w using (merchant_id, currency_code, day, beneficiary)
      where (k.orders, k.amount) is distinct from (w.orders::int, w.amount)`,
  },
  {
    name: 'an amount that was given out is its deposit’s',
    each: true,
    faults: `
      select d.id as row_id, 'deposit ' || d.order_no as subject,
        case when r.deposit_id is null then format('it is %s and its amount is given out to nobody', d.status)
          else format('%s of account %s is given out to it; it asks for %s on %s', r.amount, r.account_id, d.amount,
            d.account_id) end as problem
      from deposit_orders d
      left join reserved_amounts r on r.deposit_id = d.id
      where r.deposit_id is null and d.expected_remark is null and d.account_id is not null
          and d.status in ('PENDING', 'MATCHED')
        or r.deposit_id is not null
          and (r.account_id, r.currency_code, r.amount) is distinct from (d.account_id, d.currency_code, d.amount)`,
  },
  {
    name: 'an amount that was given out is of a deposit that is there',
    each: false,
    faults: `
      select r.deposit_id as row_id, 'deposit ' || r.deposit_id as subject,
        format('%s of account %s is given out to it; it is not there', r.amount, r.account_id) as problem
      from reserved_amounts r where not exists (select from deposit_orders d where d.id = r.deposit_id)`,
  },
  {
    name: 'a number is of the order that has it',
    each: false,
    faults: `
      select n.order_id as row_id, 'number ' || n.merchant_order_no || ' of merchant ' || n.merchant_id as subject,
        format('it is of %s %s, which is not there or has another number', n.noun, n.order_id) as problem
      from merchant_order_numbers n
      where case n.noun
        when 'deposit' then not exists (select from deposit_orders d where d.id = n.order_id
          and d.merchant_id = n.merchant_id and d.merchant_order_no = n.merchant_order_no)
        when 'withdrawal' then not exists (select from withdrawal_orders w where w.id = n.order_id
          and w.merchant_id = n.merchant_id and w.merchant_order_no = n.merchant_order_no)
        -- One that its payer's merchant asked for again, under another number, has both.
        else not exists (select from cashier_sessions s
          where s.id = n.order_id and s.merchant_id = n.merchant_id) end`,
  },
  {
    name: 'an order has a number of its own',
    each: false,
    faults: `
      select o.id as row_id, 'order ' || o.order_no as subject,
        case when n.order_id is null then 'it has no number' else 'its number is of another order' end as problem
      from (
        select id, order_no, merchant_id, merchant_order_no, 'deposit' as noun from deposit_orders
        union all
        select id, order_no, merchant_id, merchant_order_no, 'withdrawal' from withdrawal_orders) o
      left join merchant_order_numbers n using (merchant_id, merchant_order_no)
      where (n.order_id, n.noun) is distinct from (o.id, o.noun)`,
  },
];
