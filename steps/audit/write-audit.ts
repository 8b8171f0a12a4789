import { uuidv7 } from 'uuidv7';
import { shortHash } from '../../crypto/lookup';
import * as db from '../../db/audit/audit-log';
import type { Transaction } from '../../db/client';
import { refusalOf } from '../../db/refusals';
import { metrics } from '../../runtime/metrics';
import type { Needs } from '../context';
import type { AuditNote } from './audit-trail';
import { raiseSecurityAlert } from './security-alert';

/** What an entry in the audit log needs: who does it, from where, and by which rules. */
export type AuditNeeds = Needs<'actor' | 'audit' | 'authority' | 'changes' | 'now' | 'origin' | 'signer' | 'traceId'>;

/** Enough of a session's keyed hash to tell sessions apart. */
const CREDENTIAL_CHARACTERS = 12;

/** A text of a client, shortened for storage; no character is cut in two. */
export const shortened = (text: string | null): string | null =>
  text?.slice(0, 256).replace(/\p{Surrogate}$/u, '') ?? null;

function entryOf(context: AuditNeeds, action: string, note: AuditNote, outcome: string): db.AuditEntry {
  const { actor, now, origin, traceId } = context;
  const login = actor.kind === 'operator' ? actor : null;
  const operator = note.operator ?? login?.operator ?? null;
  return {
    id: uuidv7(),
    at: now,
    operatorId: operator?.id ?? null,
    login: operator?.login ?? null,
    via: login?.via ?? null,
    credential: login && shortHash(login.tokenHash, CREDENTIAL_CHARACTERS),
    address: origin.address,
    userAgent: shortened(origin.userAgent),
    action,
    subject: note.subject ?? null,
    reason: note.reason ?? null,
    before: note.before ?? null,
    after: note.after ?? null,
    outcome,
    traceId,
  };
}

/** Writes an entry and its alert. The entry comes last: it locks the end of the chain until the commit. */
async function append(context: AuditNeeds, tx: Transaction, entry: db.AuditEntry, note: AuditNote): Promise<void> {
  await raiseSecurityAlert(context, tx, entry, note);
  await db.appendAudit(tx, entry, db.auditDigest(context.signer.sign));
}

/** Writes the request's action to the audit log. Must be the last statement of its transaction. */
export async function writeAudit(context: AuditNeeds, tx: Transaction, note: AuditNote): Promise<void> {
  const { audit } = context;
  const action = audit.action ?? 'unknown';
  await append(context, tx, entryOf(context, action, note, 'OK'), note);
  audit.written = true;
}

/** Attempts to write an entry while the end of the chain is busy: the action cannot be repeated. */
const TRIES = 3;

/**
 * Writes the entry of a mutation that has not written its own, such as a refused one or an export, in a separate
 * transaction.
 */
export async function recordAudit(
  context: AuditNeeds & Needs<'database'>,
  action: string,
  note: AuditNote,
  outcome = 'OK',
): Promise<void> {
  const entry = entryOf(context, action, note, outcome);
  for (let tries = 1; ; tries++)
    try {
      await context.database.transaction(async (tx) => {
        await append(context, tx, entry, note);
      });
      break;
    } catch (error) {
      if (tries === TRIES || refusalOf(error)?.kind !== 'OPTIMISTIC_LOCK_ERROR') throw error;
    }
  metrics.auditEntries.inc({ outcome: outcome === 'OK' ? 'ok' : 'refused' });
}
