import { getNamedType, GraphQLID, type GraphQLField, type GraphQLSchema } from 'graphql';
import { uuidv7 } from 'uuidv7';
import { type AuditSigner, signedWith } from '../../crypto/audit-signer';
import { shortHash } from '../../crypto/lookup';
import { CatalogueError } from '../../domain/errors';
import * as db from '../../db/audit/audit-log';
import type { Database, Transaction } from '../../db/client';
import { refusalOf } from '../../db/refusals';
import { metrics } from '../../runtime/metrics';
import { PUBLIC_FIELDS } from '../access/authorization';
import type { Actor } from '../access/actor';
import type { GraphContext } from '../context';
import type { AuditNote } from './audit-trail';
import { raiseSecurityAlert } from './security-alert';

/** The part of the context that identifies the actor. */
type Author = Pick<
  GraphContext,
  'actor' | 'audit' | 'authority' | 'changes' | 'now' | 'origin' | 'signer' | 'traceId'
>;

/** Enough of a session's keyed hash to tell sessions apart. */
const CREDENTIAL_CHARACTERS = 12;
/** A text of a client, shortened for storage; no character is cut in two. */
const shortened = (text: string | null): string | null =>
  text?.slice(0, 256).replace(/\p{Surrogate}$/u, '') ?? null;

function entryOf(context: Author, action: string, note: AuditNote, outcome: string): db.AuditEntry {
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
async function append(
  context: Author,
  tx: Transaction,
  entry: db.AuditEntry,
  note: AuditNote,
): Promise<void> {
  await raiseSecurityAlert(context, tx, entry, note);
  await db.appendAudit(tx, entry, db.auditDigest(context.signer.sign));
}

/** Writes the request's action to the audit log. Must be the last statement of its transaction. */
export async function writeAudit(context: Author, tx: Transaction, note: AuditNote): Promise<void> {
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
async function recordAudit(
  context: Author & Pick<GraphContext, 'database'>,
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

/** Operators and invited persons; merchants and agents have events and bank rows of their own. */
const isAudited = (actor: Actor, field: string): boolean =>
  actor.kind === 'operator' ||
  (actor.kind === 'anonymous' && PUBLIC_FIELDS.has(`Mutation.${field}`));

type Field = GraphQLField<unknown, GraphContext>;

/** The arguments of a refused mutation that cannot be secrets: ids, and the reason. */
function plainArguments(field: Field, args: Readonly<Record<string, unknown>>): AuditNote {
  const ids = field.args
    .filter((arg) => getNamedType(arg.type) === GraphQLID && typeof args[arg.name] === 'string')
    .map(({ name }) => [name, args[name] as string] as const);
  const { reason } = args;
  return {
    reason: typeof reason === 'string' ? shortened(reason) : null,
    after: ids.length > 0 ? Object.fromEntries(ids) : null,
  };
}

/**
 * Audits every mutation. One that wrote its entry in its transaction needs nothing more; any other is recorded when it
 * has ended, a refused one with the kind of refusal.
 */
export function auditMutations(schema: GraphQLSchema): GraphQLSchema {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}) as Field[];
  for (const field of mutations) {
    const { name, resolve } = field;
    if (!resolve) throw new Error(`the mutation ${name} has no resolver`);
    field.resolve = async (root, args: Record<string, unknown>, context: GraphContext, info) => {
      if (!isAudited(context.actor, name)) return await resolve(root, args, context, info);
      const { audit } = context;
      audit.start(name);
      let result: unknown;
      try {
        result = await resolve(root, args, context, info);
      } catch (error) {
        const outcome = error instanceof CatalogueError ? error.kind : 'INTERNAL_ERROR';
        const note = { ...plainArguments(field, args), ...audit.note };
        // The caller gets the refusal even if its entry cannot be written.
        await recordAudit(context, name, note, outcome).catch((fault: unknown) => {
          context.log.error({ err: fault, action: name, outcome }, 'a refusal was not audited');
        });
        throw error;
      }
      if (audit.written) metrics.auditEntries.inc({ outcome: 'ok' });
      else await recordAudit(context, name, audit.note);
      return result;
    };
  }
  return schema;
}

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
