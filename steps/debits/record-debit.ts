import { uuidv7 } from 'uuidv7';
import { openBeneficiary, openDebitMemo, sealDebit } from '../../crypto/personal';
import { payeeDiffers, taskOf } from '../../domain/debit-match';
import { CatalogueError, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { formatMoney } from '../../domain/money';
import { normaliseMemo } from '../../domain/remark';
import { BALANCE_GAP, followBalance, type RunningBalanceVerdict } from '../../domain/running-balance';
import { isAgentKeyLive } from '../../db/accounts/agent-keys';
import * as db from '../../db/transfers/bank-debits';
import type { Transaction } from '../../db/client';
import { metrics } from '../../runtime/metrics';
import type { Sealer } from '../../crypto/seal';
import type { Needs } from '../context';
import { type JudgeNeeds, judgeDue } from '../transfers/judge-due';
import {
  dedupeKey,
  movementOf,
  type ReportedMovement,
  requireCurrency,
  requireWatched,
  type CheckedMovement,
} from '../transfers/reported-movement';
import { actorName } from '../access/caller';

/** A debit as a bank or its watcher reports it. */
export interface ReportedDebit extends ReportedMovement {
  readonly payeeName?: string | null;
  readonly payeeAccount?: string | null;
}

/** The result of a report. */
export interface RecordedDebit {
  readonly debit: db.BankDebitView;
  /** This debit was recorded before; nothing happened now. */
  readonly duplicate: boolean;
}

/** A report, checked. */
interface Report extends CheckedMovement {
  readonly payeeName: string | null;
  readonly payeeAccount: string | null;
  readonly lineKey: string | null;
  /** Only a person says what it paid. */
  readonly collective: boolean;
}

const DAY_MS = 86_400_000;

/** Whether two reports without a reference tell the same. */
const tellSame = (sealer: Sealer, { bankReference, memo }: Report, other: db.BankDebitView): boolean =>
  bankReference === null &&
  other.bankReference === null &&
  normaliseMemo(openDebitMemo(sealer, other)) === normaliseMemo(memo);

/** Stores what a debit says of the account's balance. @returns why the account is paused, if it is */
async function follow(
  tx: Transaction,
  debit: Report & { readonly id: string },
  { chain, outside, pause: pauses, resume }: RunningBalanceVerdict,
  now: Date,
): Promise<string | null> {
  // Until an operator has checked it, or the gap is closed.
  const pause = pauses ? BALANCE_GAP : null;
  await db.noteBalanceChain(tx, debit.accountId, chain, { pause, resume, now });
  if (outside) await db.alertOutsideDebit(tx, debit, now);
  return pause;
}

/**
 * Under the account's lock: records the debit once, updates the balance, and finds the manual payout that it paid.
 * @throws NOT_FOUND for an unknown account, INVALID_SIGNATURE for a key that was revoked since it signed
 */
async function record(
  context: Needs<'actor' | 'log' | 'now' | 'sealer'>,
  tx: Transaction,
  report: Report,
): Promise<RecordedDebit> {
  const { actor, log, now } = context;
  const { accountId } = report;
  const account = await db.lockReportedBalance(tx, accountId);
  if (!account) throw notFound('bank account');
  if (actor.kind === 'agent' && !(await isAgentKeyLive(tx, actor.key.id)))
    throw new CatalogueError('INVALID_SIGNATURE', 'the key is revoked');

  requireCurrency(report.currencyCode, account.currencyCode);
  const other = { name: report.payeeName, account: report.payeeAccount };
  const key = dedupeKey(report, other, report.lineKey);
  // The key of a debit whose bank reference was used with another amount: it is another debit.
  const reusedKey = `${key}|${report.currencyCode} ${formatMoney(report.amount)}`;
  const alike = await db.findDebitsByKey(tx, accountId, [key, reusedKey]);
  const known = alike.find(
    ({ amount, currencyCode }) => amount.equals(report.amount) && currencyCode === report.currencyCode,
  );
  if (known) return { debit: known, duplicate: true };

  const id = uuidv7();
  const step = followBalance(account.chain, { ...report, id, direction: 'DEBIT', receivedAt: now }, account.isOpen);
  const echoes = step.outside ? await db.findEchoes(tx, report) : [];
  const again = echoes.find((other) => tellSame(context.sealer, report, other));
  if (again) return { debit: again, duplicate: true };
  // Another report of a movement says nothing new of the balance.
  const pause = echoes.length > 0 ? null : await follow(tx, { ...report, id }, step, now);
  const doneSince = new Date(now.getTime() - LIMITS.debitTaskDays * DAY_MS);
  const reused = alike.length > 0;
  const named =
    reused || report.collective ? undefined : taskOf(report, await db.findDebitTasks(tx, report, doneSince));
  const differs = named !== undefined && payeeDiffers(report.payeeAccount, openBeneficiary(context.sealer, named));
  const task = differs ? undefined : named;
  const row = sealDebit<db.BankDebitRow>(context.sealer, {
    ...report,
    id,
    source: actorName(actor),
    receivedAt: now,
    reason: null,
    attemptId: task?.id ?? null,
    explainedBy: task ? 'system' : null,
    explainedAt: task ? now : null,
  });
  await db.insertBankDebit(tx, { ...row, dedupeKey: reused ? reusedKey : key });
  if (differs) await db.doubtPayee(tx, named.id, row.id, now);
  if (pause !== null) log.error({ accountId }, `account paused: ${pause}`);
  const { orderNo = null, merchantId = null } = task ?? {};
  return { debit: { ...row, orderNo, merchantId }, duplicate: false };
}

/**
 * Records a debit on one of our accounts, and the manual payout that it paid, if the rule finds one. It posts nothing:
 * the completion of the payout does. All in one transaction, so that a failed report can be sent again.
 */
export async function recordDebit(context: JudgeNeeds, reported: ReportedDebit): Promise<RecordedDebit> {
  const { actor, database, log } = context;
  requireWatched(actor, reported.accountId);
  const { payeeName = null, payeeAccount = null, lineKey = null, collective = false } = reported;
  const said = { payeeName, payeeAccount, lineKey, collective };
  const report = { ...movementOf(context, reported), ...said };
  const recorded = await database.transaction(async (tx) => await record(context, tx, report));
  if (report.balanceAfter !== null) await judgeDue(context, report.accountId);
  const { debit, duplicate } = recorded;
  const { id: debitId, accountId, orderNo } = debit;
  const outcome = debit.explainedAt === null ? 'no_task' : 'matched';
  metrics.bankDebits.inc({ outcome: duplicate ? 'duplicate' : outcome });
  log.info({ debitId, accountId, orderNo, duplicate }, 'bank debit recorded');
  return recorded;
}
