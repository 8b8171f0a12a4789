import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { PostingResult } from './operator-posting';
import { reversePosting } from '../../steps/postings/reverse-posting';

@Resolver()
export class ReversePostingResolver {
  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes to take a posting back: its money waits again. What its merchant does not have any more, it owes. Needs evidence; a second person approves.',
  })
  async reversePosting(
    @Arg('id', () => ID, { description: 'The id of the posting, a UUID.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await reversePosting(context, { id, reason, evidence, key });
  }
}
