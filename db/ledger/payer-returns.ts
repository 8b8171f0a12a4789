import type { Warrant } from '../../domain/authority/warrant';
import type { Posting } from '../../domain/ledger';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, columnsOf, type Raw, type RowOf, rowReader } from '../rows';
import { payerReturns } from '../schema/operator-postings';
import type { UseRefusal } from './operator-postings';
import { accountsOf, amountsOf } from './postings';

/** A return of money to its payer. */
export type PayerReturnRow = RowOf<typeof payerReturns>;

/** In our own types. */
export const payerReturnOf = rowReader<PayerReturnRow>(amountFieldsOf(payerReturns));

type Sql = Transaction | Database['sql'];

/** Opens the task. @param freeze the lines that freeze a refund @returns null, or why it was not opened */
export async function openPayerReturn(
  tx: Transaction,
  row: PayerReturnRow,
  freeze: readonly Posting[],
): Promise<UseRefusal | null> {
  const [answer] = await tx<{ refusal: UseRefusal | null }[]>`
    select open_payer_return(${tx.json(columnsOf(row))}::jsonb, ${accountsOf(freeze)}::text[],
      ${amountsOf(freeze)}::numeric[]) as refusal`;
  if (!answer) throw new Error('open_payer_return said nothing');
  return answer.refusal;
}

/** Several returns by their ids. */
export async function findPayerReturns(
  { sql }: { readonly sql: Sql },
  ids: readonly string[],
): Promise<PayerReturnRow[]> {
  const rows = await sql<Raw<PayerReturnRow>[]>`
    select * from payer_returns where id = any(${ids as string[]})`;
  return rows.map(payerReturnOf);
}

/** One return, its row locked. */
export async function lockPayerReturn(tx: Transaction, id: string): Promise<PayerReturnRow | undefined> {
  const [row] = await tx<Raw<PayerReturnRow>[]>`
    select * from payer_returns where id = ${id} for no key update`;
  return row && payerReturnOf(row);
}

/** The returns of these credits, deposits or changes, the oldest first. */
export async function findReturnsOf(
  { sql }: Database,
  by: 'bank_transfer_id' | 'deposit_id' | 'change_id',
  ids: readonly string[],
): Promise<PayerReturnRow[]> {
  const rows = await sql<Raw<PayerReturnRow>[]>`
    select * from payer_returns where ${sql(by)} = any(${ids as string[]}) order by created_at, id`;
  return rows.map(payerReturnOf);
}

/** Why a return cannot be sent now. */
export type SendRefusal = 'NOT_OPEN' | 'RECOVERY' | 'WRONG_ACCOUNT';

/** OPEN → SENDING. @returns null, or why not */
export async function beginPayerReturn(
  tx: Transaction,
  step: {
    readonly id: string;
    readonly accountId: string;
    readonly operatorId: string;
    readonly now: Date;
  },
): Promise<SendRefusal | null> {
  const [row] = await tx<{ refusal: SendRefusal | null }[]>`
    select begin_payer_return(${step.id}, ${step.accountId}, ${step.operatorId}, ${step.now}) as refusal`;
  return row?.refusal ?? null;
}

/** SENDING → COMPLETED. @returns null, or why not */
export async function completePayerReturn(
  tx: Transaction,
  _warrant: Warrant<'completeReturn'>,
  end: {
    readonly id: string;
    readonly bankReference: string;
    readonly debitId: string | null;
    readonly postings: readonly Posting[];
    readonly actor: string;
    readonly now: Date;
  },
): Promise<UseRefusal | 'NOT_SENDING' | null> {
  const [row] = await tx<{ refusal: UseRefusal | 'NOT_SENDING' | null }[]>`
    select complete_payer_return(${end.id}, ${end.bankReference}, ${end.debitId}, ${accountsOf(end.postings)},
      ${amountsOf(end.postings)}::numeric[], ${end.actor}, ${end.now}) as refusal`;
  return row?.refusal ?? null;
}

/** SENDING → OPEN, by an operator other than the sender. @returns whether it is open again */
export async function releasePayerReturn(tx: Transaction, id: string, operatorId: string): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select release_payer_return(${id}, ${operatorId}) as done`;
  return row?.done ?? false;
}

/** OPEN → CANCELLED. @param release the lines that release a refund @returns whether this call did it */
export async function cancelPayerReturn(
  tx: Transaction,
  end: {
    readonly id: string;
    readonly release: readonly Posting[];
    readonly actor: string;
    readonly reason: string;
    readonly now: Date;
  },
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select cancel_payer_return(${end.id}, ${accountsOf(end.release)}::text[], ${amountsOf(end.release)}::numeric[],
      ${end.actor}, ${end.reason}, ${end.now}) as done`;
  return row?.done ?? false;
}
