import { uuidv7 } from 'uuidv7';
import { canonical } from '../../domain/change-request';
import type { Transaction } from '../client';
import type { RowOf } from '../rows';
import type { auditLog } from '../schema/audit';

/** An action, as the audit log records it. */
export type AuditEntry = Omit<AuditRow, 'seq' | 'hash'>;

/** What the platform itself did, or people outside of it: has no operator and no address. */
export const entryOfNobody = (
  done: Pick<AuditEntry, 'at' | 'action' | 'subject' | 'reason' | 'after' | 'traceId'>,
): AuditEntry => ({
  id: uuidv7(),
  operatorId: null,
  login: null,
  via: null,
  credential: null,
  address: null,
  userAgent: null,
  before: null,
  outcome: 'OK',
  ...done,
});

/** An entry with its number in the chain. */
export type AuditRow = RowOf<typeof auditLog>;

/** Makes a row's hash. */
export type AuditDigest = (entry: AuditEntry, seq: bigint, previous: string) => string;

/** What the hash of a row is made of. */
export const auditText = (entry: AuditEntry, seq: bigint, previous: string): string =>
  `audit\n${canonical([
    ...[previous, seq.toString(), entry.id, entry.at.toISOString(), entry.operatorId, entry.login],
    ...[entry.via, entry.credential, entry.address, entry.userAgent, entry.action],
    ...[entry.subject, entry.reason, entry.before, entry.after, entry.outcome, entry.traceId],
  ])}`;

/** The chain's hash: keyed, so that write access to the database is not enough to repair the chain. */
export const auditDigest =
  (sign: (text: string) => string): AuditDigest =>
  (entry, seq, previous) =>
    sign(auditText(entry, seq, previous));

/** The last row's number and hash; 0 and an empty text before any. */
export interface AuditHead {
  readonly seq: bigint;
  readonly hash: string;
}

const headOf = ({ seq, hash }: { seq: string; hash: string }): AuditHead => ({
  seq: BigInt(seq),
  hash,
});

/**
 * Appends an entry to the chain. Its head stays locked until the transaction ends, so this is the last statement of a
 * transaction: nothing else is awaited while the head is locked. The hash is made of the entry as the database reads it
 * back, so that no text of a client can differ from what the hash covers.
 */
export async function appendAudit(tx: Transaction, entry: AuditEntry, digest: AuditDigest): Promise<AuditHead> {
  const json = (value: AuditEntry['before']): ReturnType<typeof tx.json> | null =>
    value === null ? null : tx.json(value);
  const [locked] = await tx<({ headSeq: string; headHash: string } & AuditEntry)[]>`
    select h.seq as head_seq, h.hash as head_hash, ${entry.id}::uuid as id, ${entry.at}::timestamptz as at,
      ${entry.operatorId}::uuid as operator_id, ${entry.login}::text as login, ${entry.via}::text as via,
      ${entry.credential}::text as credential, ${entry.address}::text as address,
      ${entry.userAgent}::text as user_agent, ${entry.action}::text as action, ${entry.subject}::text as subject,
      ${entry.reason}::text as reason, ${json(entry.before)}::jsonb as before, ${json(entry.after)}::jsonb as after,
      ${entry.outcome}::text as outcome, ${entry.traceId}::text as trace_id
    from audit_head h for update`;
  if (!locked) throw new Error('the audit log has no head');
  const { headSeq, headHash, ...e } = locked;
  const seq = BigInt(headSeq) + 1n;
  const hash = digest(e, seq, headHash);
  await tx`
    with appended as (
      insert into audit_log
        (seq, id, at, operator_id, login, via, credential, address, user_agent, action, subject, reason,
         before, after, outcome, trace_id, hash)
      values
        (${seq.toString()}, ${e.id}, ${e.at}, ${e.operatorId}, ${e.login}, ${e.via}, ${e.credential},
         ${e.address}, ${e.userAgent}, ${e.action}, ${e.subject}, ${e.reason},
         ${json(e.before)}, ${json(e.after)}, ${e.outcome}, ${e.traceId}, ${hash})
    )
    update audit_head set seq = ${seq.toString()}, hash = ${hash}`;
  return { seq, hash };
}

/** Appends the entry of a step that may run twice: once for its action and trace id. */
export async function appendAuditOnce(tx: Transaction, entry: AuditEntry, digest: AuditDigest): Promise<void> {
  await tx`select from audit_head for update`;
  const noted = await tx`
    select from audit_log where action = ${entry.action} and trace_id = ${entry.traceId} limit 1`;
  if (noted.length === 0) await appendAudit(tx, entry, digest);
}

/** A row of audit_log. */
export type RawAudit = Omit<AuditRow, 'seq'> & { readonly seq: string };
/** A row as read. */
export const auditOf = (row: RawAudit): AuditRow => ({ ...row, seq: BigInt(row.seq) });

/** The end of the chain. */
export async function findAuditHead(tx: Transaction): Promise<AuditHead> {
  const [row] = await tx<{ seq: string; hash: string }[]>`select seq, hash from audit_head`;
  if (!row) throw new Error('the audit log has no head');
  return headOf(row);
}

/** Rows after a number, in order, at most `limit`. */
export async function findAuditAfter(tx: Transaction, seq: bigint, limit: number): Promise<AuditRow[]> {
  const rows = await tx<RawAudit[]>`
    select * from audit_log where seq > ${seq.toString()} order by seq limit ${limit}`;
  return rows.map(auditOf);
}
