import type { Check } from '../rule';

/** What earned a fee with a commission, and by which rate. */
const SOURCES = `
  select d.id, 'DEPOSIT' as source, d.commission_rate_id as rate_id, d.id as order_id, d.fee, d.completed_at as at
  from deposit_orders d where d.status = 'COMPLETED'
  union all
  select w.id, 'WITHDRAWAL', w.commission_rate_id, w.id, w.fee, w.completed_at
  from withdrawal_orders w where w.status = 'COMPLETED'
  union all
  select f.attempt_id, 'LATE_PAYMENT', w.commission_rate_id, w.id, f.fee, f.at
  from payout_aftermaths f join payout_attempts a on a.id = f.attempt_id join withdrawal_orders w on w.id = a.withdrawal_id
  where f.type = 'WITHDRAWAL_LATE_PAID'
  union all
  select p.id, 'LATE_CREDIT', case when p.deposit_id is not null then d.commission_rate_id else (
      select case when not r.ends then r.id end from commission_rates r
      where r.merchant_id = p.merchant_id and r.currency_code = p.currency_code and r.order_kind = 'DEPOSIT'
        and r.effective_from <= p.at order by r.version desc limit 1) end, p.deposit_id, p.fee, p.at
  from operator_postings p left join deposit_orders d on d.id = p.deposit_id where p.kind = 'LATE_CREDIT'
  union all
  select p.id, 'RETURN_REVERSED', w.commission_rate_id, w.id, p.fee, p.reversed_at
  from operator_postings p join withdrawal_orders w on w.id = p.withdrawal_id
  where p.kind = 'PAYOUT_RETURNED' and p.reversed_at is not null`;

/** The commissions of resellers. */
export const COMMISSIONS: readonly Check[] = [
  {
    name: 'each fee brings its reseller the share that two people agreed on, once',
    each: false,
    faults: `
      with due as (
        select s.*, r.reseller_id, r.merchant_id, r.currency_code, round(s.fee * r.percent / 100, r.decimals) as amount
        from (${SOURCES}) s join commission_rates r on r.id = s.rate_id
      )
      select coalesce(c.id, d.id) as row_id, 'commission ' || coalesce(c.id, d.id) as subject,
        case when c.id is null then format('the %s of a fee of %s was never earned', d.amount, d.fee)
          when d.id is null then 'no fee brought it'
          else format('it is %s of %s of %s to %s at %s; due are %s of %s of %s to %s at %s', c.amount, c.fee, c.merchant_id,
            c.reseller_id, c.at, d.amount, d.fee, d.merchant_id, d.reseller_id, d.at) end as problem
      from (select * from due where amount > 0) d full join commissions c on c.id = d.id and c.source = d.source
      where (c.rate_id, c.reseller_id, c.merchant_id, c.currency_code, c.order_id, c.fee, c.amount, c.at) is distinct from
        (d.rate_id, d.reseller_id, d.merchant_id, d.currency_code, d.order_id, d.fee, d.amount, d.at)`,
  },
  {
    name: 'a commission is taken back with its fee, and not otherwise',
    each: false,
    faults: `
      select c.id as row_id, 'commission ' || c.id as subject,
        format('it was taken back at %s with posting %s', c.reversed_at, c.reversed_by) as problem
      from commissions c
      where c.reversed_at is not null and not exists (
          select from operator_postings p where p.id = c.reversed_by and p.fee > 0 and case p.kind
            when 'LATE_CREDIT' then p.id = c.id and p.reversed_at = c.reversed_at
            when 'PAYOUT_RETURNED' then p.withdrawal_id = c.order_id and p.at = c.reversed_at else false end)
        or c.reversed_at is null and c.source = 'LATE_CREDIT'
          and exists (select from operator_postings p where p.id = c.id and p.reversed_at is not null)
      union all
      select p.id, 'posting ' || p.id, 'it gave a fee back, and the commission stayed'
      from operator_postings p
      where p.kind = 'PAYOUT_RETURNED' and p.fee > 0
        and exists (select from commissions c where c.order_id = p.withdrawal_id and c.source = 'WITHDRAWAL')
        and not exists (select from commissions c where c.reversed_by = p.id)`,
  },
  {
    name: 'a commission rate is as people agreed on it',
    each: false,
    // A change shows what differs from the version before it.
    faults: `
      select f.id as row_id, format('commission rate %s version %s', f.id, f.version) as subject,
        'nobody agreed on it as it is' as problem
      from commission_rates f left join commission_rates p
        on p.merchant_id = f.merchant_id and p.currency_code = f.currency_code and p.order_kind = f.order_kind
          and p.version = f.version - 1
      where (p.id is null) <> (f.version = 1) or p.created_at > f.created_at or not exists (
        select from change_requests c, lateral (select c.after ->> 'effectiveFrom' as begins) a
        where c.id = f.change_id and c.kind = 'PUT_COMMISSION_RATE' and c.status = 'APPLIED'
          and c.subject_id = f.merchant_id::text and c.decided_at = f.created_at and 'operator:' || c.proposed_by = f.created_by
          and case when p.id is null then '{}' else commission_rate_fields(p) end || (c.after - 'effectiveFrom')
            = commission_rate_fields(f)
          and f.effective_from = case a.begins when 'once approved' then f.created_at
            else greatest(coalesce(a.begins::timestamptz, p.effective_from), f.created_at) end)`,
  },
];
