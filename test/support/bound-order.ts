import { uuidv7 } from 'uuidv7';
import {
  creditChannelDeposit,
  markDepositSent,
  matchChannelDeposit,
  prepareChannelDeposit,
} from '../../db/deposits/channel-deposits';
import { channelCost, channelDepositCredit } from '../../domain/ledger';
import { money } from '../../domain/money';
import type { Tenant, TestMerchant } from './tenant';

const COST = money('1');
const RECEIPT = { received: money('100'), charge: money('1.5'), cost: COST };

/** An order of 100.00 THB to an account on which a channel reports. */
export interface BoundOrder {
  readonly id: string;
  readonly orderNo: string;
  readonly remark: string;
  readonly attemptId: string;
  /** The channel reports that the payment is under way, or that it has it. */
  readonly match: (received?: boolean) => Promise<boolean>;
  /** What its workflow does next. @returns whether the order was credited by the channel */
  readonly credit: () => Promise<boolean>;
}

/** Creates one, and has its channel asked to open it. */
export async function boundOrder(tenant: Tenant, merchant: TestMerchant, channelId: string): Promise<BoundOrder> {
  const { database } = tenant;
  const { orderNo, expectedRemark: remark } = await tenant.deposit(merchant);
  const [row] = await database.sql<{ id: string }[]>`
    select id from deposit_orders where order_no = ${orderNo}`;
  const [id, attemptId, now] = [row?.id ?? '', uuidv7(), tenant.now()];
  await prepareChannelDeposit(database, attemptId, id, channelId, COST, now);
  await markDepositSent(database, attemptId, now);
  const credited = channelDepositCredit(merchant.id, channelId, RECEIPT.received, RECEIPT.charge);
  return {
    id,
    orderNo,
    remark,
    attemptId,
    match: async (received = true) =>
      await matchChannelDeposit(
        ...([database, attemptId, 'C1', received ? RECEIPT : null, null, tenant.now()] as const),
      ),
    credit: async () =>
      await creditChannelDeposit(database, {
        ...RECEIPT,
        attemptId,
        credited,
        charged: channelCost(channelId, COST),
        callbackBody: '{}',
        now: tenant.now(),
      }),
  };
}
