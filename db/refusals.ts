import postgres from 'postgres';
import { CatalogueError, type ErrorKind } from '../domain/errors';

/** Constraints that guard a business rule, and what breaking one means to the caller. */
const NUMBER_TAKEN = { kind: 'CONFLICT', message: 'merchant_order_no is already used' } as const;
const BY_CONSTRAINT: Readonly<Record<string, { kind: ErrorKind; message: string }>> = {
  merchant_order_numbers_merchant_id_merchant_order_no_pk: NUMBER_TAKEN,
  merchant_balances_never_negative: {
    kind: 'INSUFFICIENT_MERCHANT_BALANCE',
    message: 'the merchant balance is too low',
  },
  transfer_allocations_once: { kind: 'CONFLICT', message: 'the transfer is allocated already' },
  transfer_allocations_deposit: { kind: 'CONFLICT', message: 'the deposit is paid already' },
  payout_attempts_bank_reference: {
    kind: 'CONFLICT',
    message: 'this account has paid something else under this reference',
  },
  merchants_merchant_code_unique: { kind: 'CONFLICT', message: 'merchant_code is already used' },
  settlement_accounts_number: {
    kind: 'CONFLICT',
    message: 'the merchant already has this settlement account',
  },
  resellers_name_unique: { kind: 'CONFLICT', message: 'another reseller has this name' },
  listed_payers_once: { kind: 'CONFLICT', message: 'this payer is on a list already' },
  calendars_name_unique: { kind: 'CONFLICT', message: 'another calendar has this name' },
  settlements_reference: { kind: 'CONFLICT', message: 'reference is already used' },
  channels_bound_account: { kind: 'CONFLICT', message: 'another channel reports on this account' },
  operator_postings_returned: { kind: 'CONFLICT', message: 'the payout came back before' },
  operator_postings_opened: { kind: 'CONFLICT', message: 'the book was opened before' },
  operator_postings_pair: { kind: 'CONFLICT', message: 'what had left has arrived before' },
  payer_returns_debit: { kind: 'CONFLICT', message: 'the debit shows another return' },
  bank_accounts_number: { kind: 'CONFLICT', message: 'this bank account is already registered' },
};

/** SQLSTATE → its meaning. 55P03: a lock was not available in time. */
const BY_SQLSTATE: Readonly<Record<string, { kind: ErrorKind; message: string }>> = {
  '55P03': { kind: 'OPTIMISTIC_LOCK_ERROR', message: 'the row is busy; try again' },
  '40001': { kind: 'OPTIMISTIC_LOCK_ERROR', message: 'the row is busy; try again' },
  // A text with a NUL in it, plain or in JSON.
  '22021': { kind: 'INVALID_FIELD', message: 'a text contains characters that are not allowed' },
  '22P05': { kind: 'INVALID_FIELD', message: 'a text contains characters that are not allowed' },
  // An invalid time, or one out of the database's range.
  '22007': { kind: 'INVALID_FIELD', message: 'a time is out of range' },
  '22008': { kind: 'INVALID_FIELD', message: 'a time is out of range' },
  // An invalid id, or one that does not exist.
  '22P02': { kind: 'NOT_FOUND', message: 'something that the request refers to does not exist' },
  '23503': { kind: 'NOT_FOUND', message: 'something that the request refers to does not exist' },
  '40P01': { kind: 'OPTIMISTIC_LOCK_ERROR', message: 'the row is busy; try again' },
};

/** Why a payment cannot be used again, by the hint of CW006; its detail is the order that the payment was for. */
const PAID: Readonly<Record<string, string>> = {
  COMPLETED:
    ', which its memo names, is COMPLETED: return the money to its payer (returnMoney) or, if it is a second payment for the merchant, credit it as a top-up (creditTopUp)',
  REPORTED:
    ' has this payment by the report of its channel: a second credit is not late money. Once it is credited, move the money from the channel to the account (moveOwnMoney)',
  BANKED:
    ' has this payment by the bank’s credit: the channel reported the same money. End the report (returnLateMoney, writeOffMoney)',
};

/** The refusal of a second use of a payment. */
const paidBefore = ({ detail, hint }: postgres.PostgresError): CatalogueError =>
  new CatalogueError('BUSINESS_ERROR', `${detail ?? ''}${PAID[hint ?? ''] ?? ' is paid'}`, {
    reason: 'WRONG_STATE',
  });

/** postgres.js's own codes for a connection that is not there. */
const UNREACHABLE = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
]);
/** Node's codes for a server's certificate that is not trusted or does not match its name. */
const UNTRUSTED = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/**
 * Connection exceptions, out of resources, statement cancelled by its timeout, server shutting down or starting, a
 * failing disk, and a read-only server: a standby, a former primary, or one that its administrators made read-only.
 */
const UNAVAILABLE_STATES = /^(08|53|57014$|57P|25P03$|25006$|58030$)/;

/** Errors of Node's own sockets are no instances of this realm's Error everywhere, so their shape decides. */
interface DriverError {
  readonly code?: unknown;
  readonly cause?: unknown;
}

/** Which constraint a statement broke, if that is what happened. */
export const brokenConstraint = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError ? error.constraint_name : undefined;

/**
 * What a database error means in the catalogue, or undefined for one that no caller can fix (a bug of ours).
 * The database's own text goes into no message: it may hold values of rows.
 */
export function refusalOf(error: unknown): CatalogueError | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause }: DriverError = error;
  if (typeof code === 'string') {
    const known = BY_CONSTRAINT[brokenConstraint(error) ?? ''] ?? BY_SQLSTATE[code];
    if (known) return new CatalogueError(known.kind, known.message);
    if (code === 'CW006' && error instanceof postgres.PostgresError) return paidBefore(error);
    if (UNREACHABLE.has(code) || UNTRUSTED.test(code) || UNAVAILABLE_STATES.test(code))
      return new CatalogueError('SERVICE_UNAVAILABLE', 'a dependency is not available');
  }
  // The query builder wraps the driver's error.
  return refusalOf(cause);
}
