import { uuidv7 } from 'uuidv7';
import { markDepositSent, prepareChannelDeposit } from '../../db/deposits/channel-deposits';
import { ZERO } from '../../domain/money';
import { createTestChannel } from './channel-tenant';
import type { Tenant, TestMerchant } from './tenant';

/** A deposit of USD that was sent to a channel of its own, whose answer is not known. */
export async function sentDeposit(
  tenant: Tenant,
  merchant: TestMerchant,
): Promise<{ orderNo: string; attemptId: string; channelId: string }> {
  const { database } = tenant;
  const { id: channelId } = await createTestChannel(
    tenant,
    { kind: 'MOCK' },
    { currencies: [], deposits: { currencies: ['USD'] } },
  );
  // A create does not wait for the channel's answer.
  (tenant.graph.core as { openWithinMs?: number }).openWithinMs = 0;
  const merchantOrderNo = uuidv7();
  await tenant.deposit(merchant, { merchantOrderNo, currencyCode: 'USD' }).catch(() => undefined);
  const [order] = await database.sql<{ id: string; orderNo: string }[]>`
    select id, order_no from deposit_orders where merchant_order_no = ${merchantOrderNo}`;
  if (!order) throw new Error('no deposit');
  const attemptId = uuidv7();
  await prepareChannelDeposit(database, attemptId, order.id, channelId, ZERO, tenant.now());
  await markDepositSent(database, attemptId, tenant.now());
  return { orderNo: order.orderNo, attemptId, channelId };
}
