import type { PostingRule } from '../rule';

/** Every withdrawal freezes its amount and fee as it is created. */
export const WITHDRAWAL_FREEZE: PostingRule = {
  rows: `
    select w.id as row_id, 'withdrawal ' || w.order_no as subject, w.id as order_id, null::uuid as bank_transfer_id,
      w.currency_code as currency, w.created_at as at,
      array['merchant:' || w.merchant_id || ':available', 'merchant:' || w.merchant_id || ':frozen'] as accounts,
      array[-w.amount - w.fee, w.amount + w.fee] as amounts
    from withdrawal_orders w`,
};

/** One that ended unpaid has them released. */
export const WITHDRAWAL_RELEASE: PostingRule = {
  rows: `
    select w.id as row_id, 'withdrawal ' || w.order_no as subject, w.id as order_id, null::uuid as bank_transfer_id,
      w.currency_code as currency, w.ended_at as at,
      array['merchant:' || w.merchant_id || ':frozen', 'merchant:' || w.merchant_id || ':available'] as accounts,
      array[-w.amount - w.fee, w.amount + w.fee] as amounts
    from withdrawal_orders w where w.status in ('REJECTED', 'FAILED', 'CANCELLED')`,
};

/** One that was paid, by the account or channel of the one attempt that paid it. */
export const WITHDRAWAL_PAID: PostingRule = {
  rows: `
    select w.id as row_id, 'withdrawal ' || w.order_no as subject, w.id as order_id, null::uuid as bank_transfer_id,
      w.currency_code as currency, w.completed_at as at,
      array['merchant:' || w.merchant_id || ':frozen', 'fee_income',
        (select case a.method when 'CHANNEL' then 'channel:' || a.channel_id else 'bank:' || a.account_id end
          from payout_attempts a
          where a.withdrawal_id = w.id and a.status in ('SUCCEEDED', 'COMPLETED'))] as accounts,
      array[-w.amount - w.fee, w.fee, w.amount] as amounts
    from withdrawal_orders w where w.status = 'COMPLETED'`,
};
