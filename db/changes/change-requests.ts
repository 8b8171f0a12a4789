import { coolsAfter } from '../../domain/authority/table';
import {
  type AloneReason,
  CHANGE_KINDS,
  type ChangeCase,
  type ChangeStatus,
  type Plain,
  type SubjectKind,
} from '../../domain/change-request';
import type { AppliedChange } from '../../domain/cooling';
import { money } from '../../domain/money';
import type { Database, Transaction } from '../client';
import type { Raw, RowOf } from '../rows';
import type { changeRequests } from '../schema/change-requests';

type Stored = RowOf<typeof changeRequests>;

/** A row of change_requests as operators see it. Secrets are masked in `before` and `after`. */
export type RawChange = Raw<Omit<Stored, 'payload' | 'basis'>>;

/** The same, its amount with its currency. */
export type ChangeRow = Omit<RawChange, 'amount' | 'currencyCode'> & ChangeCase;

/** A row as operators see it. */
export const changeOf = <Row extends RawChange>({ amount, currencyCode, ...row }: Row) => ({
  ...row,
  money: amount === null || currencyCode === null ? null : { amount: money(amount), currencyCode },
});

/** What operators see of a change: everything except its payload. */
export const CHANGE_COLUMNS = [
  ...['id', 'kind', 'subject_kind', 'subject_id', 'subject_name', 'merchant_id', 'summary'],
  ...['before', 'after', 'touches', 'amount', 'currency_code', 'reason', 'evidence'],
  ...['evidence_links', 'status', 'alone', 'proposed_by', 'proposed_at', 'expires_at'],
  ...['decided_by', 'decided_at', 'decision_reason'],
];

/** A change to propose. */
export interface NewChange extends Omit<ChangeRow, 'status' | 'alone' | 'decidedBy' | 'decidedAt' | 'decisionReason'> {
  /** The payload that applies it; secrets are sealed. */
  readonly payload: Plain;
  /** The present state of the subject as one text; null if it cannot change meanwhile. */
  readonly basis: string | null;
}

/** Stores a proposal; it has no effect yet. */
export async function insertChange(tx: Transaction, change: NewChange): Promise<void> {
  const c = change;
  await tx`
    insert into change_requests
      (id, kind, subject_kind, subject_id, subject_name, merchant_id, summary, before, after, touches,
       amount, currency_code, payload, basis, reason, evidence, evidence_links, status, proposed_by,
       proposed_at, expires_at)
    values
      (${c.id}, ${c.kind}, ${c.subjectKind}, ${c.subjectId}, ${c.subjectName}, ${c.merchantId},
       ${c.summary}, ${tx.json(c.before)}, ${tx.json(c.after)}, ${c.touches as string[]},
       ${c.money?.amount.toFixed() ?? null}, ${c.money?.currencyCode ?? null},
       ${tx.json(c.payload)}, ${c.basis}, ${c.reason}, ${c.evidence},
       ${c.evidenceLinks as string[]}, 'PROPOSED', ${c.proposedBy}, ${c.proposedAt}, ${c.expiresAt})`;
}

/** A change and its payload; the payload is null once it is decided. */
export type LockedChange = ChangeRow & Pick<Stored, 'payload' | 'basis'>;

/** A change, its row locked, so that one operator decides at a time. */
export async function lockChange(tx: Transaction, id: string): Promise<LockedChange | undefined> {
  const [row] = await tx<(RawChange & Pick<Stored, 'payload' | 'basis'>)[]>`
    select ${tx([...CHANGE_COLUMNS, 'payload', 'basis'])} from change_requests where id = ${id} for update`;
  return row && changeOf(row);
}

/** A decision on a change. */
export interface Decision {
  readonly id: string;
  readonly status: Exclude<ChangeStatus, 'PROPOSED' | 'EXPIRED'>;
  readonly decidedBy: string;
  readonly reason: string | null;
  readonly alone: AloneReason | null;
  readonly now: Date;
}

/** Decides an open change that has not expired. @returns whether this call did it */
export async function decideChange(tx: Transaction, decision: Decision): Promise<boolean> {
  const { id, status, decidedBy, reason, alone, now } = decision;
  const rows = await tx`
    update change_requests
    set status = ${status}, decided_by = ${decidedBy}, decided_at = ${now}, decision_reason = ${reason},
      alone = ${alone}, payload = null
    where id = ${id} and status = 'PROPOSED' and expires_at > ${now}
    returning 1`;
  return rows.length === 1;
}

/** Expires changes not decided in time, and clears their payloads. @returns how many */
export async function expireChanges({ sql }: Database, now: Date): Promise<number> {
  const rows = await sql`
    update change_requests set status = 'EXPIRED', decided_at = expires_at, payload = null
    where status = 'PROPOSED' and expires_at <= ${now} returning 1`;
  return rows.length;
}

/** Several changes by their ids. */
export async function findChanges({ sql }: Database, ids: readonly string[]): Promise<ChangeRow[]> {
  const rows = await sql<RawChange[]>`
    select ${sql(CHANGE_COLUMNS)} from change_requests where id = any(${ids as string[]})`;
  return rows.map(changeOf);
}

/** The newest changes of several subjects of one kind, at most `most` each. */
export async function findChangesOfSubjects(
  { sql }: Database,
  kind: SubjectKind,
  ids: readonly string[],
  most: number,
): Promise<ChangeRow[]> {
  const rows = await sql<RawChange[]>`
    select c.* from unnest(${ids as string[]}::text[]) as s(id),
      lateral (
        select ${sql(CHANGE_COLUMNS)} from change_requests
        where subject_kind = ${kind} and subject_id = s.id
        order by proposed_at desc, id desc limit ${most}) as c`;
  return rows.map(changeOf);
}

/** The newest changes that concern these merchants, including their keys and balances; at most `most` each. */
export async function findChangesOfMerchants(
  { sql }: Database,
  merchantIds: readonly string[],
  most: number,
): Promise<ChangeRow[]> {
  const rows = await sql<RawChange[]>`
    select c.* from unnest(${merchantIds as string[]}::uuid[]) as m(id),
      lateral (
        select ${sql(CHANGE_COLUMNS)} from change_requests where merchant_id = m.id
        order by proposed_at desc, id desc limit ${most}) as c`;
  return rows.map(changeOf);
}

/** The kinds of changes that begin a cooling, for any merchant. */
const OPENING_KINDS = CHANGE_KINDS.filter((kind) => coolsAfter(kind) !== null);

/**
 * The changes applied to several merchants since then; those that concern all merchants are listed with each. Automatic
 * approval of withdrawals depends on them.
 */
export const findAppliedChanges = async (
  { sql }: Database,
  merchantIds: readonly string[],
  since: Date,
): Promise<(AppliedChange & { readonly merchantId: string })[]> =>
  await sql<(AppliedChange & { merchantId: string })[]>`
    select m.id as merchant_id, c.kind, c.touches, coalesce(c.alone = 'CLOSING', false) as closing, c.proposed_by,
      c.decided_by as approved_by, coalesce(l.taken_at, c.decided_at) as applied_at
    from unnest(${merchantIds as string[]}::uuid[]) as m(id),
      lateral (
        select id, kind, touches, alone, status, proposed_by, decided_by, decided_at
        from change_requests where merchant_id = m.id
        union all
        select id, kind, touches, alone, status, proposed_by, decided_by, decided_at
        from change_requests where merchant_id is null and kind = any(${OPENING_KINDS as string[]})
      ) c
    left join secret_links l on l.change_id = c.id
    where c.status = 'APPLIED' and coalesce(l.taken_at, c.decided_at) > ${since}`;

/** How often an operator, acting alone, has removed permissions from another operator or disabled one since then. */
export const countShutOut = async ({ sql }: Database, since: Date): Promise<number> =>
  (
    await sql<{ count: number }[]>`
    select count(*)::int as count from change_requests
    where kind in ('SET_OPERATOR_DISABLED', 'SET_OPERATOR_ACCESS') and alone = 'CLOSING'
      and proposed_at > ${since}`
  )[0]?.count ?? 0;
