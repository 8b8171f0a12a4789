import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Money } from '../../domain/money';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { DEBIT_ID, PART } from '../../steps/postings/left-money';
import { PostingResult } from '../postings/operator-posting';
import { DecimalScalar } from '../scalars';
import { warrantOf } from '../authority/warrant';
import { payCommission } from '../../steps/fees/pay-commission';

@Resolver()
export class PayCommissionResolver {
  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes that a bank debit paid a reseller what its commissions came to; never more than it is owed. Needs evidence; a second person approves.',
  })
  async payCommission(
    @Arg('debitId', () => ID, { description: DEBIT_ID }) debitId: string,
    @Arg('resellerId', () => ID, { description: 'Who was paid.' }) resellerId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await payCommission(context, warrantOf(context, 'payCommission'), {
      debitId,
      resellerId,
      reason,
      evidence,
      part,
      key,
    });
  }
}
