import { businessError, notFound } from '../../domain/errors';
import { money, type Money, ZERO } from '../../domain/money';
import { operatorLines, type PostingKind, reversalLines } from '../../domain/operator-posting';
import type { Transaction } from '../../db/client';
import { lockAvailable } from '../../db/deposits/recalls';
import * as db from '../../db/ledger/operator-postings';
import { effect } from '../changes/change-effect';

/** A posting as a proposal stores it; amounts are texts. */
export type PlainPosting = Readonly<{
  id: string;
  kind: PostingKind;
  currencyCode: string;
  amount: string;
  fee: string;
  bankTransferId: string | null;
  bankDebitId: string | null;
  depositAttemptId: string | null;
  accountId: string | null;
  channelId: string | null;
  merchantId: string | null;
  depositId: string | null;
  withdrawalId: string | null;
  /** Absent in older proposals. */
  resellerId?: string | null;
  pairId: string | null;
}>;

/** The posting, and who entered its bank row. */
export type PostingsPayload = Readonly<{
  postings: readonly PlainPosting[];
  /** Operators who reported the bank's credit or debit: they may not decide. */
  enteredBy: readonly string[];
}>;

/** Who decided a posting, and when. */
export interface PostedBy {
  readonly changeId: string | null;
  readonly postedBy: string;
  readonly reason: string;
  readonly now: Date;
}

const WHY: Readonly<Record<db.UseRefusal, string>> = {
  NO_TRANSFER: 'there is no such bank transfer',
  NO_DEBIT: 'there is no such bank debit',
  NO_DEPOSIT: 'there is no such deposit of this merchant',
  NO_RECEIPT: 'no channel received it too late',
  NO_PAIR: 'there is no such money of ours that left',
  OTHER_CURRENCY: "the money is in another currency than the bank's row",
  OTHER_ACCOUNT: 'it is of another account or channel',
  USED: 'less is left of it: some was posted, matched, refunded or sent back before',
};

/** The refusal to use money that is no longer there. */
export const useRefused = (refusal: db.UseRefusal): Error =>
  refusal.startsWith('NO_')
    ? notFound(WHY[refusal])
    : businessError(refusal === 'USED' ? 'WRONG_STATE' : 'MISMATCH', WHY[refusal]);

/** Writes an approved posting. @throws BUSINESS_ERROR if too little money is left */
export async function postAll(
  tx: Transaction,
  postings: readonly PlainPosting[],
  { changeId, postedBy, reason, now }: PostedBy,
): Promise<void> {
  for (const { amount, fee, resellerId = null, ...posting } of postings) {
    const row = { ...posting, resellerId, amount: money(amount), fee: money(fee) };
    const made = { ...row, changeId, ruleId: null, postedBy, reason, at: now };
    const refusal = await db.postByOperators(tx, made, operatorLines(row));
    if (refusal) throw useRefused(refusal);
  }
}

/** Writes an approved posting. The operator who entered the bank's row may neither propose nor approve it. */
export const postByTwo = effect<PostingsPayload>({
  // eslint-disable-next-line @typescript-eslint/require-await
  apart: async (_tx, { enteredBy }, decider) =>
    enteredBy.includes(decider.id) ? 'you entered what the bank shows: another person decides' : null,
  apply: async (tx, { postings }, { id, reason, now, decidedBy }) => {
    await postAll(tx, postings, {
      changeId: id,
      postedBy: `operator:${decidedBy}`,
      reason,
      now,
    });
  },
});

/** A reversal as a proposal stores it. */
export type ReversalPayload = Readonly<{ postingId: string }>;

/** Reverses a posting: its money waits again. A merchant owes what it no longer has. */
export const reversePosting = effect<ReversalPayload>({
  basis: async (tx, { postingId }) => {
    const posting = await db.lockOperatorPosting(tx, postingId);
    return posting ? { reversed: posting.reversedAt !== null } : null;
  },
  apply: async (tx, { postingId }, { id, reason, now }) => {
    const posting = await db.lockOperatorPosting(tx, postingId);
    if (!posting) throw notFound('posting');
    const { merchantId, currencyCode } = posting;
    const available: Money = merchantId === null ? ZERO : await lockAvailable(tx, merchantId, currencyCode);
    const { postings, owed } = reversalLines(posting, available);
    const reversal = { id: postingId, changeId: id, owed, postings, reason, now };
    if (!(await db.reversePosting(tx, reversal)))
      throw businessError('WRONG_STATE', 'the posting was taken back before, or its other leg holds');
  },
});
