import { randomBytes } from 'node:crypto';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Fields that never reach a log, down to the third level of what is logged. */
const SECRETS = [
  'apiKey',
  'api_key',
  'secret',
  'signature',
  'password',
  'token',
  'authorization',
  'accountNo',
  'account_no',
  'payerAccount',
  'payer_account',
  'x-api-key',
  'x-signature',
  'x-agent-signature',
  'cookie',
];

/**
 * What is told of an error. PostgreSQL's detail, where, query and parameters stay out: they hold values of rows.
 */
function errorFields(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const {
    name,
    message,
    code,
    stack,
    cause,
    constraint_name: constraint,
  } = error as Record<string, unknown>;
  const inner = cause === undefined ? undefined : errorFields(cause);
  return { name, message, code, constraint, stack, cause: inner };
}

/** Names a request in its answer (X-Request-Id), in each log line and in all that comes of it: 32 hex characters. */
export const newTraceId = (): string => randomBytes(16).toString('hex');

/** JSON lines on standard output, one a happening: what an engineer needs at 3 a.m. */
export const createLogger = (
  role: string,
  level: string,
  destination: DestinationStream = pino.destination(1),
): Logger =>
  pino(
    {
      level,
      base: { role },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields },
      redact: {
        paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[redacted]',
      },
    },
    destination,
  );
