import type { NamedOrder } from '../../domain/authority/hand-match';
import { remarksIn } from '../../domain/remark';
import type { Database, Transaction } from '../client';
import type { BankTransferRow } from './bank-transfers';

/**
 * The orders that a bank credit names by the automatic rule: by the remarks in its memo and, on an account of mode
 * FLOAT, by the exact assigned amount.
 */
export const findNamedOrders = async (
  sql: Database['sql'] | Transaction,
  { accountId, amount, currencyCode, memo }: BankTransferRow,
): Promise<NamedOrder[]> =>
  await sql<NamedOrder[]>`
    select id, merchant_id from deposit_orders where expected_remark = any(${remarksIn(memo)})
    union
    select d.id, d.merchant_id from reserved_amounts r join deposit_orders d on d.id = r.deposit_id
    join bank_accounts a on a.id = r.account_id
    where r.account_id = ${accountId} and r.currency_code = ${currencyCode}
      and r.amount = ${amount.toFixed()}::numeric and a.mode = 'FLOAT'`;
