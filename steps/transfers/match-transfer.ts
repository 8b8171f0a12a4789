import { openCredit, openCreditMemo, openCreditName, openPayerAccount, openPayerName } from '../../crypto/personal';
import { findingsOfHandMatch, HAND_MATCH_FINDINGS, type HandMatchFinding } from '../../domain/authority/hand-match';
import { businessError, CatalogueError, notFound } from '../../domain/errors';
import { payerFinding } from '../../domain/matching';
import { formatMoney } from '../../domain/money';
import { countDayAmounts } from '../../db/authority/day-amounts';
import type { ChangeRow } from '../../db/changes/change-requests';
import {
  type DepositCase,
  type DepositView,
  findDeposit,
  findDepositCase,
  matchDeposit,
} from '../../db/deposits/deposits';
import { refusePaid } from '../../db/ledger/operator-postings';
import { findPayerRulesFor } from '../../db/payers/rules';
import * as db from '../../db/transfers/bank-transfers';
import { findNamedOrders } from '../../db/transfers/named-deposits';
import { countersOfStep } from '../authority/day-amounts';
import type { Warrant } from '../../domain/authority/warrant';
import { type ProposalNeeds, type Evidence, findDecided, propose } from '../changes/propose';
import type { Needs } from '../context';
import type { RecordKey } from '../idempotent';
import { entriesOfPayer } from '../payers/paid';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { chargeOfMatch, type MatchPayload, operatorOfSource, requireWhole } from './match-effects';
import { actorName, operatorOf } from '../access/caller';
import { takesTwo } from '../authority/row';

/** What a person wants to match. */
export interface MatchRequest {
  readonly transferId: string;
  readonly orderNo: string;
  readonly reason: string;
  readonly evidence?: Evidence | null;
}

/** The transfer, with the change that two people decide on if one person was not enough. */
export type MatchedTransfer = db.BankTransferView & { readonly change: ChangeRow | null };

interface Found {
  readonly transfer: db.BankTransferView;
  readonly order: DepositView;
  readonly deposit: DepositCase;
}

/** One person's match would exceed the day's amount: it takes two people. */
class OverCeiling extends Error {}

/** The findings that keep one person from making this match alone; none if one person decides everything. */
async function findingsOf(
  context: Needs<'changes' | 'database' | 'lookup' | 'now' | 'sealer'>,
  { transfer: kept, deposit }: Found,
): Promise<HandMatchFinding[]> {
  if (!takesTwo(context)) return [];
  const transfer = openCredit(context.sealer, kept);
  const provisional = transfer.confirmedAt === null && operatorOfSource(transfer.source) !== null;
  const { merchantId, currencyCode } = deposit;
  const rules = await findPayerRulesFor(context.database, merchantId, currencyCode);
  const order = {
    ...deposit,
    payerName: openPayerName(context.sealer, deposit),
    payerAccountNo: openPayerAccount(context.sealer, deposit),
    comparison: rules?.comparison ?? 'IGNORE',
  };
  const entries = await entriesOfPayer(context, transfer);
  return findingsOfHandMatch({
    transfer: { ...transfer, provisional },
    deposit: order,
    named: await findNamedOrders(context.database.sql, transfer),
    payerDoubt: payerFinding(transfer, order, { entries, now: context.now })?.doubt ?? null,
  });
}

/** One person's match, counted against the day's amount of that person. */
async function matchAlone(
  context: ActionNeeds & Needs<'loaders'>,
  warrant: Warrant<'matchTransfer'>,
  { transfer, order, deposit }: Found,
  { orderNo, reason }: MatchRequest,
  recordKey: RecordKey,
): Promise<MatchedTransfer> {
  const { actor, now } = context;
  const { id: transferId, amount, currencyCode } = transfer;
  const account = await context.loaders.bankAccounts.load(transfer.accountId);
  const fee = chargeOfMatch(transfer, account?.currencyCode, deposit);
  const { traceId: depositTraceId } = order;
  const counters = countersOfStep(context, 'matchTransfer', currencyCode, {
    MATCHER: operatorOf(actor).id,
  });
  const action = {
    action: 'matchTransfer',
    subject: `deposit:${orderNo}`,
    reason,
    detail: { transferId },
    about: { orderNo, depositTraceId, transferId },
  };
  return await operatorAction(context, action, async (tx) => {
    await recordKey(tx, transferId);
    const past = await countDayAmounts(tx, { counters, currencyCode, amount, now });
    if (past.length > 0 && takesTwo(context)) throw new OverCeiling();
    const made = { transferId, depositId: deposit.id, fee, actor: actorName(actor), reason, now };
    if (!(await matchDeposit(tx, warrant, made)))
      throw businessError('WRONG_STATE', 'the deposit is no longer PENDING');
    const paid = { depositId: deposit.id, orderNo, depositTraceId, unmatchedReason: null };
    return { ...transfer, ...paid, change: null };
  });
}

/** Proposes a match beyond the automatic rule, with the findings against it. */
async function proposeMatch(
  context: ProposalNeeds,
  { transfer, deposit }: Found,
  { orderNo, reason, evidence }: MatchRequest,
  findings: readonly HandMatchFinding[],
  recordKey: RecordKey,
): Promise<MatchedTransfer> {
  const { amount, currencyCode } = transfer;
  const enteredBy = operatorOfSource(transfer.source);
  const payload: MatchPayload = { transferId: transfer.id, depositId: deposit.id, enteredBy };
  const paid = `${formatMoney(amount)} ${currencyCode}`;
  const change = await propose(
    context,
    {
      kind: 'MATCH_TRANSFER',
      subject: { kind: 'bank_transfer', id: transfer.id, name: paid },
      merchantId: deposit.merchantId,
      summary: `Match ${paid} to ${orderNo} of ${deposit.merchantCode}`,
      before: {},
      after: {
        orderNo,
        merchantCode: deposit.merchantCode,
        memo: openCreditMemo(context.sealer, transfer),
        amount: formatMoney(amount),
        requestedAmount: formatMoney(deposit.amount),
        payerName: openCreditName(context.sealer, transfer),
        expectedPayerName: openPayerName(context.sealer, deposit),

        bankTime: transfer.bankTime.toISOString(),
        orderedAt: deposit.createdAt.toISOString(),
        findings: findings.map((finding) => HAND_MATCH_FINDINGS[finding]),
      },
      money: { amount, currencyCode },
      payload,
      reason,
      evidence,
    },
    recordKey,
  );
  if (change.status !== 'APPLIED') return { ...transfer, change };
  const now = await db.findBankTransfer(context.database, transfer.id);
  return { ...(now ?? transfer), change };
}

/**
 * Matches a bank credit to a deposit by a person's decision: at once if the automatic rule allows it and it is within
 * the day's amount of that person; else as a change that another person approves.
 * @throws AUTHORIZATION_ERROR for the person who entered the credit, or an API token
 */
export async function matchTransfer(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'matchTransfer'>,
  request: MatchRequest,
  recordKey: RecordKey,
): Promise<MatchedTransfer> {
  const { actor, database } = context;
  const transfer = await db.findBankTransfer(database, request.transferId);
  if (!transfer) throw notFound('bank transfer');
  // One person who both enters and matches a credit could create money from nothing.
  if (takesTwo(context) && transfer.source === actorName(actor))
    throw new CatalogueError('AUTHORIZATION_ERROR', 'you cannot match a transfer that you entered');
  const order = await findDeposit(database, { orderNo: request.orderNo });
  const deposit = order && (await findDepositCase(database, order.id));
  if (!deposit) throw notFound('deposit');
  const found = { transfer, order, deposit };
  const account = await context.loaders.bankAccounts.load(transfer.accountId);
  chargeOfMatch(transfer, account?.currencyCode, deposit);
  await requireWhole(database.sql, transfer);
  const use = { bankTransferId: transfer.id, depositIds: [deposit.id], late: false };
  await refusePaid(database, use);
  const findings = await findingsOf(context, found);
  if (findings.length > 0) return await proposeMatch(context, found, request, findings, recordKey);
  try {
    return await matchAlone(context, warrant, found, request, recordKey);
  } catch (error) {
    if (!(error instanceof OverCeiling)) throw error;
    return await proposeMatch(context, found, request, ['OVER_CEILING'], recordKey);
  }
}

/** The answer of an earlier match, by its result: the matched transfer, or the proposed change. */
export async function findMatched(context: Needs<'database'>, reference: string): Promise<MatchedTransfer> {
  const matched = await db.findBankTransfer(context.database, reference);
  if (matched) return { ...matched, change: null };
  const change = await findDecided(context, reference);
  const transfer = await db.findBankTransfer(context.database, change.subjectId);
  if (!transfer) throw notFound('bank transfer');
  return { ...transfer, change };
}
