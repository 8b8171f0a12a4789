import type { PostingRule } from '../rule';

const change = (kind: string, account: string): string => `
    select c.id as row_id, 'change request ' || c.id as subject, null::uuid as order_id,
      null::uuid as bank_transfer_id, c.currency_code as currency, c.decided_at as at,
      array['${account}', 'merchant:' || c.merchant_id || ':available'] as accounts,
      array[-c.amount, c.amount] as amounts
    from change_requests c where c.kind = '${kind}' and c.status = 'APPLIED'`;

/** Two people agreed that a merchant has prepaid. */
export const BALANCE_TOP_UP: PostingRule = { rows: change('TOP_UP_BALANCE', 'treasury') };

/** Two people agreed on a correction. */
export const BALANCE_ADJUSTMENT: PostingRule = { rows: change('ADJUST_BALANCE', 'adjustment') };

/** What a merchant in debt receives covers the debt first. Its key names the balance and its version, not the row. */
export const RECEIVABLE_COVERED: PostingRule = {
  rows: `
    select v.id as row_id, 'debt of ' || v.merchant_id || ' ' || v.currency_code as subject, null::uuid as order_id,
      null::uuid as bank_transfer_id, v.currency_code as currency, v.at,
      array['merchant:' || v.merchant_id || ':available', 'merchant_receivable:' || v.merchant_id] as accounts,
      array[-v.amount, v.amount] as amounts
    from receivable_covers v`,
  key: `(select 'receivable-covered:' || v.merchant_id || ':' || v.currency_code || ':' || v.version
    from receivable_covers v where v.id = r.row_id)`,
  rowOf: `case when c.key ~ '^receivable-covered:[0-9a-f-]{36}:[A-Z]{3}:[0-9]{1,18}$' then (
    select v.id from receivable_covers v
    where v.merchant_id = split_part(c.key, ':', 2)::uuid and v.currency_code = split_part(c.key, ':', 3)
      and v.version = split_part(c.key, ':', 4)::bigint) end`,
};
