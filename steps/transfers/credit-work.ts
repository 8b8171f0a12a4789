import { invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { type BankTransferView, findBankTransfer } from '../../db/transfers/bank-transfers';
import { putCreditWork } from '../../db/transfers/credit-work';

import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { operatorOf } from '../access/caller';

/** Notes on a waiting credit what an operator did about it. */
export async function noteTransfer(
  context: ActionNeeds,
  {
    transferId,
    mine,
    note,
  }: {
    readonly transferId: string;
    readonly mine?: boolean | null | undefined;
    readonly note?: string | null | undefined;
  },
): Promise<BankTransferView> {
  const { actor, database, now } = context;
  if (note && Array.from(note).length > LIMITS.approvalRemarks)
    throw invalidField('note', `must be at most ${LIMITS.approvalRemarks} characters`, 'OUT_OF_RANGE');
  const transfer = await findBankTransfer(database, transferId);
  if (!transfer) throw notFound('bank transfer');
  const reason = note?.trim() || (mine === false ? 'gives it back' : 'works on it');
  const action = { action: 'noteTransfer', subject: `bank_transfer:${transferId}`, reason };
  await operatorAction(context, action, async (tx) => {
    await putCreditWork(tx, {
      transferId,
      now,
      ownerId: mine == null ? undefined : mine ? operatorOf(actor).id : null,
      note: note == null ? undefined : note.trim() || null,
    });
  });
  return transfer;
}
