import type { Check } from '../rule';

/** What orders were priced by. */
export const FEES: readonly Check[] = [
  {
    name: "a merchant's volume of a month is what was completed in it",
    each: false,
    faults: `
      select coalesce(v.merchant_id, o.merchant_id) as row_id,
        format('%s volume of %s in %s of %s', coalesce(v.order_kind, o.order_kind), coalesce(v.merchant_id, o.merchant_id),
          coalesce(v.currency_code, o.currency_code), coalesce(v.month, o.month)) as subject,
        format('counted %s in %s orders; the orders say %s in %s', v.amount, v.orders, o.amount, o.orders) as problem
      from merchant_volumes v
      full join (
        select d.merchant_id, d.currency_code, 'DEPOSIT' as order_kind, d.volume_month as month, count(*) as orders,
          sum(d.actual_amount) as amount
        from deposit_orders d where d.volume_month is not null group by 1, 2, 4
        union all
        select w.merchant_id, w.currency_code, 'WITHDRAWAL', w.volume_month, count(*), sum(w.amount)
        from withdrawal_orders w where w.volume_month is not null group by 1, 2, 4
      ) o using (merchant_id, currency_code, order_kind, month)
      where (v.orders, v.amount) is distinct from (o.orders::int, o.amount)`,
  },
  {
    name: 'a completed order counts to the month of its completion where a schedule goes by that',
    each: false,
    // Its merchant's zone may have changed since, and the schedule may have been approved while it was being completed.
    faults: `
      select o.id as row_id, format('%s %s', lower(o.order_kind), o.order_no) as subject,
        format('it was completed at %s and counts to %s', o.completed_at, coalesce(o.volume_month::text, 'no month'))
          as problem
      from (
        select merchant_id, currency_code, order_kind, min(created_at) as since from fee_schedules
        where tier_by = 'MONTH_VOLUME' group by 1, 2, 3
      ) f
      join lateral (
        select d.id, d.order_no, 'DEPOSIT' as order_kind, d.completed_at, d.volume_month from deposit_orders d
        where d.merchant_id = f.merchant_id and d.currency_code = f.currency_code and d.completed_at is not null
        union all
        select w.id, w.order_no, 'WITHDRAWAL', w.completed_at, w.volume_month from withdrawal_orders w
        where w.merchant_id = f.merchant_id and w.currency_code = f.currency_code and w.completed_at is not null
          and w.origin = 'MERCHANT'
      ) o on o.order_kind = f.order_kind
      where o.volume_month is null and o.completed_at > f.since + interval '1 hour'
        or o.volume_month not between date_trunc('month', o.completed_at at time zone 'UTC' - interval '14 hours')::date
          and (o.completed_at at time zone 'UTC' + interval '14 hours')::date`,
  },
  {
    name: 'what a balance holds for a deposit is the fee that it was created with',
    each: true,
    faults: `
      select d.id as row_id, 'deposit ' || d.order_no as subject,
        format('it is %s at a fee of %s, and its balance held %s', d.status, d.fee, d.fee_held) as problem
      from deposit_orders d where d.fee_held <> d.fee and d.status <> 'COMPLETED'`,
  },
  {
    name: 'a fee schedule is as people agreed on it',
    each: false,
    // A change shows what differs from the version before it.
    faults: `
      select f.id as row_id, format('fee schedule %s version %s', f.id, f.version) as subject,
        'nobody agreed on it as it is' as problem
      from fee_schedules f left join fee_schedules p
        on p.merchant_id = f.merchant_id and p.currency_code = f.currency_code and p.order_kind = f.order_kind
          and p.channel_id is not distinct from f.channel_id and p.wallet_kind is not distinct from f.wallet_kind
          and p.version = f.version - 1
      where (p.id is null) <> (f.version = 1) or p.created_at > f.created_at or not exists (
        select from change_requests c, lateral (select c.after ->> 'effectiveFrom' as begins) a
        where c.id = f.change_id and c.kind = 'PUT_FEE_SCHEDULE' and c.status = 'APPLIED'
          and c.subject_id = f.merchant_id::text and c.decided_at = f.created_at and 'operator:' || c.proposed_by = f.created_by
          and case when p.id is null then '{}' else fee_schedule_fields(p) end || (c.after - 'effectiveFrom')
            = fee_schedule_fields(f)
          and f.effective_from = case a.begins when 'once approved' then f.created_at
            else greatest(coalesce(a.begins::timestamptz, p.effective_from), f.created_at) end)`,
  },
];
