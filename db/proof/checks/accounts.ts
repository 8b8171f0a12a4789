import type { Check, PostingRule } from '../rule';
import { COMMISSION_EARNED, COMMISSION_REVERSED } from '../rules/commissions';
import { LATE_RECEIVED } from '../rules/deposits';
import { OPERATOR_RULES, POSTING_REVERSED } from '../rules/operator-postings';
import { MONEY_RETURNED, REFUND_FROZEN, REFUND_PAID, REFUND_RELEASED } from '../rules/payer-returns';

/** The lines of the ledger accounts that follow from the rules' rows. */
const linesOf = ({ rows }: PostingRule): string => `
        union all
        select l.account, r.currency, l.amount from (${rows}) r, unnest(r.accounts, r.amounts) as l(account, amount)
        where l.account not like 'merchant:%:available'`;

/** The balances of the ledger accounts: the sums demanded by the rows, compared with the sums of the entries. */
export const ACCOUNTS: readonly Check[] = [
  {
    name: 'each currency sums to zero',
    each: false,
    faults: `
      select null::uuid as row_id, 'currency ' || currency_code as subject,
        format('its entries sum to %s', sum(amount)) as problem
      from ledger_entries group by currency_code having sum(amount) <> 0`,
  },
  {
    name: 'each account is made of the rows that stand for its money',
    each: false,
    faults: `
      with made as (
        -- Suspense: what came and is credited to nobody.
        select 'suspense' as account, b.currency_code, b.amount from bank_transfers b
        where not exists (
          select from transfer_allocations a join deposit_orders d on d.id = a.deposit_id
          where a.transfer_id = b.id and a.released_at is null and a.amount is null and d.status = 'COMPLETED')
        union all
        select 'suspense', d.currency_code, -a.amount
        from transfer_allocations a join deposit_orders d on d.id = a.deposit_id
        where a.released_at is null and a.amount is not null and d.status = 'COMPLETED'
        -- A bank: what came, less what was paid from it and what was taken back.
        union all
        select 'bank:' || b.account_id, b.currency_code, -b.amount from bank_transfers b
        union all
        select 'bank:' || p.account_id, w.currency_code, w.amount
        from payout_attempts p join withdrawal_orders w on w.id = p.withdrawal_id where p.status = 'COMPLETED'
        union all
        select 'bank:' || r.account_id, d.currency_code, r.amount
        from deposit_recalls r join deposit_orders d on d.id = r.deposit_id
        -- A channel: what it paid and charged, less what it has back.
        union all
        select 'channel:' || p.channel_id, w.currency_code, w.amount + coalesce(p.cost, 0)
        from payout_attempts p join withdrawal_orders w on w.id = p.withdrawal_id where p.status = 'SUCCEEDED'
        union all
        select 'channel:' || p.channel_id, w.currency_code,
          case f.type when 'WITHDRAWAL_RETURNED' then -f.amount else f.amount end
        from payout_aftermaths f join payout_attempts p on p.id = f.attempt_id
        join withdrawal_orders w on w.id = p.withdrawal_id
        union all
        select 'channel_cost', w.currency_code, -p.cost
        from payout_attempts p join withdrawal_orders w on w.id = p.withdrawal_id
        where p.status = 'SUCCEEDED' and p.cost > 0
        -- What it received, less what it charged for that.
        union all
        select 'channel:' || p.channel_id, d.currency_code, p.cost - p.received
        from deposit_attempts p join deposit_orders d on d.id = p.deposit_id
        where p.status = 'PAID' and d.status = 'COMPLETED'
        union all
        select 'channel_cost', d.currency_code, -p.cost
        from deposit_attempts p join deposit_orders d on d.id = p.deposit_id
        where p.status = 'PAID' and d.status = 'COMPLETED' and p.cost > 0
        union all
        select x.account, w.currency_code, x.amount
        from payout_aftermaths f join payout_attempts p on p.id = f.attempt_id
        join withdrawal_orders w on w.id = p.withdrawal_id
        cross join lateral (values
          ('channel:' || p.channel_id, case when f.type = 'WITHDRAWAL_RETURNED' then 0 else coalesce(p.cost, 0) end),
          ('channel_cost', case when f.type = 'WITHDRAWAL_RETURNED' then 0 else -coalesce(p.cost, 0) end),
          ('channel_claim:' || p.channel_id, case when f.type = 'CHANNEL_CLAIMED' then -f.amount else 0 end),
          ('fee_income', f.fee),
          ('merchant_receivable:' || w.merchant_id, -f.owed)) as x(account, amount)
        where x.amount <> 0
        -- What channels charged for what they received too late.
        union all
        select x.account, d.currency_code, x.amount
        from late_receipts l join deposit_attempts p on p.id = l.attempt_id join deposit_orders d on d.id = p.deposit_id
        cross join lateral (values ('channel:' || p.channel_id, l.cost), ('channel_cost', -l.cost)) as x(account, amount)
        -- Fees: of what was credited and paid.
        union all
        select 'fee_income', currency_code, fee from deposit_orders where status = 'COMPLETED'
        union all
        select 'fee_income', currency_code, fee from withdrawal_orders where status = 'COMPLETED'
        -- Frozen: open withdrawals, credits that wait for their days, and fees of open deposits whose merchants prepay.
        union all
        select 'merchant:' || merchant_id || ':frozen', currency_code, fee_held
        from deposit_orders where fee_held is not null and status in ('PENDING', 'MATCHED') and fee_released_at is null
        union all
        select 'merchant:' || merchant_id || ':frozen', currency_code, amount + fee
        from withdrawal_orders where status in ('PENDING', 'APPROVED')
        union all
        select 'merchant:' || merchant_id || ':frozen', currency_code, amount
        from held_credits where released_at is null and recalled_at is null
        union all
        select 'merchant:' || r.merchant_id || ':frozen', r.currency_code, r.left_over
        from (select h.merchant_id, h.currency_code, h.amount - c.from_held as left_over
          from held_credits h join deposit_recalls c using (deposit_id) where h.recalled_at is not null) r
        -- Owed: what recalls took beyond the balance, less what covered it.
        union all
        select 'merchant_receivable:' || d.merchant_id, d.currency_code, -r.owed
        from deposit_recalls r join deposit_orders d on d.id = r.deposit_id
        union all
        select 'merchant_receivable:' || merchant_id, currency_code, amount from receivable_covers
        -- What two people agreed on.
        union all
        select case kind when 'TOP_UP_BALANCE' then 'treasury' else 'adjustment' end, currency_code, -amount
        from change_requests where kind in ('TOP_UP_BALANCE', 'ADJUST_BALANCE') and status = 'APPLIED'
        -- What books carry forward of orders that a sandbox's purge took away.
        union all
        select account, currency_code, amount from ledger_book_lines where account not like 'merchant:%:available'
        -- What operators posted, and what went back to payers.
        ${[...Object.values(OPERATOR_RULES), POSTING_REVERSED].map(linesOf).join('')}
        ${[COMMISSION_EARNED, COMMISSION_REVERSED].map(linesOf).join('')}
        ${linesOf(LATE_RECEIVED)}
        ${[MONEY_RETURNED, REFUND_FROZEN, REFUND_RELEASED, REFUND_PAID].map(linesOf).join('')}
      ), from_rows as (
        select account, currency_code, sum(amount) as amount from made group by 1, 2
      ), from_entries as (
        select account, currency_code, sum(amount) as amount from ledger_entries
        where account not like 'merchant:%:available' group by 1, 2
      )
      select null::uuid as row_id, format('account %s %s', account, currency_code) as subject,
        format('its entries add up to %s, the rows that stand for its money to %s', coalesce(e.amount, 0),
          coalesce(r.amount, 0)) as problem
      from from_rows r full join from_entries e using (account, currency_code)
      where coalesce(e.amount, 0) <> coalesce(r.amount, 0)`,
  },
];
