import { openCredit } from '../../crypto/personal';
import { LIMITS } from '../../domain/limits';
import { remarksIn } from '../../domain/remark';
import { findAgentKeyById } from '../../db/accounts/agent-keys';
import { takeDueCredits } from '../../db/transfers/bank-debits';
import * as db from '../../db/transfers/bank-transfers';
import type { Transaction } from '../../db/client';
import { metrics } from '../../runtime/metrics';
import type { Needs } from '../context';
import { payerEntries, withPayer } from '../payers/paid';
import { type Reporter, verdictOn } from './verdict';

const DAY_MS = 86_400_000;

/** How many credits one transaction judges again. */
const AT_ONCE = 50;
/** How often a verdict whose facts changed meanwhile is made again. */
const TRIES = 3;

/** A recorded credit as it was reported, and by whom. */
async function reportOfCredit(
  { sealer, now }: Needs<'now' | 'sealer'>,
  tx: Transaction,
  credit: db.BankTransferView,
): Promise<{ readonly report: db.TransferReport; readonly reporter: Reporter }> {
  const { source } = credit;
  const clear = openCredit(sealer, credit);
  const keyId = source.startsWith('agent:') ? source.slice('agent:'.length) : null;
  const key = (keyId === null ? undefined : await findAgentKeyById({ sql: tx }, keyId)) ?? null;
  return {
    reporter: { key, isPerson: source.startsWith('operator:') && credit.confirmedAt === null },
    report: {
      id: credit.id,
      accountId: credit.accountId,
      amount: credit.amount,
      source,
      currencyCode: credit.currencyCode,
      bankReference: credit.bankReference,
      bankTime: credit.bankTime,
      balanceAfter: credit.balanceAfter,
      memo: clear.memo,
      payerName: clear.payerName,
      payerAccount: clear.payerAccount,
      payerAccountIndex: null,
      // It is recorded: nothing is looked up by its key.
      dedupeKey: `credit:${credit.id}`,
      receivedAt: now,
      remarks: remarksIn(clear.memo),
      nearSeconds: LIMITS.valueDateDays * (DAY_MS / 1000),
      agentKeyId: key === null ? null : keyId,
      creditedSince: key?.maxDailyAmount ? new Date(now.getTime() - DAY_MS) : null,
    },
  };
}

/** Judges one credit again whose balance follows now. */
async function judge(
  context: Needs<'actor' | 'changes' | 'database' | 'lookup' | 'now' | 'sealer'>,
  tx: Transaction,
  id: string,
): Promise<void> {
  const credit = await db.findBankTransfer({ sql: tx }, id);
  if (credit?.unmatchedReason !== 'BALANCE_DIFFERS' && credit?.unmatchedReason !== 'ACCOUNT_PAUSED') return;
  const { report, reporter } = await reportOfCredit(context, tx, credit);
  for (let tries = 0; tries < TRIES; tries++) {
    const facts = (await db.findFactsOfReports({ sql: tx }, [report])).get(id);
    if (!facts?.keyLive) return;
    const entries = await payerEntries(context, report, facts);
    const verdict = verdictOn(context, report, facts, entries, false, reporter);
    const done = await withPayer(context, tx, verdict, async (_sql, settle) => {
      const judged = await db.judgeWaitingCredit(tx, report, facts.raw, verdict);
      if (judged) await settle(report, facts);
      return judged;
    });
    if (!done) continue;
    const { match } = verdict;
    metrics.bankTransfers.inc({ outcome: match.matched ? 'matched' : match.reason });
    return;
  }
}

/** What judging a credit needs. */
export type JudgeNeeds = Needs<'actor' | 'changes' | 'database' | 'log' | 'lookup' | 'now' | 'sealer'>;

/**
 * Judges the credits of an account again that waited outside its chain of balances and follow now. What a process leaves
 * that ends meanwhile, the account's next report finds.
 */
export async function judgeDue(context: JudgeNeeds, accountId: string): Promise<void> {
  const { database, log } = context;
  let most = AT_ONCE;
  for (;;) {
    let taken: readonly string[] = [];
    const judged = await database
      .transaction(async (tx) => {
        taken = await takeDueCredits(tx, accountId, most);
        for (const id of taken) await judge(context, tx, id);
        return taken.length;
      })
      .catch(async (error: unknown) => {
        const [id] = taken;
        if (id === undefined) throw error;
        // One that cannot be judged must not hold up the others: alone it is left to a person.
        if (taken.length === 1) {
          log.error({ err: error, transferId: id }, 'a credit cannot be judged again');
          await database.transaction(async (tx) => await takeDueCredits(tx, accountId, 1));
        }
        most = 1;
        return taken.length;
      });
    if (judged === 0) return;
    log.info({ accountId, judged }, 'credits judged again: the gap in the balance is closed');
  }
}
