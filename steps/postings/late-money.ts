import type { Settings } from '../../domain/change-request';
import { businessError, notFound } from '../../domain/errors';
import { formatMoney, type Money } from '../../domain/money';
import { type DepositView, findDeposit } from '../../db/deposits/deposits';
import * as db from '../../db/deposits/late-receipts';
import type { Needs } from '../context';
import { checkedAmount } from './checked-amount';
import { plainPosting, post, type Posted, type PostingRequest } from './post';
import { requireReach } from '../access/caller';
import type { ProposalNeeds, Evidence } from '../changes/propose';
import type { Warrant } from '../../domain/authority/warrant';

/** The late money of an order, and how much of it to use. */
export interface LateMoney {
  readonly deposit: DepositView;
  readonly receipt: db.LateReceiptRow;
  readonly amount: Money;
  /** Its name in summaries. */
  readonly name: string;
}

/** The waiting late money of an order. @throws NOT_FOUND, BUSINESS_ERROR if less waits */
export async function lateMoney(
  context: Needs<'actor' | 'database'>,
  orderNo: string,
  part: Money | null,
): Promise<LateMoney> {
  const deposit = await findDeposit(context.database, { orderNo });
  if (!deposit) throw notFound('deposit');
  requireReach(context.actor, deposit.merchantId, 'deposit');
  const receipts = await db.findLateReceipts(context.database, [deposit.id]);
  const receipt = receipts.find(({ rest }) => rest.gt(0));
  if (!receipt) throw businessError('WRONG_STATE', 'no late money of this deposit waits');
  const { currencyCode } = deposit;
  const amount = checkedAmount(part ?? receipt.rest, currencyCode);
  if (amount.gt(receipt.rest))
    throw businessError('AMOUNT', `only ${formatMoney(receipt.rest)} ${currencyCode} of it still waits`);
  return { deposit, receipt, amount, name: `${formatMoney(amount)} ${currencyCode}` };
}

/** What an approver is shown about it. */
export async function lateShown({ loaders }: Needs<'loaders'>, { deposit, receipt }: LateMoney): Promise<Settings> {
  const channel = await loaders.channels.load(receipt.channelId);
  return {
    received: formatMoney(receipt.amount),
    at: receipt.at.toISOString(),
    channel: channel?.channelCode ?? null,
    orderNo: deposit.orderNo,
    status: deposit.status,
  };
}

/** The common part of all requests about it. */
export const aboutLate = ({
  deposit,
  amount,
}: LateMoney): Pick<PostingRequest, 'subject' | 'currencyCode' | 'amount' | 'enteredBy'> => ({
  subject: { kind: 'deposit', id: deposit.id, name: deposit.orderNo },
  currencyCode: deposit.currencyCode,
  amount,
  enteredBy: [],
});

/** Proposes that a channel gave late money back to its payer. */
export async function returnLateMoney(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'returnLateMoney'>,
  {
    orderNo,
    reason,
    evidence,
    part,
    key,
  }: {
    readonly orderNo: string;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly part?: Money | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { orderNo, part: part?.toFixed(), reason };
  return await post(context, warrant, key, args, async () => {
    const late = await lateMoney(context, orderNo, part ?? null);
    const { currencyCode, merchantId } = late.deposit;
    const { id: depositAttemptId, channelId } = late.receipt;
    return {
      ...aboutLate(late),
      kind: 'RETURN_LATE_MONEY',
      merchantId,
      findings: null,
      reason,
      evidence,
      summary: `The channel gave ${late.name} of ${orderNo} back`,
      shown: await lateShown(context, late),
      postings: [plainPosting('LATE_RETURNED', currencyCode, late.amount, { depositAttemptId, channelId })],
    };
  });
}
