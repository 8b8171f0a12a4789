import { openBeneficiaryName } from '../../crypto/personal';
import { businessError, notFound } from '../../domain/errors';
import { formatMoney, ZERO } from '../../domain/money';
import { findWithdrawal } from '../../db/withdrawals/withdrawals';
import { plainPosting, post, type Posted } from './post';
import { aboutCredit, creditShown, merchantIn, waitingMoney } from './waiting-money';
import type { Needs } from '../context';
import type { Warrant } from '../../domain/authority/warrant';
import type { Evidence, ProposalNeeds } from '../changes/propose';

/**
 * Posts money that waits as a manual payout that its bank gave back: the merchant gets it.
 * @throws NOT_FOUND; WRONG_STATE, MISMATCH or AMOUNT if it cannot be that payout
 */
export async function returnPayout(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'returnPayout'>,
  {
    transferId,
    orderNo,
    reason,
    evidence,
    key,
  }: {
    readonly transferId: string;
    readonly orderNo: string;
    readonly reason: string;
    readonly evidence?: Evidence | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  return await post(context, warrant, key, { transferId, orderNo, reason }, async () => {
    const money = await waitingMoney(context, transferId, null);
    const { transfer, amount, enteredBy } = money;
    const { currencyCode } = transfer;
    const order = await findWithdrawal(context.database, { orderNo });
    if (!order) throw notFound('withdrawal');
    const { merchantId } = order;
    const { merchant } = await merchantIn(context, merchantId, order.currencyCode);
    if (order.status !== 'COMPLETED' || order.accountId === null)
      throw businessError('WRONG_STATE', 'no manual payout of this withdrawal was completed');
    if (order.currencyCode !== currencyCode)
      throw businessError('MISMATCH', 'the credit and the withdrawal have different currencies');
    if (amount.gt(order.amount)) throw businessError('AMOUNT', 'more came than had been paid out');
    const fee = merchant.returnsPayoutFee ? order.fee : ZERO;
    const about = { bankTransferId: transfer.id, merchantId, withdrawalId: order.id, fee };
    return {
      ...aboutCredit(money),
      kind: 'RETURN_PAYOUT',
      merchantId,
      reason,
      evidence,
      summary: `${orderNo} of ${merchant.merchantCode} came back with ${money.name}`,
      shown: {
        ...creditShown(money),
        orderNo,
        paidOut: formatMoney(order.amount),
        feeGivenBack: formatMoney(fee),
        beneficiaryName: openBeneficiaryName(context.sealer, order),
      },
      postings: [plainPosting('PAYOUT_RETURNED', currencyCode, amount, about)],
      findings: [
        ...(amount.equals(order.amount) ? [] : ['the amount is not what was paid out']),
        ...(transfer.accountId === order.accountId ? [] : ['another account had paid it']),
        ...(transfer.bankTime < (order.processedAt ?? transfer.bankTime)
          ? ['the bank booked it before the payout']
          : []),
        ...(enteredBy.length > 0 ? ['a person entered the credit'] : []),
      ],
    };
  });
}
