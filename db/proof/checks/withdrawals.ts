import type { Check } from '../rule';

/** Withdrawals and their attempts: who approved, who paid. */
export const WITHDRAWALS: readonly Check[] = [
  {
    name: 'a withdrawal is where its attempts have brought it',
    each: true,
    faults: `
      select w.id as row_id, 'withdrawal ' || w.order_no as subject,
        format('it is %s, paid %s by %s; its attempts are %s', w.status, w.actual_amount,
          coalesce('channel ' || w.channel_id, 'account ' || w.account_id, 'nobody'),
          coalesce(a.states, 'none')) as problem
      from withdrawal_orders w
      left join lateral (
        select string_agg(p.status, ', ' order by p.number) as states,
          bool_or(p.status in ('SUCCEEDED', 'COMPLETED') and w.channel_id is not distinct from p.channel_id
            and w.account_id is not distinct from p.account_id
            and w.bank_reference is not distinct from p.bank_reference
            and w.actual_channel_cost is not distinct from p.cost and w.payout_method = p.method
            and w.completed_at = p.finished_at) as paid,
          bool_or(p.status in ('SUCCEEDED', 'COMPLETED')) as any_paid,
          bool_or(p.finished_at is null) as open,
          bool_or(p.status = 'FAILED') as failed,
          bool_or(p.status = 'CANCELLED') as cancelled
        from payout_attempts p where p.withdrawal_id = w.id) a on true
      where not coalesce(case w.status
        when 'PENDING' then not coalesce(a.any_paid, false)
        when 'APPROVED' then not coalesce(a.any_paid, false)
        when 'COMPLETED' then a.paid and not a.open and w.actual_amount = w.amount
        when 'FAILED' then a.failed and not a.open and not a.any_paid
        when 'CANCELLED' then a.cancelled and not a.open and not a.any_paid
        when 'REJECTED' then not coalesce(a.any_paid or a.open, false) end, false)`,
  },
  {
    name: 'a withdrawal was decided by as many people as it needs',
    each: true,
    faults: `
      select w.id as row_id, 'withdrawal ' || w.order_no as subject,
        format('it is %s and needs %s; %s approved and %s rejected it', w.status, w.people_needed, d.approvals,
          d.rejections) as problem
      from withdrawal_orders w
      cross join lateral (
        select count(*) filter (where verdict = 'APPROVE') as approvals,
          count(*) filter (where verdict = 'REJECT') as rejections,
          bool_or(verdict = 'APPROVE' and operator_id::text = w.approved_by) as by_them
        from withdrawal_decisions where withdrawal_id = w.id) d
      where w.status = 'REJECTED' and d.rejections = 0
        or w.approved_at is not null and (d.approvals < w.people_needed or d.rejections > 0
          or not w.is_auto_approved and d.by_them is not true)
        or w.status in ('PENDING', 'REJECTED') and d.rejections = 0 and d.approvals > w.people_needed`,
  },
  {
    name: 'an attempt is numbered without a gap, and its reference is of its order',
    each: true,
    faults: `
      select p.withdrawal_id as row_id, 'payout ' || p.reference as subject,
        format('it is attempt %s of %s, whose order is %s', p.number,
          (select count(*) from payout_attempts o where o.withdrawal_id = p.withdrawal_id), w.order_no) as problem
      from payout_attempts p join withdrawal_orders w on w.id = p.withdrawal_id
      where p.number < 1 or not starts_with(p.reference, w.order_no || '-' || p.number)
        or p.account_id is not null and p.status in ('COMPLETED', 'SENDING', 'CLAIMED')
          and not exists (select from bank_accounts b where b.id = p.account_id and b.currency_code = w.currency_code)`,
  },
  {
    name: 'an attempt that was begun is there',
    each: true,
    faults: `
      select e.order_id as row_id, 'withdrawal ' || w.order_no as subject,
        format('its payout %s is gone', e.detail ->> 'reference') as problem
      from order_events e join withdrawal_orders w on w.id = e.order_id
      where e.noun = 'withdrawal' and e.type in ('payout_prepared', 'transfer_task_opened')
        and not exists (select from payout_attempts p where p.reference = e.detail ->> 'reference')`,
  },
  {
    name: 'an aftermath is of an attempt that ended so',
    each: true,
    faults: `
      select p.withdrawal_id as row_id, 'payout ' || p.reference as subject,
        format('it is %s, and %s of %s was posted', p.status, f.type, f.amount) as problem
      from payout_aftermaths f join payout_attempts p on p.id = f.attempt_id
      join withdrawal_orders w on w.id = p.withdrawal_id
      where f.amount <> w.amount
        or f.type in ('WITHDRAWAL_LATE_PAID', 'CHANNEL_CLAIMED') and p.status not in ('FAILED', 'REFUSED')
        or f.type = 'WITHDRAWAL_LATE_PAID' and f.fee not in (0, w.fee)
        or f.type = 'WITHDRAWAL_RETURNED' and p.status <> 'SUCCEEDED'`,
  },
  {
    name: 'a bank debit left the account of the payout that it explains',
    each: true,
    faults: `
      select b.id as row_id, 'bank debit ' || b.id as subject,
        format('%s %s left account %s for payout %s, which is %s of %s from %s', b.amount, b.currency_code,
          b.account_id, p.reference, p.status, w.amount, p.account_id) as problem
      from bank_debits b join payout_attempts p on p.id = b.attempt_id
      join withdrawal_orders w on w.id = p.withdrawal_id
      where p.method <> 'MANUAL' or p.account_id is distinct from b.account_id or w.currency_code <> b.currency_code`,
  },
  {
    name: 'a settlement is a withdrawal of its merchant to its account',
    each: true,
    faults: `
      select w.id as row_id, 'withdrawal ' || w.order_no as subject,
        case when s.withdrawal_id is null then 'it is a settlement without its row'
          else format('it is of origin %s, and a settlement to account %s', w.origin, s.account_id) end as problem
      from withdrawal_orders w
      left join settlements s on s.withdrawal_id = w.id
      left join settlement_accounts a on a.id = s.account_id
      where (w.origin = 'SETTLEMENT') <> (s.withdrawal_id is not null)
        or s.withdrawal_id is not null and (s.merchant_id, a.merchant_id, a.currency_code, a.bank_code, a.account_no)
          is distinct from
          (w.merchant_id, w.merchant_id, w.currency_code, w.beneficiary_bank_code, w.beneficiary_account)`,
  },
];
