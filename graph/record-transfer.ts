import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { CatalogueError, invalidField, notFound } from '../domain/errors';
import { bankCredit } from '../domain/ledger';
import { LIMITS } from '../domain/limits';
import { matchByRemark } from '../domain/matching';
import { currencyDecimals, formatMoney, type Money, parseAmount } from '../domain/money';
import { normaliseMemo, remarksIn } from '../domain/remark';
import {
  type LockedAccount,
  lockBankAccount,
  noteBankBalance,
  setBankAccountStatus,
} from '../db/bank-accounts';
import { lockAgentKey } from '../db/agent-keys';
import * as db from '../db/bank-transfers';
import { lockDepositsByRemark, matchDeposit } from '../db/deposits';
import { postTransfer } from '../db/ledger';
import { metrics } from '../metrics';
import { actorName } from './authorization';
import type { GraphContext } from './context';
import type { Transaction } from '../db/client';

/** A credit as a bank or its watcher reports it. */
export interface ReportedTransfer {
  readonly accountId: string;
  readonly amount: string;
  readonly currencyCode: string;
  readonly bankTime: Date;
  readonly memo: string;
  readonly bankReference?: string | null;
  readonly payerName?: string | null;
  readonly payerAccount?: string | null;
  readonly balanceAfter?: Money | null;
}

/** What became of a report. */
export interface RecordedTransfer {
  readonly transfer: db.BankTransferView;
  /** This transfer was recorded before; nothing happened now. */
  readonly duplicate: boolean;
}

const DAY_MS = 86_400_000;

/** Lengths count code points, here as everywhere. */
const codePoints = (text: string): number => Array.from(text).length;

/** Banks print one reference with and without spaces, in either case. */
const normaliseReference = (reference: string): string =>
  reference.normalize('NFKC').toUpperCase().replace(/\s+/g, '');

/** What makes two reports the same transfer: the bank's reference, else all that the bank told. */
function dedupeKey(transfer: db.BankTransferRow): string {
  if (transfer.bankReference !== null) return `ref:${normaliseReference(transfer.bankReference)}`;
  const told = [
    transfer.accountId,
    transfer.currencyCode,
    formatMoney(transfer.amount),
    transfer.bankTime.toISOString(),
    transfer.payerName,
    transfer.payerAccount,
    transfer.memo,
    transfer.balanceAfter && formatMoney(transfer.balanceAfter),
  ];
  return `sha:${createHash('sha256').update(JSON.stringify(told)).digest('hex')}`;
}

/** Checks a report and makes the row of it, unmatched until the rules say otherwise. */
function transferOf(context: GraphContext, reported: ReportedTransfer): db.BankTransferRow {
  const decimals = currencyDecimals(reported.currencyCode);
  if (decimals === undefined) throw invalidField('currency_code', 'must be a currency of ISO 4217');
  const amount = parseAmount(reported.amount, decimals);
  if ('problem' in amount) throw invalidField('amount', amount.problem);
  const reference = reported.bankReference?.trim() ?? '';
  if (codePoints(reference) > LIMITS.bankReference)
    throw invalidField('bank_reference', `must be at most ${LIMITS.bankReference} characters`);
  if (codePoints(reported.memo) > LIMITS.bankMemo)
    throw invalidField('memo', `must be at most ${LIMITS.bankMemo} characters`);
  const latest = context.now.getTime() + LIMITS.bankClockAheadSeconds * 1000;
  if (reported.bankTime.getTime() > latest) throw invalidField('bank_time', 'must not lie ahead');
  return {
    id: uuidv7(),
    accountId: reported.accountId,
    direction: 'CREDIT',
    amount,
    currencyCode: reported.currencyCode,
    bankReference: reference === '' ? null : reference,
    bankTime: reported.bankTime,
    payerName: reported.payerName ?? null,
    payerAccount: reported.payerAccount ?? null,
    memo: reported.memo,
    balanceAfter: reported.balanceAfter ?? null,
    source: actorName(context.actor),
    unmatchedReason: 'NO_REMARK',
    receivedAt: context.now,
  };
}

/**
 * Compares the bank's running balance with the last one told. A gap means that a transfer was kept from us or
 * made up: the account is paused until a person has looked.
 * @returns whether the account is paused now
 */
async function followBalance(
  tx: Transaction,
  { log, now }: GraphContext,
  account: LockedAccount,
  transfer: db.BankTransferRow,
): Promise<boolean> {
  const { balanceAfter, bankTime } = transfer;
  const paused = account.status !== 'ACTIVE';
  if (balanceAfter === null) return paused;
  const { bankBalance, bankBalanceAt } = account;
  const follows = bankBalance === null || bankBalance.plus(transfer.amount).equals(balanceAfter);
  // What is no later than the last one may have been reported out of order: it proves nothing.
  if (!follows && bankBalanceAt !== null && bankTime <= bankBalanceAt) return paused;
  if (bankBalanceAt === null || bankTime >= bankBalanceAt)
    await noteBankBalance(tx, account.id, balanceAfter, bankTime);
  if (follows) return paused;
  if (!paused)
    await setBankAccountStatus(tx, account.id, 'PAUSED', 'running balance does not add up', now);
  log.error({ accountId: account.id }, 'running balance does not add up: account paused');
  return true;
}

/** What an agent key reports beyond its ceilings waits for a person. */
async function overAgentLimit(
  tx: Transaction,
  { actor, now }: GraphContext,
  transfer: db.BankTransferRow,
): Promise<boolean> {
  if (actor.kind !== 'agent') return false;
  const { maxTransferAmount, maxDailyAmount } = actor.key;
  if (maxTransferAmount && transfer.amount.gt(maxTransferAmount)) return true;
  if (!maxDailyAmount) return false;
  const since = new Date(now.getTime() - DAY_MS);
  await lockAgentKey(tx, actor.key.id);
  const credited = await db.sumCreditedSince(tx, transfer.source, transfer.currencyCode, since);
  return credited.plus(transfer.amount).gt(maxDailyAmount);
}

async function isNearDuplicate(tx: Transaction, transfer: db.BankTransferRow): Promise<boolean> {
  const memo = normaliseMemo(transfer.memo);
  const alike = await db.findAlikeMemos(tx, transfer, LIMITS.nearDuplicateSeconds);
  return alike.some((other) => normaliseMemo(other) === memo);
}

/** Applies the rules of automatic matching under lock, and what they say. @returns the transfer as it stands then */
async function match(
  tx: Transaction,
  context: GraphContext,
  account: LockedAccount,
  transfer: db.BankTransferRow,
  referenceReused: boolean,
): Promise<db.BankTransferView> {
  const paused = await followBalance(tx, context, account, transfer);
  // Sent together: while the account is locked, each round trip holds up its next transfer.
  const [named, nearDuplicate, overLimit] = await Promise.all([
    lockDepositsByRemark(tx, remarksIn(transfer.memo)),
    isNearDuplicate(tx, transfer),
    overAgentLimit(tx, context, transfer),
  ]);
  const verdict = matchByRemark(transfer, { currencyCode: account.currencyCode, paused }, named, {
    referenceReused,
    nearDuplicate,
    overAgentLimit: overLimit,
  });
  if (!verdict.matched) {
    const { reason: unmatchedReason } = verdict;
    await db.setUnmatchedReason(tx, transfer.id, unmatchedReason);
    return { ...transfer, ...db.NO_DEPOSIT, unmatchedReason };
  }
  const { depositId, fee } = verdict;
  const match = { transferId: transfer.id, depositId, fee, actor: 'system', reason: null };
  const matched = await matchDeposit(tx, { ...match, now: context.now });
  if (!matched) throw new Error('a PENDING deposit under our lock did not match');
  const { orderNo, traceId: depositTraceId } = matched;
  return { ...transfer, depositId, orderNo, depositTraceId, unmatchedReason: null };
}

/** What storing a report found. */
type Stored =
  | { readonly kind: 'fresh'; readonly referenceReused: boolean }
  | { readonly kind: 'known'; readonly transfer: db.BankTransferView };

/**
 * Stores a transfer unless it was told before. A bank reference that came before with another amount or currency
 * names another transfer: that one is kept as well, for a person.
 */
async function store(tx: Transaction, transfer: db.BankTransferRow): Promise<Stored> {
  const key = dedupeKey(transfer);
  const keys = [key, `${key}|${transfer.currencyCode} ${formatMoney(transfer.amount)}`];
  for (const [tried, dedupeKey] of keys.entries()) {
    if (await db.insertBankTransfer(tx, { ...transfer, dedupeKey }))
      return { kind: 'fresh', referenceReused: tried > 0 };
    const known = await db.findBankTransfer(tx, { accountId: transfer.accountId, dedupeKey });
    const same =
      known?.amount.equals(transfer.amount) && known.currencyCode === transfer.currencyCode;
    if (known && same) return { kind: 'known', transfer: known };
  }
  throw new Error('a transfer is neither new nor known');
}

/**
 * Records a credit on one of our accounts, posts it bank → suspense, and matches it if the rules allow. All of it
 * in one transaction, so that a report that failed may simply be sent again.
 */
export async function recordTransfer(
  context: GraphContext,
  reported: ReportedTransfer,
): Promise<RecordedTransfer> {
  const { actor, database, log } = context;
  if (actor.kind === 'agent' && !actor.key.accountIds.includes(reported.accountId))
    throw new CatalogueError('AUTHORIZATION_ERROR', 'this key does not report on that account');
  const transfer = transferOf(context, reported);

  const recorded = await database.transaction(async (tx) => {
    const account = await lockBankAccount(tx, transfer.accountId);
    if (!account) throw notFound('bank account');
    const stored = await store(tx, transfer);
    if (stored.kind === 'known') return { transfer: stored.transfer, duplicate: true };
    await postTransfer(tx, {
      type: 'BANK_CREDIT',
      key: `bank-credit:${transfer.id}`,
      currencyCode: transfer.currencyCode,
      orderId: null,
      bankTransferId: transfer.id,
      postings: bankCredit(transfer.accountId, transfer.amount),
      now: context.now,
    });
    const judged = await match(tx, context, account, transfer, stored.referenceReused);
    return { transfer: judged, duplicate: false };
  });

  const { duplicate, transfer: view } = recorded;
  const { id: transferId, accountId, orderNo, depositTraceId, unmatchedReason } = view;
  metrics.bankTransfers.inc({ outcome: duplicate ? 'duplicate' : (unmatchedReason ?? 'matched') });
  // Two traces meet here: the notification's, which is the log's own, and its deposit's.
  log.info(
    { transferId, accountId, orderNo, depositTraceId, unmatchedReason, duplicate },
    'bank transfer recorded',
  );
  return recorded;
}
