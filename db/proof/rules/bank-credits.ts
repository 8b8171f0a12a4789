import type { PostingRule } from '../rule';

/** Money that a bank reported: on its account, and in suspense until something is decided about it. */
export const BANK_CREDIT: PostingRule = {
  rows: `
    select b.id as row_id, 'bank credit ' || b.id as subject, null::uuid as order_id, b.id as bank_transfer_id,
      b.currency_code as currency, b.received_at as at,
      array['bank:' || b.account_id, 'suspense'] as accounts, array[-b.amount, b.amount] as amounts
    from bank_transfers b`,
};
