import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { businessError, notFound } from '../../domain/errors';
import { formatMoney } from '../../domain/money';
import { findOperatorPostings, findPostingsOfChanges } from '../../db/ledger/operator-postings';
import { EvidenceInput } from '../changes/change-request';
import { findDecided, propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY, idempotent } from '../../steps/idempotent';
import { PostingResult } from './operator-posting';
import { requireEvidence } from '../../steps/postings/post';
import type { ReversalPayload } from '../../steps/postings/posting-effects';
import { requireReach } from '../../steps/access/caller';

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
    const { database, actor } = context;
    const answered = async (changeId: string): Promise<PostingResult> => ({
      change: await findDecided(context, changeId),
      postings: await findPostingsOfChanges(database, [changeId]),
    });
    return await idempotent(
      context,
      { mutation: 'reversePosting', key, args: { id, reason } },
      async (recordKey) => {
        const [posting] = await findOperatorPostings(database, [id]);
        if (!posting) throw notFound('posting');
        const { merchantId, amount, currencyCode, kind, reversedAt } = posting;
        if (merchantId !== null) requireReach(actor, merchantId, 'posting');
        if (reversedAt !== null)
          throw businessError('WRONG_STATE', 'the posting was taken back before');
        requireEvidence(evidence);
        const payload: ReversalPayload = { postingId: id };
        const name = `${formatMoney(amount)} ${currencyCode}`;
        const change = await propose(
          context,
          {
            kind: 'REVERSE_POSTING',
            subject: { kind: 'posting', id, name },
            merchantId,
            summary: `Take back ${kind} of ${name}`,
            before: { reversed: false },
            after: { reversed: true, kind, postedFor: posting.reason },
            money: { amount: amount.negated(), currencyCode },
            ...{ payload, reason, evidence },
          },
          recordKey,
        );
        return await answered(change.id);
      },
      answered,
    );
  }
}
