import { uuidv7 } from 'uuidv7';
import { openCredit, sealCredit, sealFinding } from '../../crypto/personal';
import { CatalogueError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { isNameless, saysMore } from '../../domain/near-duplicate';
import { remarksIn } from '../../domain/remark';
import { noteBalanceChain } from '../../db/transfers/bank-debits';
import * as db from '../../db/transfers/bank-transfers';
import type { Database, Transaction } from '../../db/client';
import { failpoint } from '../../runtime/failpoints';
import { metrics } from '../../runtime/metrics';
import type { Needs } from '../context';
import { payerEntries, withPayer } from '../payers/paid';
import { type JudgeNeeds, judgeDue } from './judge-due';
import { isEqualOne, toldAgain, verdictOn } from './verdict';
import { dedupeKey, movementOf, type ReportedMovement, requireWatched } from './reported-movement';
import { actorName } from '../access/caller';
import { takesTwo } from '../authority/row';

/** A credit as a bank or its watcher reports it. */
export interface ReportedTransfer extends ReportedMovement {
  readonly payerName?: string | null;
  readonly payerAccount?: string | null;
}

/** The result of a report. */
export interface RecordedTransfer {
  readonly transfer: db.BankTransferView;
  /** This transfer was recorded before; nothing is done now. */
  readonly duplicate: boolean;
}

const DAY_MS = 86_400_000;

/** Checks a report and gathers the keys of the look-ups that judge it. */
export function reportOf(context: Needs<'actor' | 'now'>, reported: ReportedTransfer): db.TransferReport {
  const { actor, now } = context;
  const movement = movementOf(context, reported);
  const { payerName = null, payerAccount = null } = reported;
  return {
    ...movement,
    id: uuidv7(),
    payerName,
    payerAccount,
    payerAccountIndex: null,
    dedupeKey: dedupeKey(movement, { name: payerName, account: payerAccount }, reported.lineKey),
    source: actorName(actor),
    receivedAt: now,
    collective: reported.collective === true,
    remarks: remarksIn(movement.memo),
    nearSeconds: LIMITS.valueDateDays * (DAY_MS / 1000),
    agentKeyId: actor.kind === 'agent' ? actor.key.id : null,
    creditedSince: actor.kind === 'agent' && actor.key.maxDailyAmount ? new Date(now.getTime() - DAY_MS) : null,
  };
}

/** The key of a credit that equals another one in everything. */
const equalOne = (report: db.TransferReport): db.TransferReport => ({
  ...report,
  dedupeKey: `${report.dedupeKey}|${report.id}`,
});
/** Whether an equal report may be of another credit: nothing distinguishes them, not even a statement's line. */
const mayRepeat = (report: db.TransferReport): boolean =>
  report.dedupeKey.startsWith('sha:') && !isEqualOne(report) && isNameless(report);

/** How often a verdict whose facts changed meanwhile is made again, with the account locked. */
const TRIES_UNDER_LOCK = 5;

/** The transfer after the verdict is applied, as its row keeps it. */
function viewOf(
  { sealer }: Needs<'sealer'>,
  report: db.TransferReport,
  { match }: db.TransferVerdict,
  { named }: db.TransferFacts,
): db.BankTransferView {
  const payerFinding = match.payer && sealFinding(sealer, report.id, match.payer.finding);
  const nobody = { confirmedBy: null, confirmedAt: null } as const;
  const row = { ...report, ...nobody, direction: 'CREDIT', payerFinding } as const;
  if (!match.matched) return { ...row, ...db.NO_DEPOSIT, unmatchedReason: match.reason };
  const { depositId } = match;
  const paid = named.find(({ id }) => id === depositId);
  return {
    ...row,
    depositId,
    orderNo: paid?.orderNo ?? null,
    depositTraceId: paid?.traceId ?? null,
    unmatchedReason: null,
  };
}

/** Gives a waiting credit a new verdict, by a report with more data. @returns whether it was improved */
async function improve(
  context: JudgeNeeds,
  report: db.TransferReport,
  known: db.BankTransferView,
  facts: db.TransferFacts,
): Promise<boolean> {
  const { actor, database, log } = context;
  const { unmatchedReason, confirmedAt, source } = known;
  if (unmatchedReason === null || unmatchedReason === 'REOPENED') return false;
  // Data that a person adds is not evidence.
  if (actor.kind === 'operator' && takesTwo(context)) return false;
  const confirms = actor.kind === 'agent' && source.startsWith('operator:') && confirmedAt === null;
  // A key with a low ceiling does not hold back a credit that another key may report.
  const mayMore = actor.kind === 'agent' && unmatchedReason === 'OVER_AGENT_LIMIT' && source !== actorName(actor);
  if (!confirms && !mayMore && !saysMore(report, openCredit(context.sealer, known))) return false;
  const entries = await payerEntries(context, report, facts);
  // Its balance was compared when it came.
  const outside = known.balanceAfter === null ? undefined : known.unmatchedReason === 'BALANCE_DIFFERS';
  const again = { ...report, id: known.id };
  const verdict = verdictOn(context, again, facts, entries, outside);
  const improved = await database.transaction(
    async (tx) =>
      await withPayer(context, tx, verdict, async (sql, settle) => {
        const { id } = report;
        const better = { ...sealCredit(context, { ...report, id: known.id }), id };
        const done = await db.improveTransfer({ sql }, better, known.id, facts.raw, verdict);
        if (done) await settle(again, facts);
        if (done && verdict.chain) {
          const { chain, pause, resume = false } = verdict;
          await noteBalanceChain(tx, report.accountId, chain, { pause, resume, now: context.now });
        }
        return done;
      }),
  );
  if (improved) log.info({ transferId: known.id, unmatchedReason }, 'bank transfer judged again');
  return improved;
}

async function known(
  context: JudgeNeeds,
  report: db.TransferReport,
  id: string,
  facts: db.TransferFacts,
): Promise<RecordedTransfer> {
  const { actor, database, now } = context;
  const before = await db.findBankTransfer(database, id);
  if (!before) throw new Error('a recorded transfer is gone');
  const improved = await improve(context, report, before, facts);
  if (actor.kind === 'agent') await db.confirmTransfer(database, id, actorName(actor), now);
  const transfer = improved ? await db.findBankTransfer(database, id) : before;
  return { transfer: transfer ?? before, duplicate: true };
}

/** What recording a report of a bank needs. */
export type ReportNeeds = JudgeNeeds & Needs<'reports'>;

/**
 * Judges by the present data, and records if the data has not changed: one SQL statement holds the account's lock. If
 * others were faster, it judges again with the account locked.
 */
async function judgeAndRecord(context: ReportNeeds, report: db.TransferReport): Promise<RecordedTransfer> {
  const { database, log, reports } = context;
  const record = async (
    sql: Transaction | Database['sql'],
    facts: db.TransferFacts,
  ): Promise<{ readonly done: RecordedTransfer } | { readonly changed: db.TransferFacts }> => {
    const verdict = verdictOn(context, report, facts, await payerEntries(context, report, facts));
    const kept = sealCredit(context, report);
    await failpoint('transfer.judged', report.bankReference);
    const changed = await withPayer(context, sql, verdict, async (within, settle) => {
      const judged = { report: kept, facts: facts.raw, verdict };
      const before =
        within === database.sql ? await reports.record(judged) : (await db.recordTransfers(within, [judged]))[0];
      if (!before) await settle(report, facts);
      return before;
    });
    if (changed) return { changed };
    if (verdict.pause !== null) log.error({ accountId: report.accountId }, `account paused: ${verdict.pause}`);
    const sentBack = verdict.match.payer?.goesBack === true;
    const now = sentBack ? await db.findBankTransfer({ sql }, report.id) : undefined;
    return { done: { transfer: now ?? viewOf(context, kept, verdict, facts), duplicate: false } };
  };

  const knownAs = (facts: db.TransferFacts): string | null => facts.recordedId ?? toldAgain(context, report, facts);
  const seen = await reports.factsOf(report);
  const before = knownAs(seen);
  if (before !== null)
    return mayRepeat(report)
      ? await judgeAndRecord(context, equalOne(report))
      : await known(context, report, before, seen);
  const first = await record(database.sql, seen);
  if ('done' in first) return first.done;
  const second = await database.transaction(async (tx) => {
    let last: Awaited<ReturnType<typeof record>> = first;
    for (let tries = 0; tries < TRIES_UNDER_LOCK && 'changed' in last; tries++) {
      if (knownAs(last.changed) !== null) return last;
      last = await record(tx, last.changed);
    }
    return last;
  });
  if ('done' in second) return second.done;
  const { changed } = second;
  const meanwhile = knownAs(changed);
  if (meanwhile !== null)
    return mayRepeat(report)
      ? await judgeAndRecord(context, equalOne(report))
      : await known(context, report, meanwhile, changed);
  throw new CatalogueError('OPTIMISTIC_LOCK_ERROR', 'the account is busy; try again');
}

/**
 * Records a credit on one of our accounts, posts it bank → suspense, and matches it if the rules allow. All in one
 * transaction, so that a failed report can be sent again.
 */
export async function recordTransfer(context: ReportNeeds, reported: ReportedTransfer): Promise<RecordedTransfer> {
  const { actor, log } = context;
  requireWatched(actor, reported.accountId);
  const report = reportOf(context, reported);
  const recorded = await judgeAndRecord(context, report);
  if (report.balanceAfter !== null) await judgeDue(context, report.accountId);
  await failpoint('transfer.committed', reported.bankReference);
  const { transfer, duplicate } = recorded;
  const { id: transferId, accountId, orderNo, depositTraceId, unmatchedReason } = transfer;
  metrics.bankTransfers.inc({ outcome: duplicate ? 'duplicate' : (unmatchedReason ?? 'matched') });
  // Two traces meet here: the notification's, which is that of the log, and its deposit's.
  log.info({ transferId, accountId, orderNo, depositTraceId, unmatchedReason, duplicate }, 'bank transfer recorded');
  return recorded;
}
