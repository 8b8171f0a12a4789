import type { Check } from '../rule';

/** For these types the fee income is the merchant's fee. */
const COST = `('DEPOSIT_CREDIT', 'WITHDRAWAL_PAID', 'WITHDRAWAL_LATE_PAID', 'LATE_CREDIT', 'PAYOUT_RETURNED', 'POSTING_REVERSED', 'FEE_CAPTURED')`;

/** The postings of merchants with statements, each with its effect on the balance. */
const BALANCES = `
  select k.merchant_id, k.currency_code, t.id, t.type, t.at, l.seq,
    sum(e.amount) filter (where e.account = 'merchant:' || k.merchant_id || ':available') as available,
    sum(e.amount) filter (where e.account = 'merchant:' || k.merchant_id || ':frozen') as frozen,
    -sum(e.amount) filter (where e.account = 'merchant_receivable:' || k.merchant_id) as receivable
  from (select distinct merchant_id, currency_code from billing_statements) k
  join ledger_entries e on e.currency_code = k.currency_code and e.account in ('merchant:' || k.merchant_id || ':available',
    'merchant:' || k.merchant_id || ':frozen', 'merchant_receivable:' || k.merchant_id)
  join ledger_transfers t on t.id = e.transfer_id left join ledger_seals l on l.transfer_id = t.id
  group by 1, 2, 3, 4, 5, 6`;

/** Billing statements: each posting is in exactly one of them, and the months are consecutive. */
export const BILLING: readonly Check[] = [
  {
    name: 'a billing statement says what was posted for it',
    each: false,
    // What a sandbox's purge deleted cannot be summed again.
    faults: `
      with moved as (
        select * from (${BALANCES}) b where not exists (
          select from ledger_transfers o join ledger_entries e on e.transfer_id = o.id
          where o.type = 'BOOK_OPENED' and e.currency_code = b.currency_code
            and e.account like 'merchant%:' || b.merchant_id || '%')
      ), due as (
        select s.id, m.type, count(*) as postings, coalesce(sum(m.available), 0) as available,
          coalesce(sum(m.frozen), 0) as frozen, coalesce(sum(m.receivable), 0) as receivable,
          coalesce(sum(f.fee), 0) as fee
        from moved m
        cross join lateral (
          select b.id from billing_statements b
          where b.merchant_id = m.merchant_id and b.currency_code = m.currency_code
            and b.ends_at > m.at and b.through_seq >= m.seq order by b.number limit 1) s
        left join lateral (
          select sum(i.amount) as fee from ledger_entries i
          where i.transfer_id = m.id and i.account = 'fee_income' and m.type in ${COST}) f on true
        group by 1, 2
      ), stated as (
        select l.* from billing_statement_lines l join billing_statements s on s.id = l.statement_id
        where (s.merchant_id, s.currency_code) in (select merchant_id, currency_code from moved)
      )
      select coalesce(d.id, l.statement_id) as row_id,
        format('billing statement %s, %s', coalesce(d.id, l.statement_id), coalesce(d.type, l.type)) as subject,
        format('it says %s postings, %s, fee %s, and the ledger says %s postings, %s, fee %s', coalesce(l.postings, 0),
          l.available + l.frozen - l.receivable, l.fee, coalesce(d.postings, 0), d.available + d.frozen - d.receivable,
          d.fee) as problem
      from due d full join stated l on l.statement_id = d.id and l.type = d.type
      where (d.postings, d.available, d.frozen, d.receivable, d.fee) is distinct from
        (l.postings, l.available, l.frozen, l.receivable, l.fee) or l.amount <> d.available + d.frozen - d.receivable + d.fee`,
  },
  {
    name: 'a billing statement closes with what the ledger had',
    each: false,
    // Only the newest one, which continues the others. A book that was opened since may have removed postings.
    faults: `
      with newest as (
        select distinct on (merchant_id, currency_code) * from billing_statements
        order by merchant_id, currency_code, number desc
      ), moved as materialized (${BALANCES})
      select n.id as row_id, 'billing statement ' || n.id as subject,
        format('it closes with %s, %s and %s, and the ledger had %s, %s and %s', n.closing_available, n.closing_frozen,
          n.closing_receivable, h.available, h.frozen, h.receivable) as problem
      from newest n cross join lateral (
        select coalesce(sum(m.available), 0) as available, coalesce(sum(m.frozen), 0) as frozen,
          coalesce(sum(m.receivable), 0) as receivable
        from moved m where m.merchant_id = n.merchant_id and m.currency_code = n.currency_code
          and m.at < n.ends_at and m.seq <= n.through_seq) h
      where (n.closing_available, n.closing_frozen, n.closing_receivable) <> (h.available, h.frozen, h.receivable)
        and not exists (select from moved m where m.merchant_id = n.merchant_id and m.currency_code = n.currency_code
          and m.type = 'BOOK_OPENED' and (m.at >= n.ends_at or m.seq is null or m.seq > n.through_seq))`,
  },
  {
    name: 'a billing statement follows the one before',
    each: false,
    faults: `
      select s.id as row_id, 'billing statement ' || s.id as subject, 'it does not go on where the one before ended' as problem
      from billing_statements s left join billing_statements p
        on p.merchant_id = s.merchant_id and p.currency_code = s.currency_code and p.number = s.number - 1
      where s.number > 1 and (p.id is null or s.month <> (p.month + interval '1 month')::date or s.begins_at <> p.ends_at
          or s.from_seq <> p.through_seq or s.opening_available <> p.closing_available
          or s.opening_frozen <> p.closing_frozen or s.opening_receivable <> p.closing_receivable)
        or (s.ends_at at time zone s.time_zone)::date <> (s.month + interval '1 month')::date
        or ((s.ends_at - interval '1 ms') at time zone s.time_zone)::date >= (s.month + interval '1 month')::date
        or (s.lines, s.postings, s.closing_available - s.opening_available, s.closing_frozen - s.opening_frozen,
          s.closing_receivable - s.opening_receivable) <> (
            select count(*), coalesce(sum(l.postings), 0), coalesce(sum(l.available), 0), coalesce(sum(l.frozen), 0),
              coalesce(sum(l.receivable), 0)
            from billing_statement_lines l where l.statement_id = s.id)`,
  },
];
