import { type AuditSigner, signedWith } from '../../crypto/audit-signer';
import * as db from '../../db/audit/audit-log';
import type { Database } from '../../db/client';

/** A tampered row of the audit log, described in one line that names it. */
export interface AuditFault {
  readonly subject: string;
  readonly problem: string;
}

/** The result of a verification of the chain. */
export interface AuditVerdict {
  readonly rows: bigint;
  /** The last row's hash: stored elsewhere, it proves later that no row up to here was cut off. */
  readonly hash: string;
  readonly faults: readonly AuditFault[];
}

const BATCH = 1_000;

const named = ({ seq, action, login, at }: db.AuditRow): string =>
  `row ${seq} (${action} by ${login ?? 'nobody known'}, ${at.toISOString()})`;

const missing = (from: bigint, to: bigint): AuditFault => ({
  subject: from === to ? `row ${from}` : `rows ${from} to ${to}`,
  problem: 'missing',
});

/** Rows signed with a key that was not given: they are unproven. */
class Unproven {
  private readonly byKey = new Map<string, { rows: bigint; from: bigint; until: bigint }>();

  add({ seq, hash }: db.AuditHead): void {
    const key = signedWith(hash) ?? 'CAUSEWAY_LOOKUP_KEY';
    const known = this.byKey.get(key) ?? { rows: 0n, from: seq, until: seq };
    this.byKey.set(key, { ...known, rows: known.rows + 1n, until: seq });
  }

  get faults(): readonly AuditFault[] {
    return [...this.byKey].map(([key, { rows, from, until }]) => ({
      subject: `${rows} rows from ${from} to ${until}`,
      problem: `signed with the key ${key}, which was not given: add it to CAUSEWAY_AUDIT_KEY, or set it`,
    }));
  }
}

/**
 * Walks the chain from its first row to its end, in one snapshot.
 * @param noted a row's number and hash as recorded earlier: the row must still have them
 */
export async function verifyAudit(
  database: Pick<Database, 'transaction'>,
  signer: Pick<AuditSigner, 'judge'>,
  noted: db.AuditHead | null = null,
): Promise<AuditVerdict> {
  const unproven = new Unproven();
  return await database.transaction(async (tx) => {
    const head = await db.findAuditHead(tx);
    const faults: AuditFault[] = [];
    let last: db.AuditHead = { seq: 0n, hash: '' };
    for (;;) {
      const rows = await db.findAuditAfter(tx, last.seq, BATCH);
      for (const row of rows) {
        const gap = row.seq !== last.seq + 1n;
        if (gap) faults.push(missing(last.seq + 1n, row.seq - 1n));
        // After a gap there is no hash to continue from: the missing rows are the finding.
        else {
          const finding = signer.judge(db.auditText(row, row.seq, last.hash), row.hash);
          if (finding === 'UNKNOWN_KEY') unproven.add(row);
          if (finding === 'WRONG')
            faults.push({ subject: named(row), problem: 'it, or the hash before it, was changed' });
        }
        if (row.seq === noted?.seq && row.hash !== noted.hash)
          faults.push({ subject: named(row), problem: 'its hash was another one' });
        last = { seq: row.seq, hash: row.hash };
      }
      if (rows.length < BATCH) break;
    }
    if (last.seq < head.seq) faults.push(missing(last.seq + 1n, head.seq));
    else if (last.seq > head.seq || last.hash !== head.hash)
      faults.push({
        subject: `row ${last.seq}`,
        problem: `the chain ended with row ${head.seq} and another hash`,
      });
    if (noted && noted.seq > last.seq) faults.push(missing(last.seq + 1n, noted.seq));
    return { rows: last.seq, hash: last.hash, faults: [...faults, ...unproven.faults] };
  }, 'isolation level repeatable read read only');
}
