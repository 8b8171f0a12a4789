import { openCredit, openPayerAccount, openPayerName } from '../../crypto/personal';
import { mostOf } from '../../domain/authority/day-amounts';
import { CatalogueError, notFound } from '../../domain/errors';
import { bankCredit } from '../../domain/ledger';
import { matchTransfer } from '../../domain/matching';
import { isNearDuplicate } from '../../domain/near-duplicate';
import type { PayerEntry } from '../../domain/payer-lists';
import { normaliseMemo } from '../../domain/remark';
import { BALANCE_GAP, followBalance } from '../../domain/running-balance';
import type { AgentKeyRow } from '../../db/accounts/agent-keys';
import type * as db from '../../db/transfers/bank-transfers';
import type { Needs } from '../context';
import { requireCurrency } from './reported-movement';
import { takesTwo } from '../authority/row';

/** Whether its key says that it equals another one in everything. */
export const isEqualOne = ({ dedupeKey: key, id }: db.TransferReport): boolean => key.endsWith(`|${id}`);

/** Who reported a credit, as far as the verdict depends on it. */
export interface Reporter {
  /** Null: no agent. */
  readonly key: Pick<AgentKeyRow, 'worksSince' | 'maxTransferAmount' | 'maxDailyAmount'> | null;
  readonly isPerson: boolean;
}

const reporterOf = ({ actor }: Needs<'actor'>): Reporter => ({
  key: actor.kind === 'agent' ? actor.key : null,
  isPerson: actor.kind === 'operator',
});

/** Whether the key that reports it is beyond its ceiling, per transfer or for the day. */
function overAgentLimit(
  context: Needs<'changes' | 'now'>,
  { key }: Reporter,
  { amount, currencyCode }: db.TransferReport,
  { credited }: db.TransferFacts,
): boolean {
  const { changes, now } = context;
  if (key === null) return false;
  // During its cooling period a new key credits automatically no more than one person may match.
  const isNewKey = takesTwo(context) && (key.worksSince ?? now).getTime() + changes.coolingMs > now.getTime();
  const mostWhileNew = mostOf(changes.dayLimits ?? null, currencyCode, 'MATCHER');
  const { maxTransferAmount, maxDailyAmount } = key;
  if (isNewKey && mostWhileNew && amount.gt(mostWhileNew)) return true;
  if (maxTransferAmount && amount.gt(maxTransferAmount)) return true;
  return Boolean(maxDailyAmount && credited?.plus(amount).gt(maxDailyAmount));
}

/**
 * The credit that a report tells again: without a reference, with the same amount, the same balance after it and the
 * same text. Networks deliver messages twice.
 */
export function toldAgain(
  { sealer }: Needs<'sealer'>,
  report: db.TransferReport,
  { echoes }: db.TransferFacts,
): string | null {
  if (report.bankReference !== null) return null;
  const same = echoes
    .filter(({ bankReference }) => bankReference === null)
    .map((other) => openCredit(sealer, other))
    .find(
      ({ memo, payerName, payerAccount }) =>
        normaliseMemo(memo) === normaliseMemo(report.memo) &&
        payerName === report.payerName &&
        payerAccount === report.payerAccount,
    );
  return same?.id ?? null;
}

/** What the balance after a credit says. Another report of the same movement says nothing new. */
function chainStep(report: db.TransferReport, facts: db.TransferFacts) {
  const { account, echoes } = facts;
  const isEcho = echoes.length > 0;
  if (!account || isEcho) return { chain: null, outside: false, pause: false, resume: false };
  const movement = { ...report, direction: 'CREDIT' } as const;
  return followBalance(account.chain, movement, account.status === 'ACTIVE');
}

/**
 * The rules' verdict on a transfer.
 * @param outside for a credit whose balance was compared before: whether it does not follow
 * @throws NOT_FOUND for an unknown account, INVALID_SIGNATURE for a revoked key
 */
export function verdictOn(
  context: Needs<'actor' | 'changes' | 'now' | 'sealer'>,
  report: db.TransferReport,
  facts: db.TransferFacts,
  entries: readonly PayerEntry[],
  outside?: boolean,
  reporter = reporterOf(context),
): db.TransferVerdict {
  const { account, alike, echoes, named, referenceReused } = facts;
  if (!account) throw notFound('bank account');
  // Revoked since it signed: a revocation lists all that the key had credited.
  if (!facts.keyLive) throw new CatalogueError('INVALID_SIGNATURE', 'the key is revoked');
  requireCurrency(report.currencyCode, account.currencyCode);
  const step = outside === undefined ? chainStep(report, facts) : null;
  // A pause for another reason goes on, whatever the balance says.
  const resumes = step?.resume === true && account.pausedByGap;
  const paused = !resumes && (account.paused || step?.pause === true);
  const match = matchTransfer(
    report,
    { ...account, paused },
    named.map((deposit) => ({
      ...deposit,
      payerName: openPayerName(context.sealer, deposit),
      payerAccountNo: openPayerAccount(context.sealer, deposit),
    })),
    {
      referenceReused,
      nearDuplicate:
        isEqualOne(report) ||
        // Two movements of one amount do not end in one balance.
        (step !== null && echoes.length > 0) ||
        isNearDuplicate(
          report,
          alike.map((other) => openCredit(context.sealer, other)),
        ),
      outsideChain: outside ?? step?.outside ?? false,
      overAgentLimit: overAgentLimit(context, reporter, report, facts),
      withoutBalance: account.balanceRequired && report.balanceAfter === null,
      enteredByPerson: reporter.isPerson && !context.changes.onePerson,
      collective: report.collective === true,
    },
    { entries, now: context.now },
  );
  return {
    match,
    noteBalance: step?.chain != null,
    chain: step?.chain ?? null,
    resume: step?.resume ?? false,
    // Until a person has looked, or the gap is closed.
    pause: step?.pause ? BALANCE_GAP : null,
    postings: bankCredit(report.accountId, report.amount),
  };
}
