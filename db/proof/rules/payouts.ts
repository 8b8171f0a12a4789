import type { PostingRule } from '../rule';

/** What a channel charged for an attempt that it paid, or for a deposit that it received. */
export const CHANNEL_COST: PostingRule = {
  rows: `
    select a.id as row_id, 'payout ' || a.reference as subject, a.withdrawal_id as order_id,
      null::uuid as bank_transfer_id, w.currency_code as currency, a.finished_at as at,
      array['channel_cost', 'channel:' || a.channel_id] as accounts, array[-a.cost, a.cost] as amounts
    from payout_attempts a join withdrawal_orders w on w.id = a.withdrawal_id
    where a.status = 'SUCCEEDED' and a.cost > 0
    union all
    select a.id, 'payout ' || a.reference, a.withdrawal_id, null, w.currency_code, f.at,
      array['channel_cost', 'channel:' || a.channel_id], array[-a.cost, a.cost]
    from payout_aftermaths f join payout_attempts a on a.id = f.attempt_id
    join withdrawal_orders w on w.id = a.withdrawal_id
    where f.type in ('WITHDRAWAL_LATE_PAID', 'CHANNEL_CLAIMED') and a.cost > 0
    union all
    select p.id, 'deposit ' || p.reference, p.deposit_id, null, d.currency_code, d.completed_at,
      array['channel_cost', 'channel:' || p.channel_id], array[-p.cost, p.cost]
    from deposit_attempts p join deposit_orders d on d.id = p.deposit_id
    where p.status = 'PAID' and d.status = 'COMPLETED' and p.cost > 0
    union all
    select p.id, 'deposit ' || p.reference, p.deposit_id, null, d.currency_code, l.at,
      array['channel_cost', 'channel:' || p.channel_id], array[-l.cost, l.cost]
    from late_receipts l join deposit_attempts p on p.id = l.attempt_id join deposit_orders d on d.id = p.deposit_id
    where l.cost > 0`,
};

const aftermath = (type: string, lines: string): string => `
    select f.attempt_id as row_id, 'payout ' || a.reference as subject, a.withdrawal_id as order_id,
      null::uuid as bank_transfer_id, w.currency_code as currency, f.at, ${lines}
    from payout_aftermaths f join payout_attempts a on a.id = f.attempt_id
    join withdrawal_orders w on w.id = a.withdrawal_id
    where f.type = '${type}'`;

/**
 * A channel paid after all, although the merchant had its money back: the merchant pays it with its fee, or owes it.
 */
export const WITHDRAWAL_LATE_PAID: PostingRule = {
  rows: aftermath(
    'WITHDRAWAL_LATE_PAID',
    `array['channel:' || a.channel_id, 'fee_income', 'merchant:' || w.merchant_id || ':available',
        'merchant_receivable:' || w.merchant_id] as accounts,
      array[f.amount, f.fee, -f.from_available, -f.owed] as amounts`,
  ),
};

/** A channel paid what another one has paid or may pay: it owes us that. */
export const CHANNEL_CLAIMED: PostingRule = {
  rows: aftermath(
    'CHANNEL_CLAIMED',
    `array['channel:' || a.channel_id, 'channel_claim:' || a.channel_id] as accounts,
      array[f.amount, -f.amount] as amounts`,
  ),
};

/** The beneficiary's bank returned what a channel had paid. */
export const WITHDRAWAL_RETURNED: PostingRule = {
  rows: aftermath(
    'WITHDRAWAL_RETURNED',
    `array['channel:' || a.channel_id, 'merchant:' || w.merchant_id || ':available'] as accounts,
      array[-f.amount, f.amount] as amounts`,
  ),
};
