import type { PostingRule } from '../rule';

/**
 * A completed deposit: what an account or a channel received, less the part of the fee that was not held before, is
 * credited to its merchant.
 */
export const DEPOSIT_CREDIT: PostingRule = {
  rows: `
    select d.id as row_id, 'deposit ' || d.order_no as subject, d.id as order_id, null::uuid as bank_transfer_id,
      d.currency_code as currency, d.completed_at as at,
      array[coalesce('channel:' || p.channel_id, 'suspense'), 'merchant:' || d.merchant_id || ':available',
        'fee_income'] as accounts,
      array[-d.actual_amount, d.actual_amount - d.fee + coalesce(d.fee_captured, 0),
        d.fee - coalesce(d.fee_captured, 0)] as amounts
    from deposit_orders d left join deposit_attempts p on p.deposit_id = d.id and p.status = 'PAID'
    where d.status = 'COMPLETED'`,
};

/** A held credit. */
export const CREDIT_HELD: PostingRule = {
  rows: `
    select h.deposit_id as row_id, 'held credit of ' || h.deposit_id as subject, h.deposit_id as order_id,
      null::uuid as bank_transfer_id, h.currency_code as currency, h.held_at as at,
      array['merchant:' || h.merchant_id || ':available', 'merchant:' || h.merchant_id || ':frozen'] as accounts,
      array[-h.amount, h.amount] as amounts
    from held_credits h`,
};

/** A held credit whose days have ended. */
export const HOLD_RELEASED: PostingRule = {
  rows: `
    select h.deposit_id as row_id, 'held credit of ' || h.deposit_id as subject, h.deposit_id as order_id,
      null::uuid as bank_transfer_id, h.currency_code as currency, h.released_at as at,
      array['merchant:' || h.merchant_id || ':frozen', 'merchant:' || h.merchant_id || ':available'] as accounts,
      array[-h.amount, h.amount] as amounts
    from held_credits h where h.released_at is not null`,
};

/** A recalled deposit: what the payer's bank took back is debited to the merchant, or owed by it. */
export const DEPOSIT_RECALLED: PostingRule = {
  rows: `
    select r.deposit_id as row_id, 'recall of ' || d.order_no as subject, r.deposit_id as order_id,
      null::uuid as bank_transfer_id, d.currency_code as currency, r.at,
      array['bank:' || r.account_id, 'merchant:' || d.merchant_id || ':frozen',
        'merchant:' || d.merchant_id || ':available', 'merchant_receivable:' || d.merchant_id] as accounts,
      array[r.amount, -r.from_held, -r.from_available, -r.owed] as amounts
    from deposit_recalls r join deposit_orders d on d.id = r.deposit_id`,
};

/** What a channel received for an order that ended without it: it waits in suspense. */
export const LATE_RECEIVED: PostingRule = {
  rows: `
    select l.attempt_id as row_id, 'late money of ' || p.reference as subject, p.deposit_id as order_id,
      null::uuid as bank_transfer_id, d.currency_code as currency, l.at,
      array['channel:' || p.channel_id, 'suspense'] as accounts, array[-l.amount, l.amount] as amounts
    from late_receipts l join deposit_attempts p on p.id = l.attempt_id join deposit_orders d on d.id = p.deposit_id`,
};

const ofFee = (at: string, lines: string, where: string): PostingRule => ({
  rows: `
    select d.id as row_id, 'fee of deposit ' || d.order_no as subject, d.id as order_id, null::uuid as bank_transfer_id,
      d.currency_code as currency, ${at} as at,
      array['merchant:' || d.merchant_id || ':frozen', 'merchant:' || d.merchant_id || ':available',
        'fee_income'] as accounts, array[${lines}] as amounts
    from deposit_orders d where ${where}`,
});

/** If a merchant prepays fees, the fee is frozen when the deposit is created. */
export const FEE_HELD = ofFee('d.created_at', 'd.fee_held, -d.fee_held, 0', 'd.fee_held is not null');

/** The deposit ended without money. */
export const FEE_RELEASED = ofFee(
  ...(['d.fee_released_at', '-d.fee_held, d.fee_held, 0'] as const),
  'd.fee_released_at is not null',
);

/** The deposit was credited: of the held amount, the fee becomes our income, and the rest is available again. */
export const FEE_CAPTURED = ofFee(
  ...(['d.completed_at', '-d.fee_held, d.fee_held - d.fee_captured, d.fee_captured'] as const),
  'd.fee_captured is not null',
);
