import { createHash } from 'node:crypto';
import { normaliseReference, referenceIn } from '../../domain/bank-reference';
import { CatalogueError, invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, formatMoney, type Money, parseAmount } from '../../domain/money';
import type { Actor } from '../access/actor';
import type { Needs } from '../context';

/** A report by a bank or its watcher of money that a managed account received or sent. */
export interface ReportedMovement {
  readonly accountId: string;
  readonly amount: Money;
  readonly currencyCode: string;
  readonly bankTime: Date;
  readonly memo: string;
  readonly bankReference?: string | null;
  readonly balanceAfter?: Money | null;
  /** The key of a statement's line that nothing else distinguishes from equal lines. */
  readonly lineKey?: string | null;
  /** Whether only a person matches it, such as several payments that nothing separates. */
  readonly collective?: boolean;
}

/** A checked report. */
export interface CheckedMovement {
  readonly accountId: string;
  readonly amount: Money;
  readonly currencyCode: string;
  readonly bankReference: string | null;
  readonly bankTime: Date;
  readonly memo: string;
  readonly balanceAfter: Money | null;
}

/** @throws AUTHORIZATION_ERROR for an agent that does not watch the account */
export function requireWatched(actor: Actor, accountId: string): void {
  if (actor.kind === 'agent' && !actor.key.accountIds.includes(accountId))
    throw new CatalogueError('AUTHORIZATION_ERROR', 'this key may not report on that account');
}

/** Lengths count code points, as everywhere. */
const codePoints = (text: string): number => Array.from(text).length;

/** Checks a report. @throws INVALID_FIELD */
export function movementOf({ now }: Needs<'now'>, reported: ReportedMovement): CheckedMovement {
  const decimals = currencyDecimals(reported.currencyCode);
  if (decimals === undefined) throw invalidField('currency_code', 'must be an ISO 4217 currency', 'UNKNOWN_VALUE');
  const amount = parseAmount(reported.amount.toFixed(), decimals);
  if ('problem' in amount) throw invalidField('amount', amount.problem);
  const reference = reported.bankReference?.trim() ?? '';
  if (codePoints(reference) > LIMITS.bankReference)
    throw invalidField('bank_reference', `must be at most ${LIMITS.bankReference} characters`, 'OUT_OF_RANGE');
  if (codePoints(reported.memo) > LIMITS.bankMemo)
    throw invalidField('memo', `must be at most ${LIMITS.bankMemo} characters`, 'OUT_OF_RANGE');
  const latest = now.getTime() + LIMITS.bankClockAheadSeconds * 1000;
  if (reported.bankTime.getTime() > latest)
    throw invalidField('bank_time', 'must not be in the future', 'OUT_OF_RANGE');
  const { accountId, currencyCode, bankTime, memo } = reported;
  return {
    accountId,
    amount,
    currencyCode,
    bankTime,
    memo,
    // A placeholder is no reference: it would make one of several movements.
    bankReference: referenceIn(reference),
    balanceAfter: reported.balanceAfter ?? null,
  };
}

/**
 * An account holds one currency: its bank cannot have booked a movement in another one.
 * @throws INVALID_FIELD, nothing is recorded or posted
 */
export function requireCurrency(reported: string, ofAccount: string): void {
  if (reported !== ofAccount) throw invalidField('currency_code', `the account is in ${ofAccount}`, 'NOT_ALLOWED');
}

/**
 * The key by which two reports are the same movement: the bank's reference, else everything that the bank reported.
 * @param other who is at the other end: the payer or the payee
 * @param lineKey of a statement's line that was searched among all reports and not found
 */
export function dedupeKey(
  movement: CheckedMovement,
  other: { readonly name: string | null; readonly account: string | null },
  lineKey: string | null = null,
): string {
  if (lineKey !== null) return `line:${lineKey}`;
  if (movement.bankReference !== null) return `ref:${normaliseReference(movement.bankReference)}`;
  const reported = [
    movement.accountId,
    movement.currencyCode,
    formatMoney(movement.amount),
    movement.bankTime.toISOString(),
    other.name,
    other.account,
    movement.memo,
    movement.balanceAfter && formatMoney(movement.balanceAfter),
  ];
  return `sha:${createHash('sha256').update(JSON.stringify(reported)).digest('hex')}`;
}
