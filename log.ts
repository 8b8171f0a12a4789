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

/** SQLSTATE's class of values that PostgreSQL cannot read or hold: its message quotes them. */
const BAD_VALUE = /^22/;

/**
 * What is told of an error. PostgreSQL's detail, where, query and parameters stay out: they hold values of rows. So
 * does what its message says of a value.
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
  if (typeof message === 'string' && typeof code === 'string' && BAD_VALUE.test(code)) {
    const told = message.replace(/".*"/s, '"…"');
    const where = typeof stack === 'string' ? stack.replaceAll(message, told) : undefined;
    return { name, message: told, code, constraint, stack: where, cause: inner };
  }
  return { name, message, code, constraint, stack, cause: inner };
}

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
