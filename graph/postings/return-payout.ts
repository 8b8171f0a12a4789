import { returnPayout } from '../../steps/postings/return-payout';
import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { PostingResult } from './operator-posting';
import { TRANSFER_ID } from './waiting-money';
import { warrantOf } from '../authority/warrant';

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
    return await returnPayout(context, warrantOf(context, 'returnPayout'), {
      transferId,
      orderNo,
      reason,
      evidence,
      key,
    });
  }
}
