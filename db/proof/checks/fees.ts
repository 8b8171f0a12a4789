import type { Check } from '../rule';

/** What orders were priced by. */
export const FEES: readonly Check[] = [
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
