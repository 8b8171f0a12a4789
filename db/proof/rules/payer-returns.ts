import type { PostingRule } from '../rule';

const returned = (
  at: 'created_at' | 'ended_at',
  lines: readonly [account: string, amount: string][],
  where: string,
): PostingRule => ({
  rows: `
    select r.id as row_id, 'return ' || r.id as subject, r.deposit_id as order_id, r.bank_transfer_id,
      r.currency_code as currency, r.${at} as at, array[${lines.map(([account]) => account).join(', ')}] as accounts,
      array[${lines.map(([, amount]) => amount).join(', ')}] as amounts
    from payer_returns r where ${where}`,
});

const AVAILABLE = `'merchant:' || r.merchant_id || ':available'`;
const FROZEN = `'merchant:' || r.merchant_id || ':frozen'`;
const BANK = `'bank:' || r.account_id`;

/** Waiting money was returned to its payer. */
export const MONEY_RETURNED = returned(
  'ended_at',
  [
    [`'suspense'`, '-r.amount'],
    [BANK, 'r.amount'],
  ],
  `r.status = 'COMPLETED' and r.deposit_id is null`,
);

/** A refund is frozen when it is approved. */
export const REFUND_FROZEN = returned(
  'created_at',
  [
    [AVAILABLE, '-r.amount'],
    [FROZEN, 'r.amount'],
  ],
  'r.deposit_id is not null',
);

/** A refund that was cancelled. */
export const REFUND_RELEASED = returned(
  'ended_at',
  [
    [FROZEN, '-r.amount'],
    [AVAILABLE, 'r.amount'],
  ],
  `r.status = 'CANCELLED' and r.deposit_id is not null`,
);

/** A refund that was paid. */
export const REFUND_PAID = returned(
  'ended_at',
  [
    [FROZEN, '-r.amount'],
    [BANK, 'r.amount'],
  ],
  `r.status = 'COMPLETED' and r.deposit_id is not null`,
);
