import type { Warrant } from '../../domain/authority/warrant';
import type { Posting } from '../../domain/ledger';
import type { Transaction } from '../client';
import { accountsOf, amountsOf } from '../ledger/postings';

/** Why a task was not claimed. */
export type ClaimRefusal = 'NOT_OPEN' | 'WRONG_ACCOUNT';

/** Who changes a task, and when. */
export interface TaskStep {
  readonly attemptId: string;
  readonly operatorId: string;
  readonly now: Date;
}

/** OPEN → CLAIMED: the operator will pay from the account. @returns why not, or null */
export async function claimTransferTask(
  tx: Transaction,
  { attemptId, operatorId, now, accountId }: TaskStep & { readonly accountId: string },
): Promise<ClaimRefusal | null> {
  const [row] = await tx<{ refusal: ClaimRefusal | null }[]>`
    select claim_transfer_task(${attemptId}, ${operatorId}, ${accountId}, ${now}) as refusal`;
  return row?.refusal ?? null;
}

/** CLAIMED → SENDING, by the operator who claimed it. @returns whether this call did it */
export async function beginTransfer(tx: Transaction, { attemptId, operatorId, now }: TaskStep): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select begin_transfer(${attemptId}, ${operatorId}, ${now}) as done`;
  return row?.done ?? false;
}

/**
 * SENDING → COMPLETED, by the operator who claimed it: the withdrawal is paid. @returns whether this call did it
 * A reference that the account has used before violates payout_attempts_bank_reference.
 */
export async function completeTransfer(
  tx: Transaction,
  _warrant: Warrant<'completeTransfer'>,
  step: TaskStep & {
    readonly bankReference: string;
    /** Where the proof is kept. */
    readonly proof: string | null;
    readonly paid: readonly Posting[];
    readonly callbackBody: string;
  },
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select complete_transfer(${step.attemptId}, ${step.operatorId}, ${step.bankReference}, ${step.proof},
      ${accountsOf(step.paid)}, ${amountsOf(step.paid)}::numeric[], ${step.callbackBody}, ${step.now}) as done`;
  return row?.done ?? false;
}

/** CLAIMED → OPEN, or SENDING → OPEN by an operator other than the sender. @returns whether this call did it */
export async function releaseTransferTask(
  tx: Transaction,
  { attemptId, operatorId, now, reason }: TaskStep & { readonly reason: string },
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select release_transfer_task(${attemptId}, ${operatorId}, ${reason}, ${now}) as done`;
  return row?.done ?? false;
}

/** OPEN or CLAIMED → CANCELLED, and the withdrawal with it. @returns whether this call did it */
export async function cancelTransfer(
  tx: Transaction,
  step: TaskStep & { readonly reason: string; readonly release: readonly Posting[] },
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select cancel_transfer(${step.attemptId}, ${step.operatorId}, ${step.reason}, ${accountsOf(step.release)},
      ${amountsOf(step.release)}::numeric[], ${step.now}) as done`;
  return row?.done ?? false;
}
