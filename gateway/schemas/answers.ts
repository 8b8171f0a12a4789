import { STATUS_CODES } from 'node:http';
import { type TSchema, Type } from 'typebox';
import { CATALOGUE, type ErrorKind } from '../../domain/errors';
import type { Failure } from '../envelope';

/** The envelope around an operation's data. */
export const Answer = <Data extends TSchema>(data: Data, description: string) =>
  Type.Object(
    {
      success: Type.Literal(true),
      code: Type.Literal('SUCCESS'),
      message: Type.Literal('OK', { description: 'For people; not part of the contract.' }),
      data,
    },
    { description },
  );

/** The envelope of every refusal. */
export const REFUSAL_SCHEMA = Type.Object(
  {
    success: Type.Literal(false),
    code: Type.String({ description: 'What clients branch on.' }),
    message: Type.String({ description: 'For people; not part of the contract.' }),
    data: Type.Null(),
  },
  { $id: 'Refusal', description: 'Every refusal, whatever its status.' },
);

/** When each refusal occurs (contract, "Errors", and our own decisions). */
const MEANING: Record<ErrorKind, string> = {
  NOT_FOUND: 'the merchant has no such order, or there is no such route',
  METHOD_NOT_ALLOWED: 'the path has other methods; Allow lists them',
  PAYLOAD_TOO_LARGE: 'the body is larger than 64 KiB',
  INVALID_TIMESTAMP: 'the timestamp is missing, unreadable or more than 300 seconds from our clock',
  OPERATION_LIMIT: 'not used by this listener',
  BATCHING_OFF: 'not used by this listener',
  INTROSPECTION_OFF: 'not used by this listener',
  PERSISTED_ONLY: 'not used by this listener',
  PERSISTED_QUERY_NOT_FOUND: 'not used by this listener',
  UNSUPPORTED_MEDIA_TYPE: 'the body is not application/json',
  MALFORMED_REQUEST: 'the body is not one JSON object, a key is named twice, or the URL does not decode',
  INVALID_SIGNATURE: 'a header is missing, the key is unknown, or the signature is wrong',
  UNAUTHENTICATED: 'no login',
  CODE_REQUIRED: 'no code of the second factor',
  FACTOR_REQUIRED: 'no fresh second factor',
  AUTHORIZATION_ERROR: 'the merchant is disabled, or may not do this',
  INVALID_FIELD: 'a field is missing, too long or of the wrong form',
  CONFLICT: 'merchant_order_no is already used: query it before anything else',
  BUSINESS_ERROR:
    'a business rule refuses the request, for example a currency that is not enabled; nothing was created',
  INSUFFICIENT_MERCHANT_BALANCE: 'the balance is too low',
  OPTIMISTIC_LOCK_ERROR: 'a row was locked for too long; retry once or twice, then query',
  RATE_LIMITED: 'the merchant sends too many requests; nothing was done: repeat the request after Retry-After',
  SERVICE_UNAVAILABLE:
    'a dependency did not answer; a create may have taken effect: repeat it with the same number, then query',
  INTERNAL_ERROR: 'a fault on our side',
};

/** Refusals that any route may answer with. */
const ALWAYS: readonly ErrorKind[] = ['METHOD_NOT_ALLOWED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** The responses of a route's refusals, one a status, each with the codes that it may carry. */
export function refusals(kinds: readonly ErrorKind[]): Record<number, TSchema> {
  const texts = new Map<number, string[]>();
  for (const kind of [...kinds, ...ALWAYS]) {
    const { status, code } = CATALOGUE[kind];
    texts.set(status, [...(texts.get(status) ?? []), `\`${code}\`: ${MEANING[kind]}.`]);
  }
  return Object.fromEntries(
    [...texts].map(([status, lines]) => [
      status,
      Type.Unsafe<Failure>({
        description: [STATUS_CODES[status], ...lines].join('\n\n'),
        $ref: 'Refusal#',
      }),
    ]),
  );
}

/** How an order's query is refused. */
export const QUERY_REFUSALS = [
  'INVALID_SIGNATURE',
  'INVALID_TIMESTAMP',
  'MALFORMED_REQUEST',
  'AUTHORIZATION_ERROR',
  'NOT_FOUND',
  'RATE_LIMITED',
] as const;
