import { uuidv7 } from 'uuidv7';
import {
  markDepositSent,
  matchChannelDeposit,
  prepareChannelDeposit,
  receiveLateDeposit,
} from '../../db/deposits/channel-deposits';
import { money } from '../../domain/money';
import type { Tenant, TestMerchant } from './tenant';

/**
 * A cancelled deposit of 100.00 THB whose money a channel has, at a cost of 1.
 * @param wasPaid whether the channel had it when the order was cancelled; else it came afterwards
 * @returns its gateway number
 */
export async function lateDeposit(
  tenant: Tenant,
  merchant: TestMerchant,
  channelId: string,
  wasPaid = false,
): Promise<string> {
  const { database } = tenant;
  const { orderNo } = await tenant.deposit(merchant);
  const now = tenant.now();
  const [row] = await database.sql<{ id: string }[]>`
    select id from deposit_orders where order_no = ${orderNo}`;
  const [attemptId, cost] = [uuidv7(), money('1')];
  await prepareChannelDeposit(database, attemptId, row?.id ?? '', channelId, cost, now);
  await markDepositSent(database, attemptId, now);
  const receipt = { received: money('100'), charge: money('1.5'), cost };
  if (wasPaid) await matchChannelDeposit(database, attemptId, 'C1', receipt, null, now);
  await tenant.operate('CancelDeposit', { orderNo, reason: 'test', moneyCame: true });
  if (!wasPaid) {
    const late = { attemptId, doubtedAt: now, cost, reason: 'test', now };
    if (!(await receiveLateDeposit(database, late))) throw new Error('late money was not posted');
  }
  return orderNo;
}
