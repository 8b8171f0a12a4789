import { uuidv7 } from 'uuidv7';
import type { ChangeKind, Settings, SubjectKind } from '../../domain/change-request';
import { CatalogueError, invalidField } from '../../domain/errors';
import { formatMoney, type Money, ZERO } from '../../domain/money';
import type { PostingKind } from '../../domain/operator-posting';
import { countDayAmounts } from '../../db/authority/day-amounts';
import { type ChangeRow, findChanges } from '../../db/changes/change-requests';
import {
  findOperatorPostings,
  findPostingsOfChanges,
  type OperatorPostingRow,
  refusePaid,
} from '../../db/ledger/operator-postings';
import { countersOfStep } from '../authority/day-amounts';
import type { Warrant } from '../../domain/authority/warrant';
import type { MoneyStepName } from '../../domain/authority/table';
import { stepOfKind } from '../../domain/authority/table';
import { type ProposalNeeds, type Evidence, propose } from '../changes/propose';
import type { Needs } from '../context';
import { idempotent, type RecordKey } from '../idempotent';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { type PlainPosting, postAll, type PostingsPayload } from './posting-effects';
import { actorName, operatorOf } from '../access/caller';
import { takesTwo } from '../authority/row';

/**
 * @throws INVALID_FIELD without evidence
 */
export function requireEvidence(evidence: Evidence | null | undefined): void {
  if (!evidence?.text?.trim() && !evidence?.links?.length)
    throw invalidField('evidence', 'is required: state how you know', 'REQUIRED');
}

/** The row of a new posting: fields that are not given are null. */
export const plainPosting = (
  kind: PostingKind,
  currencyCode: string,
  amount: Money,
  about: Partial<Omit<PlainPosting, 'kind' | 'currencyCode' | 'amount' | 'fee'>> & {
    readonly fee?: Money;
  },
): PlainPosting => ({
  id: uuidv7(),
  kind,
  currencyCode,
  amount: amount.toFixed(),
  bankTransferId: null,
  bankDebitId: null,
  depositAttemptId: null,
  accountId: null,
  channelId: null,
  merchantId: null,
  depositId: null,
  withdrawalId: null,
  pairId: null,
  ...about,
  fee: (about.fee ?? ZERO).toFixed(),
});

/** A posting to propose. */
export interface PostingRequest {
  readonly kind: ChangeKind;
  readonly subject: { readonly kind: SubjectKind; readonly id: string; readonly name: string };
  readonly merchantId: string | null;
  /** One sentence for the approver. */
  readonly summary: string;
  /** What the approver is shown besides. */
  readonly shown: Settings;
  readonly currencyCode: string;
  readonly amount: Money;
  readonly postings: readonly PlainPosting[];
  /** Operators who reported the bank's row. */
  readonly enteredBy: readonly string[];
  readonly reason: string;
  readonly evidence?: Evidence | null | undefined;
  /**
   * The findings that keep one person from posting it alone, as text; none: one person may, up to the day's amount.
   * Null: it always takes two.
   */
  readonly findings: readonly string[] | null;
}

/** What was asked to be posted. */
export interface Posted {
  /** The change request, PROPOSED until another person decides; null where a rule let one person post it. */
  readonly change: ChangeRow | null;
  /** What was posted; nothing while it waits. */
  readonly postings: readonly OperatorPostingRow[];
}

/** One person's posting would exceed the day's amount: it takes two people. */
class OverCeiling extends Error {}

async function postAlone(
  context: ActionNeeds,
  warrant: Warrant<MoneyStepName>,
  request: PostingRequest,
  recordKey: RecordKey,
): Promise<Posted> {
  const { actor, now, database } = context;
  const { kind, subject, merchantId, currencyCode, amount, postings, reason } = request;
  const { merchantIds, id: operatorId } = operatorOf(actor);
  if (merchantIds !== null && (merchantId === null || !merchantIds.includes(merchantId)))
    throw new CatalogueError('AUTHORIZATION_ERROR', 'this concerns merchants outside your restriction');
  const step = stepOfKind(kind);
  if (step !== warrant.step) throw new Error(`a warrant for ${warrant.step} is none for ${step}`);
  const counters = countersOfStep(context, step, currencyCode, { MATCHER: operatorId });
  const action = {
    action: step,
    subject: `${subject.kind}:${subject.id}`,
    reason,
    detail: { ...request.shown, amount: formatMoney(amount), currencyCode },
  };
  await operatorAction(context, action, async (tx) => {
    await recordKey(tx, postings[0]?.id ?? '');
    const counted = { counters, currencyCode, amount: amount.abs(), now };
    const past = await countDayAmounts(tx, counted);
    if (past.length > 0 && takesTwo(context)) throw new OverCeiling();
    await postAll(tx, postings, { changeId: null, postedBy: actorName(actor), reason, now });
  });
  const ids = postings.map(({ id }) => id);
  return { change: null, postings: await findOperatorPostings(database, ids) };
}

async function proposePosting(
  context: ProposalNeeds,
  request: PostingRequest,
  findings: readonly string[],
  recordKey: RecordKey,
): Promise<Posted> {
  const { kind, subject, merchantId, summary, currencyCode, amount, reason } = request;
  requireEvidence(request.evidence);
  const payload: PostingsPayload = { postings: request.postings, enteredBy: request.enteredBy };
  const change = await propose(
    context,
    {
      kind,
      subject,
      merchantId,
      summary,
      reason,
      payload,
      before: {},
      after: {
        ...request.shown,
        amount: formatMoney(amount),
        ...(findings.length > 0 && { findings }),
      },
      money: { amount, currencyCode },
      evidence: request.evidence,
    },
    recordKey,
  );
  return await answered(context, change.id);
}

/** Money that goes to a merchant: no payment does so twice. */
const CREDITS: readonly PostingKind[] = ['LATE_CREDIT', 'TOP_UP_RECEIVED', 'PAYOUT_RETURNED'];

/** @throws BUSINESS_ERROR for a payment that was credited before, as the posting itself does */
async function requireUnpaid({ database }: Needs<'database'>, { postings }: PostingRequest): Promise<void> {
  for (const { kind, bankTransferId, depositAttemptId, depositId } of postings) {
    if (!CREDITS.includes(kind)) continue;
    const depositIds = depositId === null ? [] : [depositId];
    if (bankTransferId !== null)
      await refusePaid(database, { bankTransferId, depositIds, late: kind === 'LATE_CREDIT' });
    else if (depositAttemptId !== null) await refusePaid(database, { depositAttemptId });
  }
}

/** The result of a change that posts. */
async function answered(context: Needs<'database'>, changeId: string): Promise<Posted> {
  const { database } = context;
  const [change] = await findChanges(database, [changeId]);
  return { change: change ?? null, postings: await findPostingsOfChanges(database, [changeId]) };
}

/** The answer to a request that was sent again. */
async function repeated(context: Needs<'database'>, reference: string): Promise<Posted> {
  const found = await answered(context, reference);
  if (found.change) return found;
  const postings: readonly OperatorPostingRow[] = await findOperatorPostings(context.database, [reference]);
  return { change: null, postings };
}

/**
 * Posts, or proposes: one person posts what a rule allows, up to the day's amount; else it takes two.
 * @param warrant for the mutation, whose kind of change the request has
 * @param ask makes the request, or refuses it
 */
export const post = async (
  context: ProposalNeeds,
  warrant: Warrant<MoneyStepName>,
  key: string | null | undefined,
  args: Readonly<Record<string, unknown>>,
  ask: () => Promise<PostingRequest>,
): Promise<Posted> =>
  await idempotent(
    context,
    { mutation: warrant.step, key, args },
    async (recordKey) => {
      const request = await ask();
      await requireUnpaid(context, request);
      const findings = takesTwo(context) ? (request.findings ?? []) : [];
      if (request.findings === null || findings.length > 0)
        return await proposePosting(context, request, findings, recordKey);
      try {
        return await postAlone(context, warrant, request, recordKey);
      } catch (error) {
        if (!(error instanceof OverCeiling)) throw error;
        const over = ["it is beyond the day's amount that one person may post alone"];
        return await proposePosting(context, request, over, recordKey);
      }
    },
    async (reference) => await repeated(context, reference),
  );
