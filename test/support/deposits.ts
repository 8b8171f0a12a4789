import { uuidv7 } from 'uuidv7';
import { feeOfCredit } from '../../domain/fees';
import { depositCredit } from '../../domain/ledger';
import { money } from '../../domain/money';
import { creditDeposit } from '../../db/deposits/credits';
import { issueWarrant } from '../../domain/authority/issue';
import { findDeposit, matchDeposit } from '../../db/deposits/deposits';
import type { Tenant, TestMerchant } from './tenant';

/** A deposit whose money has come: 100 THB and a fee of 1.5, unless said otherwise. @returns before its credit */
export async function matchedDeposit(
  tenant: Tenant,
  merchant: TestMerchant,
  accountId: string,
  fields: { readonly amount?: string; readonly fee?: string; readonly callbackUrl?: string } = {},
): Promise<{
  readonly id: string;
  readonly orderNo: string;
  readonly credit: () => Promise<boolean>;
}> {
  const { database } = tenant;
  const { amount = '100', fee = '1.5', callbackUrl } = fields;
  const { orderNo } = await tenant.deposit(merchant, {
    amount,
    ...(callbackUrl !== undefined && { callbackUrl }),
  });
  const [row] = await database.sql<{ id: string }[]>`
    select id from deposit_orders where order_no = ${orderNo}`;
  if (!row) throw new Error('no deposit');
  const depositId = row.id;
  const { transfer } = await tenant.notify({
    accountId,
    amount,
    memo: '',
    bankReference: uuidv7(),
  });
  const now = tenant.now();
  const match = {
    transferId: transfer.id,
    depositId,
    fee: money(fee),
    actor: 'test',
    reason: null,
  };
  await database.transaction(async (tx) => await matchDeposit(tx, issueWarrant('matchTransfer'), { ...match, now }));
  const credit = async (): Promise<boolean> => {
    const held = await findDeposit(database, { id: depositId });
    if (!held) throw new Error('no deposit');
    return await creditDeposit(database, {
      depositId,
      merchantId: merchant.id,
      actual: money(amount),
      fee: money(fee),
      postings: depositCredit(merchant.id, money(amount), feeOfCredit(money(fee), held)),
      callbackBody: '{}',
      now: tenant.now(),
    });
  };
  return { id: depositId, orderNo, credit };
}

/** The same, credited. */
export async function creditedDeposit(
  ...asked: Parameters<typeof matchedDeposit>
): Promise<{ readonly id: string; readonly orderNo: string }> {
  const { id, orderNo, credit } = await matchedDeposit(...asked);
  if (!(await credit())) throw new Error('the deposit was not credited');
  return { id, orderNo };
}
