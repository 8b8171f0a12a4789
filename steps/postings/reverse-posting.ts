import { businessError, notFound } from '../../domain/errors';
import { formatMoney } from '../../domain/money';
import { findOperatorPostings, findPostingsOfChanges } from '../../db/ledger/operator-postings';
import { type ProposalNeeds, type Evidence, findDecided, propose } from '../changes/propose';

import { idempotent } from '../idempotent';
import { type Posted, requireEvidence } from './post';
import type { ReversalPayload } from './posting-effects';
import { requireReach } from '../access/caller';

/** Proposes to take a posting back: its money waits again. */
export async function reversePosting(
  context: ProposalNeeds,
  {
    id,
    reason,
    evidence,
    key,
  }: {
    readonly id: string;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const { database, actor } = context;
  const answered = async (changeId: string): Promise<Posted> => ({
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
      if (reversedAt !== null) throw businessError('WRONG_STATE', 'the posting was taken back before');
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
          payload,
          reason,
          evidence,
        },
        recordKey,
      );
      return await answered(change.id);
    },
    answered,
  );
}
