import type { Check } from '../rule';

/** Operators' postings and returns to payers: their source, and who approved them. */
export const OPERATOR_POSTINGS: readonly Check[] = [
  {
    name: 'what operators use of a bank credit is of its currency, and no more than it brought',
    each: true,
    faults: `
      select b.id as row_id, 'bank credit ' || b.id as subject,
        format('of %s %s are used in %s', b.amount, u.used, u.currency_code) as problem
      from (
        select x.bank_transfer_id as id, x.currency_code, sum(x.amount) as used
        from (
          select p.bank_transfer_id, p.currency_code, p.amount from operator_postings p
          where p.bank_transfer_id is not null and p.reversed_at is null
          union all
          select r.bank_transfer_id, r.currency_code, r.amount from payer_returns r
          where r.bank_transfer_id is not null and r.status <> 'CANCELLED') x
        group by 1, 2) u
      join bank_transfers b using (id)
      where u.used > b.amount or u.currency_code <> b.currency_code`,
  },
  {
    name: 'no more is posted of a bank debit than left',
    each: true,
    faults: `
      select u.id as row_id, 'bank debit ' || u.id as subject,
        format('of %s from %s %s %s from %s are posted', b.amount, b.account_id, u.used, u.currency_code, u.account_id)
          as problem
      from (
        select x.bank_debit_id as id, x.account_id, x.currency_code, sum(x.amount) as used
        from (
          select p.bank_debit_id, p.account_id, p.currency_code, p.amount from operator_postings p
          where p.bank_debit_id is not null and p.reversed_at is null
          union all
          select r.bank_debit_id, r.account_id, r.currency_code, r.amount from payer_returns r
          where r.bank_debit_id is not null
          union all
          select r.bank_debit_id, r.account_id, d.currency_code, r.amount
          from deposit_recalls r join deposit_orders d on d.id = r.deposit_id
          where r.bank_debit_id is not null) x
        group by 1, 2, 3) u
      left join bank_debits b on b.id = u.id
      left join payout_attempts a on a.id = b.attempt_id
      left join withdrawal_orders w on w.id = a.withdrawal_id
      where b.amount is null or u.used + coalesce(w.amount, 0) > b.amount
        or (u.account_id, u.currency_code) is distinct from (b.account_id, b.currency_code)`,
  },
  {
    name: 'a posting by operators is of its merchant’s order, and two people agreed where they have to',
    each: true,
    faults: `
      select p.id as row_id, 'posting ' || p.id as subject,
        case
          when p.deposit_id is not null and d.id is null then 'its deposit is of another merchant or currency'
          when p.withdrawal_id is not null and w.id is null then 'its withdrawal is of another merchant or currency'
          when p.pair_id is not null and o.id is null then 'its other leg is not as much, or was taken back'
          else format('change request %s is %s of %s %s', c.id, c.status, c.amount, c.currency_code) end as problem
      from operator_postings p
      left join deposit_orders d on d.id = p.deposit_id and d.merchant_id = p.merchant_id
        and d.currency_code = p.currency_code
      left join withdrawal_orders w on w.id = p.withdrawal_id and w.merchant_id = p.merchant_id
        and w.currency_code = p.currency_code and w.status = 'COMPLETED'
        and w.amount >= p.amount and p.fee in (0, w.fee)
      left join operator_postings o on o.id = p.pair_id and o.kind = 'OWN_TRANSFER_OUT'
        and (o.amount, o.currency_code) = (p.amount, p.currency_code)
        and (o.reversed_at is null or p.reversed_at is not null)
      left join change_requests c on c.id = p.change_id
      where p.deposit_id is not null and d.id is null or p.withdrawal_id is not null and w.id is null
        or p.pair_id is not null and o.id is null
        or p.change_id is not null and (c.status, abs(c.amount), c.currency_code, c.decided_at) is distinct from
          ('APPLIED', abs(p.amount), p.currency_code, p.at)`,
  },
  {
    name: 'a posting was taken back as two people agreed',
    each: true,
    faults: `
      select p.id as row_id, 'posting ' || p.id as subject,
        format('it was taken back at %s, and change request %s is %s %s', p.reversed_at, c.id, c.status, c.kind)
          as problem
      from operator_postings p join change_requests c on c.id = p.reversal_change_id
      where (c.status, c.kind, c.subject_id, c.decided_at) is distinct from
        ('APPLIED', 'REVERSE_POSTING', p.id::text, p.reversed_at)`,
  },
  {
    name: 'a return to a payer is as two people agreed, and of its merchant’s deposit',
    each: true,
    faults: `
      select r.id as row_id, 'return ' || r.id as subject,
        case when r.deposit_id is not null and d.id is null then 'its deposit is not completed, or of another balance'
          when b.id is null and r.account_id is not null then 'it is paid from an account of another currency'
          else format('change request %s is %s %s of %s %s', c.id, c.status, c.kind, c.amount, c.currency_code) end
          as problem
      from payer_returns r join change_requests c on c.id = r.change_id
      left join deposit_orders d on d.id = r.deposit_id and d.merchant_id = r.merchant_id
        and d.currency_code = r.currency_code and d.status = 'COMPLETED'
      left join bank_accounts b on b.id = r.account_id and b.currency_code = r.currency_code
      where r.deposit_id is not null and d.id is null or r.account_id is not null and b.id is null
        -- Rules about payers send back the whole of a credit, as long as they were the ones that counted.
        or case when c.kind = 'PUT_PAYER_RULES' and r.deposit_id is null then not exists (
            select from payer_rules p join bank_transfers t on t.id = r.bank_transfer_id
            where p.change_id = c.id and p.rules ->> 'comparison' = 'RETURN'
              and (p.currency_code, r.amount) = (r.currency_code, t.amount) and p.created_at <= r.created_at
              -- Sealed accounts are compared by their blind indexes, if both are under one key: keys:rotate comes to the
              -- return first.
              and case
                when r.payee_account_index is null then r.payee_account = erased()
                when r.payee_account !~ '^(v1|v2[.][0-9a-f]{8})[.]' then false
                when t.payer_account_index is null then true
                when rtrim(r.payee_account_index, '0123456789abcdef') <> rtrim(t.payer_account_index, '0123456789abcdef')
                  then true
                else r.payee_account_index = t.payer_account_index end)
        -- A split sends back what its parts leave: its amount is that of all.
        else (c.status, c.kind, case c.kind when 'SPLIT_TRANSFER' then (c.after ->> 'returned')::numeric
            else abs(c.amount) end, c.currency_code, c.decided_at) is distinct from
          ('APPLIED', case when r.deposit_id is not null then 'REFUND_DEPOSIT'
            when c.kind = 'SPLIT_TRANSFER' then c.kind else 'RETURN_MONEY' end, r.amount, r.currency_code, r.created_at)
        end`,
  },
  {
    name: 'no more goes back of a deposit than it was credited',
    each: true,
    faults: `
      select d.id as row_id, 'deposit ' || d.order_no as subject,
        format('of %s %s are refunded or recalled', d.actual_amount, g.gone) as problem
      from (
        select x.deposit_id as id, sum(x.amount) as gone
        from (
          select r.deposit_id, r.amount from payer_returns r
          where r.deposit_id is not null and r.status <> 'CANCELLED'
          union all
          select r.deposit_id, r.amount from deposit_recalls r) x
        group by 1) g
      join deposit_orders d using (id)
      where g.gone > d.actual_amount`,
  },
  {
    name: 'what two people agreed to post or send back is there',
    each: true,
    faults: `
      select c.id as row_id, 'change request ' || c.id as subject, 'it was applied, and nothing came of it' as problem
      from change_requests c
      where c.status = 'APPLIED' and case
        when c.kind in ('RETURN_MONEY', 'REFUND_DEPOSIT') or c.kind = 'SPLIT_TRANSFER' and c.after ? 'returned'
          then not exists (select from payer_returns r where r.change_id = c.id)
        when c.kind = 'REVERSE_POSTING'
          then not exists (select from operator_postings p where p.reversal_change_id = c.id)
        when c.kind in ('CREDIT_LATE_MONEY', 'CREDIT_TOP_UP', 'WRITE_OFF_MONEY', 'RETURN_LATE_MONEY', 'POST_INTEREST', 'POST_BANK_CHARGE',
            'TAKE_PROFIT', 'PAY_COMMISSION', 'MOVE_OWN_MONEY', 'OPEN_BOOK', 'CORRECT_BOOK', 'POST_CHANNEL_CHARGE', 'RETURN_PAYOUT',
            'SETTLE_CHANNEL_CLAIM', 'WRITE_OFF_CHANNEL_CLAIM')
          then not exists (select from operator_postings p where p.change_id = c.id)
        else false end`,
  },
];
