/**
 * Every reason to refuse a request, in order of precedence. The kind is ours; the merchant sees `code` and `status`
 * (contract, "Errors"). `retryable`: the same request may succeed later.
 */
export const CATALOGUE = {
  NOT_FOUND: { code: 'NOT_FOUND', status: 404, retryable: false },
  METHOD_NOT_ALLOWED: { code: 'METHOD_NOT_ALLOWED', status: 405, retryable: false },
  PAYLOAD_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', status: 413, retryable: false },
  INVALID_TIMESTAMP: { code: 'INVALID_TIMESTAMP', status: 401, retryable: false },
  /** This and the next four belong to the operators' listener alone: limits on operations (docs/graph.md). */
  OPERATION_LIMIT: { code: 'OPERATION_LIMIT', status: 400, retryable: false },
  BATCHING_OFF: { code: 'BATCHING_OFF', status: 400, retryable: false },
  INTROSPECTION_OFF: { code: 'INTROSPECTION_OFF', status: 403, retryable: false },
  PERSISTED_ONLY: { code: 'PERSISTED_ONLY', status: 403, retryable: false },
  PERSISTED_QUERY_NOT_FOUND: {
    code: 'PERSISTED_QUERY_NOT_FOUND',
    status: 404,
    retryable: false,
  },
  UNSUPPORTED_MEDIA_TYPE: { code: 'UNSUPPORTED_MEDIA_TYPE', status: 415, retryable: false },
  MALFORMED_REQUEST: { code: 'VALIDATION_ERROR', status: 400, retryable: false },
  INVALID_SIGNATURE: { code: 'INVALID_SIGNATURE', status: 401, retryable: false },
  /** Operators: no login. Payers: an invalid link. */
  UNAUTHENTICATED: { code: 'UNAUTHENTICATED', status: 401, retryable: false },
  /** Only on the operators' listener: the password is right, and a code of the second factor is missing. */
  CODE_REQUIRED: { code: 'CODE_REQUIRED', status: 401, retryable: false },
  /** Only on the operators' listener: the step needs a second factor not older than five minutes. */
  FACTOR_REQUIRED: { code: 'FACTOR_REQUIRED', status: 403, retryable: false },
  AUTHORIZATION_ERROR: { code: 'AUTHORIZATION_ERROR', status: 403, retryable: false },
  INVALID_FIELD: { code: 'VALIDATION_ERROR', status: 422, retryable: false },
  CONFLICT: { code: 'CONFLICT', status: 409, retryable: false },
  BUSINESS_ERROR: { code: 'BUSINESS_ERROR', status: 400, retryable: false },
  INSUFFICIENT_MERCHANT_BALANCE: {
    code: 'INSUFFICIENT_MERCHANT_BALANCE',
    status: 400,
    retryable: false,
  },
  OPTIMISTIC_LOCK_ERROR: { code: 'OPTIMISTIC_LOCK_ERROR', status: 503, retryable: true },
  RATE_LIMITED: { code: 'RATE_LIMITED', status: 429, retryable: true },
  SERVICE_UNAVAILABLE: { code: 'SERVICE_UNAVAILABLE', status: 503, retryable: true },
  INTERNAL_ERROR: { code: 'INTERNAL_ERROR', status: 500, retryable: false },
} as const satisfies Record<string, { code: string; status: number; retryable: boolean }>;

/** A key of the catalogue. */
export type ErrorKind = keyof typeof CATALOGUE;

/** Why an input is refused, in addition to VALIDATION_ERROR. A closed list: operators' scripts compare with it. */
export const INPUT_REASONS = {
  REQUIRED: 'It is missing or empty.',
  MALFORMED: 'It has the wrong form.',
  OUT_OF_RANGE: 'It is too small, too large, too short, too long or too many.',
  UNKNOWN_VALUE: 'It names nothing that exists, such as a currency that is not in ISO 4217.',
  DUPLICATE: 'It contains the same thing twice.',
  NOT_ALLOWED: 'It is not accepted here, or not together with the other inputs.',
} as const;

/** Why a rule refuses, in addition to BUSINESS_ERROR. A closed list, as above. */
export const RULE_REASONS = {
  WRONG_STATE: 'The object is in another state, or this was done before.',
  NOT_HELD: 'The operator has not claimed it.',
  NOT_ENABLED: 'Something that it needs is disabled, not configured, or cooling.',
  NO_CAPACITY: 'Too many are open, or no account can take it now.',
  AMOUNT: 'The amount breaks a limit, is not a denomination, or does not cover the fee.',
  PAYER: 'A list or a rule about payers refuses it.',
  MISMATCH: 'Two inputs do not fit together, such as a currency and an account.',
  UNKNOWN_VALUE: 'It names something that does not exist.',
  ALREADY_EXISTS: 'It exists already.',
  NO_CHANGE: 'Nothing would change.',
  PROTECTED: 'A built-in role, or the last administrator.',
  TOO_FAR_BEHIND: 'The stream no longer has events that old: load the list again.',
} as const;

/** Why a rule refuses. */
export type RuleReason = keyof typeof RULE_REASONS;
/** Why an input is refused. */
export type InputReason = keyof typeof INPUT_REASONS;

/** What a refusal tells programs in addition to its kind. */
export interface ErrorDetail {
  /** The field or argument that it is about. */
  readonly field?: string;
  readonly reason?: InputReason | RuleReason;
  /** The same request may succeed after this, milliseconds. */
  readonly retryAfterMs?: number;
}

/** A refusal from the catalogue. Its message is for people, not part of the contract, and never holds a secret. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';

  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly detail: ErrorDetail = {},
  ) {
    super(message);
  }

  get code(): (typeof CATALOGUE)[ErrorKind]['code'] {
    return CATALOGUE[this.kind].code;
  }
  get status(): number {
    return CATALOGUE[this.kind].status;
  }
  get retryable(): boolean {
    return CATALOGUE[this.kind].retryable;
  }
}

/** An input breaks a rule: 422 with the field's name. */
export const invalidField = (field: string, problem: string, reason: InputReason = 'MALFORMED'): CatalogueError =>
  new CatalogueError('INVALID_FIELD', `${field}: ${problem}`, { field, reason });

/** A business rule refuses the request: 400, and nothing was written. */
export const businessError = (reason: RuleReason, message: string): CatalogueError =>
  new CatalogueError('BUSINESS_ERROR', message, { reason });

/** 404: it does not exist, or is not the caller's; the response does not reveal which. */
export const notFound = (what: string): CatalogueError => new CatalogueError('NOT_FOUND', `${what} not found`);
