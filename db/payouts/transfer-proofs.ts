import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { transferProofs } from '../schema/payouts';

/** A proof of a manual payout, without the file itself. */
export interface TransferProofRow extends Omit<RowOf<typeof transferProofs>, 'file'> {
  readonly size: number;
}

/** Why a proof was not attached. */
export type AttachRefusal = 'NOT_YOURS' | 'TOO_MANY';

/**
 * Attaches a file to a manual payout that the operator sends or has sent; the same file once. @returns why not, or null
 */
export async function attachTransferProof(
  tx: Transaction,
  proof: Omit<TransferProofRow, 'size'> & { readonly file: Buffer; readonly most: number },
): Promise<AttachRefusal | null> {
  const p = proof;
  const [row] = await tx<{ refusal: AttachRefusal | null }[]>`
    select attach_transfer_proof(${p.id}, ${p.attemptId}, ${p.attachedBy}, ${p.type}, ${p.sha256},
      ${p.file}::bytea, ${p.most}::int, ${p.at}) as refusal`;
  return row?.refusal ?? null;
}

/** The proofs of these attempts, oldest first. */
export const findProofsOf = async ({ sql }: Database, attemptIds: readonly string[]): Promise<TransferProofRow[]> =>
  await sql<TransferProofRow[]>`
    select id, attempt_id, type, octet_length(file) as size, sha256, attached_by, at from transfer_proofs
    where attempt_id = any(${attemptIds as string[]}) order by at, id`;

/** A file as received, and the withdrawal that it proves. */
export async function findProofFile(
  { read: sql }: Database,
  id: string,
): Promise<{ readonly merchantId: string; readonly file: Buffer } | undefined> {
  const [row] = await sql<{ merchantId: string; file: Buffer }[]>`
    select w.merchant_id, p.file
    from transfer_proofs p join payout_attempts a on a.id = p.attempt_id
    join withdrawal_orders w on w.id = a.withdrawal_id where p.id = ${id}`;
  return row;
}
