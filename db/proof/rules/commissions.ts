import type { PostingRule } from '../rule';

const RESELLER = `'reseller:' || c.reseller_id`;

const ofCommission = (at: string, from: string, to: string, where: string): PostingRule => ({
  rows: `
    select c.id as row_id, 'commission ' || c.id as subject, c.order_id, null::uuid as bank_transfer_id,
      c.currency_code as currency, ${at} as at, array[${from}, ${to}] as accounts, array[-c.amount, c.amount] as amounts
    from commissions c where ${where}`,
});

/** A reseller's share of a fee. */
export const COMMISSION_EARNED = ofCommission('c.at', `'fee_income'`, RESELLER, 'true');

/** The fee was reversed, and the share with it. */
export const COMMISSION_REVERSED = ofCommission(
  ...(['c.reversed_at', RESELLER, `'fee_income'`] as const),
  'c.reversed_at is not null',
);
