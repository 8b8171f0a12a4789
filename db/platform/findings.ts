import type { Database, Transaction } from '../client';
import type { FindingKind } from '../../domain/recovery';
import type { RowOf } from '../rows';
import type { recoveryFindings } from '../schema/platform';
import type { RecoveryRow } from './recoveries';

/** A finding of a recovery. */
export type FindingRow = RowOf<typeof recoveryFindings>;

type About = 'withdrawalId' | 'channelId' | 'merchantId' | 'enteredBy';
type Later = 'foundAt' | 'explainedBy';

/** A finding to store. */
export type NewFinding = Omit<FindingRow, About | Later> & Partial<Pick<FindingRow, About>>;

type Sql = { readonly sql: Database['sql'] | Transaction };

/** Stores a finding, and replaces an earlier one about the same subject. @param onlyChange true: only replaces */
export async function noteFinding({ sql }: Sql, f: NewFinding, now: Date, onlyChange = false): Promise<void> {
  await sql`
    select note_finding(${f.id}, ${f.recoveryId}, ${f.kind}, ${f.subject}, ${f.withdrawalId ?? null},
      ${f.channelId ?? null}, ${f.merchantId ?? null}, ${f.detail}, ${f.enteredBy ?? null}, ${now})
    where ${!onlyChange} or exists (
      select from recovery_findings where recovery_id = ${f.recoveryId} and subject = ${f.subject})`;
}

/** Deletes the finding about a subject. */
export async function forgetFinding({ sql }: Sql, recoveryId: string, subject: string): Promise<void> {
  await sql`delete from recovery_findings where recovery_id = ${recoveryId} and subject = ${subject}`;
}

/** The recovery that has not ended, or the last one. */
export async function findRecovery({ sql }: Sql): Promise<RecoveryRow | undefined> {
  const [row] = await sql<RecoveryRow[]>`
    select id, epoch, database_marker::float8, outside_marker::float8, lost_since, begun_at, asked_at, ended_at, ended_by
    from recoveries order by epoch desc limit 1`;
  return row;
}

/** How many findings of each kind a recovery has. */
export async function countFindings({ sql }: Sql, recoveryId: string): Promise<ReadonlyMap<FindingKind, number>> {
  const rows = await sql<{ kind: FindingKind; count: number }[]>`
    select kind, count(*)::int as count from recovery_findings where recovery_id = ${recoveryId} group by kind`;
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

/** How many withdrawals a channel has not answered for, and people have not explained. */
export async function countUnanswered({ sql }: Sql, recoveryId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from recovery_findings
    where recovery_id = ${recoveryId} and kind = 'UNANSWERED' and explained_by is null`;
  return row?.count ?? 0;
}

/** Stores the returns to payers that people may have sent in the lost time. */
export async function noteOpenReturns({ sql }: Sql, recoveryId: string, now: Date): Promise<void> {
  await sql`select note_open_returns(${recoveryId}, ${now})`;
}

/** Findings of a recovery by their ids, locked until the end of the transaction: a channel's newer answer waits. */
export const findFindings = async ({ sql }: Sql, recoveryId: string, ids: readonly string[]): Promise<FindingRow[]> =>
  await sql<FindingRow[]>`
    select * from recovery_findings
    where recovery_id = ${recoveryId} and id = any(${ids as string[]}) order by subject for update`;

/** Stores that two people explained findings. @returns how many it changed */
export async function explainFindings(tx: Transaction, ids: readonly string[], changeId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select explain_findings(${ids as string[]}, ${changeId}) as count`;
  return row?.count ?? 0;
}

/** A payout that people found at a channel. */
export interface FoundPayout {
  readonly attemptId: string;
  readonly findingId: string;
  readonly channelId: string;
  readonly reference: string;
}

/** Explains what only people can have paid in the lost time, by the change that ends the recovery: nobody did. */
export async function explainUnpaid(tx: Transaction, recoveryId: string, changeId: string): Promise<void> {
  await tx`
    update recovery_findings set explained_by = ${changeId}
    where recovery_id = ${recoveryId} and kind in ('NOT_PAID', 'OPEN_RETURN') and explained_by is null`;
}

/** Adopts a payout that people found at a channel. @returns whether it was adopted */
export async function adoptFoundPayout(
  tx: Transaction,
  { attemptId, findingId, channelId, reference }: FoundPayout,
  now: Date,
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select adopt_found_payout(${attemptId}, ${findingId}, ${channelId}, ${reference}, ${now}) as done`;
  return row?.done ?? false;
}

/** Grants the caller a lease to query the channels for a recovery. @returns whether it has it */
export async function leadRecovery({ sql }: Sql, recoveryId: string, until: Date, now: Date): Promise<boolean> {
  const [row] = await sql<{ leads: boolean }[]>`
    select lead_recovery(${recoveryId}, ${until}, ${now}) as leads`;
  return row?.leads ?? false;
}

/** Releases the lease. @param askedAt when a complete round of queries began; null: this round was incomplete */
export async function leaveRecovery({ sql }: Sql, recoveryId: string, askedAt: Date | null): Promise<void> {
  await sql`
    update recoveries set asking_until = null, asked_at = coalesce(${askedAt}, asked_at) where id = ${recoveryId}`;
}

/** Which of a channel's references no attempt here has. */
export async function findUnknownReferences(
  { sql }: Sql,
  channelId: string,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ reference: string }[]>`
    select listed.reference from unnest(${references as string[]}::text[]) as listed(reference)
    where not exists (
      select from payout_attempts a where a.reference = listed.reference and a.channel_id = ${channelId})`;
  return new Set(rows.map(({ reference }) => reference));
}

/** The finding about a subject. */
export async function findFinding(
  tx: Transaction,
  recoveryId: string,
  subject: string,
): Promise<FindingRow | undefined> {
  const [row] = await tx<FindingRow[]>`
    select * from recovery_findings where recovery_id = ${recoveryId} and subject = ${subject}`;
  return row;
}

/** Whether an order or a session has this number of a merchant. */
export async function isNumberKnown(tx: Transaction, merchantId: string, merchantOrderNo: string): Promise<boolean> {
  const rows = await tx`
    select from merchant_order_numbers
    where merchant_id = ${merchantId} and merchant_order_no = ${merchantOrderNo}`;
  return rows.length > 0;
}
