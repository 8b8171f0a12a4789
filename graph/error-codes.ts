import { registerEnumType } from 'type-graphql';
import { CATALOGUE, type ErrorKind } from '../domain/errors';
import { enumOf } from './scalars';

/** The code that clients see for a kind of refusal. */
export type ErrorCode = (typeof CATALOGUE)[ErrorKind]['code'];
/** The outcome of an action. */
export type AuditOutcome = 'OK' | ErrorKind;

const MEANS: Readonly<Record<AuditOutcome | ErrorCode, string>> = {
  OK: 'It was done.',
  NOT_FOUND: 'What the request names does not exist, or belongs to someone else.',
  METHOD_NOT_ALLOWED: 'The address accepts other methods.',
  PAYLOAD_TOO_LARGE: 'The request is too long.',
  INVALID_TIMESTAMP: 'The request was signed too long ago, or in the future.',
  OPERATION_LIMIT: 'The operation is larger, deeper or more costly than operations may be.',
  BATCHING_OFF: 'A request holds one operation.',
  INTROSPECTION_OFF: 'Production does not show its schema.',
  PERSISTED_ONLY: 'A browser may run only the operations of the console.',
  PERSISTED_QUERY_NOT_FOUND: 'No operation has this hash.',
  UNSUPPORTED_MEDIA_TYPE: 'The body has another type.',
  VALIDATION_ERROR: 'Something in the request is malformed or out of bounds.',
  MALFORMED_REQUEST: 'The request cannot be read.',
  INVALID_FIELD: 'A field is malformed or out of bounds.',
  INVALID_SIGNATURE: 'The signature does not match the request.',
  UNAUTHENTICATED: 'Nobody is logged in, or the login has ended.',
  CODE_REQUIRED: 'The password is right, and the code of the second factor is missing.',
  FACTOR_REQUIRED: 'The step needs the second factor again: call confirmFactor, and repeat it.',
  AUTHORIZATION_ERROR: 'The operator may not do this.',
  CONFLICT: 'A number or a key is already used.',
  BUSINESS_ERROR: 'A business rule forbids it in the present state.',
  INSUFFICIENT_MERCHANT_BALANCE: 'The merchant has less available.',
  OPTIMISTIC_LOCK_ERROR: 'Another request changed the same row at the same time. Try again.',
  RATE_LIMITED: 'Too many requests. Try again later.',
  SERVICE_UNAVAILABLE: 'Something that the platform needs does not answer. Try again.',
  INTERNAL_ERROR: 'An internal error of the platform.',
};

const KINDS = Object.keys(CATALOGUE) as ErrorKind[];

function register<Value extends AuditOutcome | ErrorCode>(
  name: string,
  description: string,
  values: readonly Value[],
): Record<Value, Value> {
  const named = enumOf(values);
  const means = values.map((value) => [value, { description: MEANS[value] }] as const);
  const valuesConfig = Object.fromEntries(means) as Record<Value, { description: string }>;
  registerEnumType(named, { name, description, valuesConfig });
  return named;
}

export const ErrorCodeEnum = register<ErrorCode>('ErrorCode', 'The code of an error, as `extensions.code` has it.', [
  ...new Set(KINDS.map((kind) => CATALOGUE[kind].code)),
]);

export const AuditOutcomeEnum = register<AuditOutcome>(
  'AuditOutcome',
  'The outcome of an action: done, or why it was refused.',
  ['OK', ...KINDS],
);
