import { normaliseReference } from '../../domain/bank-reference';
import type { PossibleDeposit, UnclaimedTransfer } from '../../domain/candidates';
import { money } from '../../domain/money';
import { last4Of } from '../../domain/payer';
import { remarksIn } from '../../domain/remark';
import type { Database } from '../client';

/** A deposit that an unmatched bank credit may pay, with that credit's id; its payer's name as its row keeps it. */
export interface PossibleDepositRow extends PossibleDeposit {
  readonly ofTransferId: string;
  readonly orderNo: string;
  readonly merchantId: string;
  readonly merchantOrderNo: string;
}

type Raw = Omit<PossibleDepositRow, 'amount'> & { readonly amount: string };

/** The most orders of an account that are considered for one bank credit: the newest before its booking. */
const LOOKED_AT = 300;
/** The most of those with a similar amount or payer that are ranked. */
const RANKED = 20;

/**
 * Candidates for each of several bank credits: deposits named in the memo, on any account and of any age; deposits with a
 * payer's claim of its bank reference; and, on the credit's account, deposits of the day before with a similar amount or
 * the same payer account. One statement, bounded for each credit.
 */
export async function findPossibleDeposits(
  { read: sql }: Database,
  transfers: readonly (UnclaimedTransfer & { readonly id: string })[],
): Promise<PossibleDepositRow[]> {
  const asked = transfers.map(({ id, accountId, amount, bankTime, memo, bankReference, payerAccount }) => ({
    id,
    account_id: accountId,
    amount: amount.toFixed(),
    bank_time: bankTime.toISOString(),
    remarks: remarksIn(memo),
    last4: last4Of(payerAccount),
    reference: bankReference === null ? null : normaliseReference(bankReference),
  }));
  const rows = await sql<Raw[]>`
    select t.id as of_transfer_id, d.id, d.order_no, d.merchant_id, d.merchant_order_no, d.account_id, d.currency_code, d.amount,
      d.status, d.expected_remark, d.payer_name, d.payer_account_last4, c.reference_key as claimed_reference,
      d.created_at, d.expire_at
    from jsonb_to_recordset(${sql.json(asked)}::jsonb)
      as t(id uuid, account_id uuid, amount numeric, bank_time timestamptz, remarks text[], last4 text,
        reference text)
    cross join lateral (
      select id from deposit_orders where expected_remark = any(t.remarks)
      union
      (select deposit_id from payment_claims where reference_key = t.reference order by at limit ${RANKED})
      union
      (select recent.id
        from (
          select o.id, o.amount, o.payer_account_last4, o.created_at from deposit_orders o
          where o.account_id = t.account_id
            and o.created_at between t.bank_time - interval '1 day' and t.bank_time + interval '5 minutes'
          order by o.created_at desc, o.id desc limit ${LOOKED_AT}) recent
        where recent.amount between t.amount * 0.98 and t.amount * 1.021 or recent.payer_account_last4 = t.last4
        order by recent.amount = t.amount desc, recent.created_at desc, recent.id desc limit ${RANKED})
    ) possible
    join deposit_orders d on d.id = possible.id and d.account_id is not null
    left join payment_claims c on c.deposit_id = d.id`;
  return rows.map((row) => ({ ...row, amount: money(row.amount) }));
}
