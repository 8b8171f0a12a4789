import { parseUrl } from '../../domain/url';
import { uuidv7 } from 'uuidv7';
import {
  type AloneReason,
  canonical,
  type ChangeCase,
  type ChangeKind,
  difference,
  type Plain,
  problemOfApproval,
  problemOfDeciding,
  problemOfRejection,
  problemOfWithdrawal,
  type RuledCase,
  type Settings,
  staleChange,
  type SubjectKind,
} from '../../domain/change-request';
import { stepOfKind } from '../../domain/authority/table';
import type { Counter } from '../../domain/authority/step';
import { businessError, CatalogueError, invalidField, notFound } from '../../domain/errors';
import { reaches } from '../../domain/permissions';
import { withoutPerson } from '../../domain/personal';
import { type CountedAmount, countDayAmounts, tellDayAmounts } from '../../db/authority/day-amounts';
import * as db from '../../db/changes/change-requests';
import type { Transaction } from '../../db/client';
import { metrics } from '../../runtime/metrics';
import type { AuditNote } from '../audit/audit-trail';
import { countersOfStep } from '../authority/day-amounts';
import type { Applied } from './change-effect';
import type { Needs } from '../context';
import type { RecordKey } from '../idempotent';
import { type ActionNeeds, requireReason } from '../operators/operator-action';
import { deciderOf, operatorOf } from '../access/caller';
import { rowOfChange, takesTwo } from '../authority/row';
import type { Warrant } from '../../domain/authority/warrant';
import { warrantOfChange } from './change-warrant';
import { type AuditNeeds, writeAudit } from '../audit/write-audit';

/** The evidence for a change, for the operators who decide. */
export interface Evidence {
  readonly text?: string | null;
  readonly links?: readonly string[] | null;
}

/** A proposed change. */
export interface Proposal {
  readonly kind: ChangeKind;
  /** The subject that the change changes or creates. */
  readonly subject: { readonly kind: SubjectKind; readonly id: string; readonly name: string };
  readonly merchantId?: string | null;
  /** One sentence for the approver. */
  readonly summary: string;
  /** The subject's state before and after, secrets masked; equal fields are omitted. */
  readonly before: Settings;
  readonly after: Settings;
  readonly money?: ChangeCase['money'];
  /** The payload that applies it; secrets sealed. */
  readonly payload: Plain;
  readonly reason: string;
  readonly evidence?: Evidence | null | undefined;
  /** Why one person is enough; absent if two are needed. */
  readonly alone?: Exclude<AloneReason, 'SANDBOX'> | null;
}

/** Most characters of evidence, most links and their length. */
const EVIDENCE = { text: 4_000, links: 10, link: 500 };

function checkEvidence({ text, links }: Evidence): void {
  if (Array.from(text ?? '').length > EVIDENCE.text)
    throw invalidField('evidence.text', `must be at most ${EVIDENCE.text} characters`, 'OUT_OF_RANGE');
  if ((links?.length ?? 0) > EVIDENCE.links)
    throw invalidField('evidence.links', `must have at most ${EVIDENCE.links} links`, 'OUT_OF_RANGE');
  for (const link of links ?? [])
    if (link.length > EVIDENCE.link || !/^https:\/\/\S+$/.test(link) || parseUrl(link) === null)
      throw invalidField('evidence.links', 'must be https URLs');
}

/** A subject to create, with null for unset fields that an approver must see. */
const wholly = (shows: readonly string[], after: Settings): Settings => ({
  ...Object.fromEntries(shows.map((field) => [field, null])),
  ...after,
});

const subjectText = ({ subjectKind, subjectId }: ChangeCase): string => `${subjectKind}:${subjectId}`;

/** What the audit log keeps of settings. The log is never erased, so a person stands only in the change that it names. */
const forLog = ({ subjectKind }: db.ChangeRow, settings: Settings): Settings =>
  withoutPerson(settings, subjectKind === 'listed_payer' || subjectKind === 'beneficiary');

const noteOf = (change: db.ChangeRow, status: string, reason: string, alone: AloneReason | null = null): AuditNote => ({
  subject: subjectText(change),
  reason,
  before: forLog(change, change.before),
  after: { ...forLog(change, change.after), changeRequest: change.id, changeStatus: status },
  ...(status === 'APPLIED' &&
    alone !== 'CLOSING' && {
      applied: {
        changeId: change.id,
        step: stepOfKind(change.kind),
        merchantId: change.merchantId,
      },
    }),
});

/** The counters of a change that moves money. */
function countedBy(
  context: Needs<'authority' | 'changes' | 'now'>,
  { kind, money, merchantId }: db.LockedChange,
  decidedBy: string,
): CountedAmount | null {
  if (money === null) return null;
  const { currencyCode, amount } = money;
  const counters = countersOfStep(context, stepOfKind(kind), currencyCode, {
    APPROVER: decidedBy,
    ...(merchantId !== null && { MERCHANT: merchantId }),
  });
  return { counters, currencyCode, amount: amount.abs(), now: context.now };
}

/** A day's amount is exceeded: a second person must decide. */
class DayAmountPassed extends CatalogueError {
  constructor(
    readonly past: readonly Counter[],
    readonly counted: CountedAmount,
  ) {
    super(
      'AUTHORIZATION_ERROR',
      `the day's amount in ${counted.currencyCode} is exceeded: a second person must decide`,
    );
  }
}

/** What an effect knows of its change. */
const appliedOf = (
  context: Needs<'authority' | 'changes' | 'lookup' | 'now' | 'sealer'>,
  { id, kind, reason, proposedBy }: db.LockedChange,
  decidedBy: string,
): Applied => ({
  id,
  reason,
  now: context.now,
  proposedBy,
  decidedBy,
  coolingMs: context.changes.coolingMs,
  twoPeople: takesTwo(context),
  warrant: warrantOfChange(context, kind),
  seals: context,
});

/** Applies the change and decides it, once, in this transaction. @throws CONFLICT if it is stale */
async function apply(
  context: Needs<'authority' | 'changes' | 'effects' | 'lookup' | 'now' | 'sealer'>,
  tx: Transaction,
  change: db.LockedChange,
  decision: Omit<db.Decision, 'id' | 'status'>,
): Promise<void> {
  const effect = context.effects[change.kind];
  const { payload, basis } = change;
  // The guard of the status lets one transaction apply it.
  if (!(await db.decideChange(tx, { ...decision, id: change.id, status: 'APPLIED' })))
    throw new CatalogueError('CONFLICT', 'another operator has just decided on the change');
  const now = (await effect.basis?.(tx, payload)) ?? null;
  if (basis !== null && (now === null || canonical(now) !== basis))
    throw staleChange(difference(JSON.parse(basis) as Settings, now ?? {}).fields);
  const counted = decision.alone === 'CLOSING' ? null : countedBy(context, change, decision.decidedBy);
  if (counted) {
    const past = await countDayAmounts(tx, counted);
    if (past.length > 0) throw new DayAmountPassed(past, counted);
  }
  await effect.apply(tx, payload, appliedOf(context, change, decision.decidedBy));
}

/** Applies a change and rolls back: a change that cannot be applied now is not proposed. */
async function rehearse(
  context: Needs<'authority' | 'changes' | 'effects' | 'lookup' | 'now' | 'sealer'>,
  tx: Transaction,
  change: db.LockedChange,
): Promise<void> {
  await tx`savepoint rehearsal`;
  const applied = appliedOf(context, change, change.proposedBy);
  await context.effects[change.kind].apply(tx, change.payload, applied);
  await tx`rollback to savepoint rehearsal`;
}

/** What a proposal needs, and the decision on one, which may apply it. */
export type ProposalNeeds = ActionNeeds & Needs<'effects' | 'lookup' | 'sealer'>;

/**
 * Proposes a change. It has no effect until another person approves it, unless it only closes, or the sandbox's
 * setting lets the proposer's own approval count: then it is applied at once, in the same transaction.
 * @param recordKey of a mutation that has an idempotencyKey; the change's id is the reference
 * @returns the change as it stands now
 * @throws the refusal that applying it would get now
 */
export async function propose(
  context: ProposalNeeds,
  proposal: Proposal,
  recordKey?: RecordKey,
): Promise<db.ChangeRow> {
  const { now, changes: rules } = context;
  const { kind, subject, payload, money = null } = proposal;
  const operator = operatorOf(context.actor);
  context.audit.note = { subject: `${subject.kind}:${subject.id}`, reason: proposal.reason };
  const reason = requireReason(proposal.reason);
  checkEvidence(proposal.evidence ?? {});
  const row = rowOfChange(context, kind);
  if (proposal.alone === 'CLOSING' && row.people === 'TWO') throw new Error(`${kind} needs two people, by its row`);
  const { fields, ...compared } = difference(proposal.before, proposal.after);
  const makes = Object.keys(proposal.before).length === 0;
  // A new subject is shown with all fields: an unset field may mean "no limit".
  const before = makes ? {} : compared.before;
  const after = makes ? wholly(row.shows, proposal.after) : compared.after;
  if (fields.length === 0) throw businessError('NO_CHANGE', 'nothing would change');
  const merchantId = proposal.merchantId ?? null;
  if (operator.merchantIds !== null && (merchantId === null || !reaches(operator, merchantId)))
    throw new CatalogueError('AUTHORIZATION_ERROR', 'this concerns merchants outside your restriction');
  const effect = context.effects[kind];
  const id = uuidv7();

  const change = await telling(
    context,
    merchantId,
    async () =>
      await context.database.transaction(async (tx) => {
        await recordKey?.(tx, id);
        const basis = (await effect.basis?.(tx, payload)) ?? null;
        // What was read without a lock may have changed since.
        const moved = fields.filter(
          (field) => basis && field in basis && canonical(basis[field] ?? null) !== canonical(before[field] ?? null),
        );
        if (moved.length > 0) throw staleChange(moved);
        const proposed: db.NewChange = {
          id,
          kind,
          subjectKind: subject.kind,
          subjectId: subject.id,
          subjectName: subject.name,
          merchantId,
          summary: proposal.summary,
          before,
          after,
          touches: fields,
          money,
          payload,
          basis: basis && canonical(basis),
          reason,
          evidence: proposal.evidence?.text?.trim() || null,
          evidenceLinks: proposal.evidence?.links ?? [],
          proposedBy: operator.id,
          proposedAt: now,
          expiresAt: new Date(now.getTime() + rules.expiryMs),
        };
        await db.insertChange(tx, proposed);
        const undecided = { alone: null, decidedBy: null, decidedAt: null, decisionReason: null };
        const open: db.LockedChange = { ...proposed, ...undecided, status: 'PROPOSED' };
        const alone = proposal.alone ?? aloneInSandbox(context, open);
        if (alone === null) {
          await rehearse(context, tx, open);
          await writeAudit(context, tx, noteOf(open, 'PROPOSED', reason));
          return open;
        }
        const decision = { decidedBy: operator.id, alone, reason: null, now };
        await apply(context, tx, open, decision);
        await writeAudit(context, tx, noteOf(open, 'APPLIED', reason, alone));
        return {
          ...open,
          status: 'APPLIED' as const,
          alone,
          decidedBy: operator.id,
          decidedAt: now,
        };
      }),
  );
  metrics.changes.inc({ kind, status: change.status });
  context.log.info({ changeId: change.id, kind, status: change.status, operator: operator.login }, 'change proposed');
  return change;
}

/** The facts of a change, with the permission that its row requires. @throws AUTHORIZATION_ERROR without a row */
const caseOf = (context: Needs<'authority'>, change: ChangeCase & { kind: ChangeKind }): RuledCase => ({
  ...change,
  decides: rowOfChange(context, change.kind).decides ?? 'APPROVE',
});

/** Whether the setting ONE_PERSON_CHANGES lets this proposer's own approval count. */
function aloneInSandbox(
  context: Needs<'actor' | 'authority' | 'changes' | 'now'>,
  change: ChangeCase & { kind: ChangeKind },
): AloneReason | null {
  if (!context.changes.onePerson) return null;
  const decider = deciderOf(context.actor);
  return problemOfApproval(caseOf(context, change), decider, true, context.now) === null ? 'SANDBOX' : null;
}

/** Runs a decision on a change whose row is locked, with its audit row. */
async function decide(
  context: AuditNeeds & Needs<'database' | 'log'>,
  id: string,
  reason: string,
  status: db.Decision['status'],
  decision: (tx: Transaction, change: db.LockedChange) => Promise<void>,
  recordKey?: RecordKey,
): Promise<db.ChangeRow> {
  context.audit.note = { after: { changeRequest: id }, reason };
  requireReason(reason);
  const change = await context.database.transaction(async (tx) => {
    await recordKey?.(tx, id);
    const locked = await db.lockChange(tx, id);
    if (!locked) throw notFound('change request');
    context.audit.note = { ...context.audit.note, subject: subjectText(locked) };
    await decision(tx, locked);
    await writeAudit(context, tx, noteOf(locked, status, reason));
    return locked;
  });
  const { kind } = change;
  metrics.changes.inc({ kind, status });
  const operator = operatorOf(context.actor).login;
  context.log.info({ changeId: id, kind, status, operator }, 'change decided');
  return await findDecided(context, id);
}

/** A change in its present state, without the loaders, which may have cached an older one. */
export async function findDecided({ database }: Needs<'database'>, id: string): Promise<db.ChangeRow> {
  const [change] = await db.findChanges(database, [id]);
  if (!change) throw notFound('change request');
  return change;
}

/** Raises the alert of a day's amount that a refused decision would have exceeded. */
async function telling<Result>(
  { database }: Needs<'database'>,
  merchantId: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DayAmountPassed) await tellDayAmounts(database, error.past, error.counted, merchantId);
    throw error;
  }
}

/**
 * Approves a change and applies it, in one transaction.
 * @throws AUTHORIZATION_ERROR without permission (domain/change-request.ts); CONFLICT for a decided, expired or stale
 * change; and the refusal of applying it
 */
export const approveChange = async (
  context: ProposalNeeds,
  _warrant: Warrant<'approveChange'>,
  id: string,
  reason: string,
  recordKey?: RecordKey,
): Promise<db.ChangeRow> =>
  await telling(
    context,
    null,
    async () =>
      await decide(
        context,
        id,
        reason,
        'APPLIED',
        async (tx, change) => {
          const { now, changes: rules } = context;
          const decider = deciderOf(context.actor);
          const alone = rules.onePerson && change.proposedBy === decider.id ? 'SANDBOX' : null;
          const problem = problemOfApproval(caseOf(context, change), decider, alone !== null, now);
          if (problem) throw problem;
          const together = alone ? null : await context.effects[change.kind].apart?.(tx, change.payload, decider);
          if (together) throw new CatalogueError('AUTHORIZATION_ERROR', together);
          await apply(context, tx, change, { decidedBy: decider.id, alone, reason, now });
        },
        recordKey,
      ),
  );

/** Rejects a change: it has no effect. @throws as approveChange */
export const rejectChange = async (
  context: AuditNeeds & Needs<'database' | 'log'>,
  id: string,
  reason: string,
  recordKey?: RecordKey,
): Promise<db.ChangeRow> =>
  await decide(
    context,
    id,
    reason,
    'REJECTED',
    async (tx, change) => {
      const decider = deciderOf(context.actor);
      const problem = problemOfRejection(caseOf(context, change), decider, context.now);
      if (problem) throw problem;
      await close(tx, { id, status: 'REJECTED', decidedBy: decider.id, reason, now: context.now });
    },
    recordKey,
  );

/** Withdraws the caller's own change. @throws AUTHORIZATION_ERROR for another's, CONFLICT for a decided one */
export const withdrawChange = async (
  context: AuditNeeds & Needs<'database' | 'log'>,
  id: string,
  reason: string,
  recordKey?: RecordKey,
): Promise<db.ChangeRow> =>
  await decide(
    context,
    id,
    reason,
    'WITHDRAWN',
    async (tx, change) => {
      const decidedBy = operatorOf(context.actor).id;
      const problem = problemOfWithdrawal(change, decidedBy, context.now);
      if (problem) throw problem;
      await close(tx, { id, status: 'WITHDRAWN', decidedBy, reason, now: context.now });
    },
    recordKey,
  );

async function close(tx: Transaction, decision: Omit<db.Decision, 'alone'>): Promise<void> {
  if (await db.decideChange(tx, { ...decision, alone: null })) return;
  throw (
    problemOfDeciding({ status: 'EXPIRED', expiresAt: decision.now }, decision.now) ??
    new Error('an open change could not be decided')
  );
}

/** Why the caller may not approve a change now, or null. */
export function refusalOfApproval(
  context: Needs<'actor' | 'authority' | 'changes' | 'now'>,
  change: db.ChangeRow,
): string | null {
  const decider = deciderOf(context.actor);
  const alone = context.changes.onePerson && change.proposedBy === decider.id;
  return problemOfApproval(caseOf(context, change), decider, alone, context.now)?.message ?? null;
}
