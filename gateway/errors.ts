import type { FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { CatalogueError, type ErrorKind, invalidField } from '../domain/errors';
import { metrics } from '../runtime/metrics';
import { failure } from './envelope';

/** Refusals by Fastify itself, by error code. */
const BY_FASTIFY_CODE: Readonly<Record<string, CatalogueError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new CatalogueError('PAYLOAD_TOO_LARGE', 'the body is too large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new CatalogueError(
    'MALFORMED_REQUEST',
    'the body is not as long as Content-Length says',
  ),
  FST_ERR_BAD_URL: new CatalogueError('MALFORMED_REQUEST', 'the URL must be percent-encoded UTF-8'),
  FST_ERR_MAX_PARAM_LENGTH: new CatalogueError('NOT_FOUND', 'route not found'),
  // The client left in the middle of its body: only the log sees this answer.
  ECONNRESET: new CatalogueError('MALFORMED_REQUEST', 'the request was cut short'),
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Refusals whose message may quote the caller: only the caller gets the message, not the log. */
const QUOTES_THE_CALLER: ReadonlySet<ErrorKind> = new Set(['INVALID_FIELD', 'MALFORMED_REQUEST']);

/** The broken rule of a field, in words; the rules themselves are the route's schema. */
function problemOf({ keyword, params }: FastifySchemaValidationError): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be a ${String(params['type']).replaceAll(',', ' or ')}`;
    case 'minLength':
      return `must have at least ${String(params['limit'])} characters`;
    case 'maxLength':
      return `must have at most ${String(params['limit'])} characters`;
    default:
      return 'has an invalid format';
  }
}

function invalidFieldOf([first]: readonly FastifySchemaValidationError[]): CatalogueError {
  if (!first) return new CatalogueError('INVALID_FIELD', 'a field is not valid');
  const [, named] = first.instancePath.split('/');
  return invalidField(named ?? String(first.params['missingProperty']), problemOf(first));
}

/** The catalogue's error behind a thrown value, or undefined for a bug of ours. */
function catalogueErrorOf(error: unknown): CatalogueError | undefined {
  if (error instanceof CatalogueError) return error;
  if (error instanceof Error && 'validation' in error && Array.isArray(error.validation))
    return invalidFieldOf(error.validation as FastifySchemaValidationError[]);
  return BY_FASTIFY_CODE[codeOf(error)];
}

/** Answers a thrown value with the envelope. Anything but a refusal is logged and becomes INTERNAL_ERROR. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  let error = catalogueErrorOf(thrown);
  if (!error) {
    request.log.error({ err: thrown }, 'request failed');
    error = new CatalogueError('INTERNAL_ERROR', 'internal error');
  }
  request.logFields.code = error.code;
  if (!QUOTES_THE_CALLER.has(error.kind)) request.logFields.refusal = error.message;
  metrics.refusals.inc({ kind: error.kind });
  if (error.status === 503 || error.status === 429)
    reply.header('retry-after', Math.ceil((error.detail.retryAfterMs ?? 1_000) / 1_000).toString());
  // Fastify would close the connection while the client still sends; Node reads and drops the rest.
  if (error.kind === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection');
  void reply.code(error.status).send(failure(error));
}
