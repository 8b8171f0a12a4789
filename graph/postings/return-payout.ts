import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { openBeneficiaryName } from '../../crypto/personal';
import { businessError, notFound } from '../../domain/errors';
import { formatMoney, ZERO } from '../../domain/money';
import { findWithdrawal } from '../../db/withdrawals/withdrawals';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { PostingResult } from './operator-posting';
import { plainPosting, post } from '../../steps/postings/post';
import { TRANSFER_ID } from './waiting-money';
import { warrantOf } from '../authority/warrant';
import {
  aboutCredit,
  creditShown,
  merchantIn,
  waitingMoney,
} from '../../steps/postings/waiting-money';

@Resolver()
export class ReturnPayoutResolver {
  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Posts money that waits as a manual payout that its bank gave back: the merchant gets it, with the fee where the merchant's setting says so, and the order shows `returned`. One person where amount and account are those of the payout, up to the day's amount, else two with evidence.",
  })
  async returnPayout(
    @Arg('transferId', () => ID, { description: TRANSFER_ID }) transferId: string,
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await post(
      context,
      warrantOf(context, 'returnPayout'),
      key,
      { transferId, orderNo, reason },
      async () => {
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
          throw businessError(
            'MISMATCH',
            'the credit and the withdrawal have different currencies',
          );
        if (amount.gt(order.amount))
          throw businessError('AMOUNT', 'more came than had been paid out');
        const fee = merchant.returnsPayoutFee ? order.fee : ZERO;
        const about = { bankTransferId: transfer.id, merchantId, withdrawalId: order.id, fee };
        return {
          ...aboutCredit(money),
          ...{ kind: 'RETURN_PAYOUT', merchantId, reason, evidence },
          summary: `${orderNo} of ${merchant.merchantCode} came back with ${money.name}`,
          shown: {
            ...creditShown(money),
            ...{ orderNo, paidOut: formatMoney(order.amount), feeGivenBack: formatMoney(fee) },
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
      },
    );
  }
}
