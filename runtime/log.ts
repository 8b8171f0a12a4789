import { randomUUID } from 'node:crypto';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Fields that never reach a log, down to the third level of the logged value. */
const SECRETS: ReadonlySet<string> = new Set([
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
]);
const DEPTH = 3;

const censored = (): string => '[redacted]';

/** Values with a class of their own (errors, dates) have their own serializers. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}

/**
 * The fields without secrets; the same object where there are none. Pino's own redaction would take a hundred times as
 * long for these fifteen names on three levels.
 */
function withoutSecrets<Fields extends object>(fields: Fields, depth = 1): Fields {
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields)) {
    let shown: unknown = value;
    if (SECRETS.has(name)) shown = censored();
    else if (depth < DEPTH && isPlain(value)) shown = withoutSecrets(value, depth + 1);
    if (shown === value) continue;
    copy ??= (Array.isArray(fields) ? [...(fields as unknown[])] : { ...fields }) as Record<string, unknown>;
    copy[name] = shown;
  }
  return (copy ?? fields) as Fields;
}

/** SQLSTATE's class of values that PostgreSQL cannot read or store: its message quotes them. */
const BAD_VALUE = /^22/;

/**
 * The logged fields of an error. PostgreSQL's detail, where, query and parameters stay out: they hold values of rows.
 * So does a value that its message quotes.
 */
function errorFields(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { name, message, code, stack, cause, constraint_name: constraint } = error as Record<string, unknown>;
  const inner = cause === undefined ? undefined : errorFields(cause);
  if (typeof message === 'string' && typeof code === 'string' && BAD_VALUE.test(code)) {
    const masked = message.replace(/".*"/s, '"…"');
    const where = typeof stack === 'string' ? stack.replaceAll(message, masked) : undefined;
    return { name, message: masked, code, constraint, stack: where, cause: inner };
  }
  return { name, message, code, constraint, stack, cause: inner };
}

/** A request's trace id, for its answer (X-Request-Id) and every log line that it causes: 32 hex characters. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '');

/**
 * Logs JSON lines to standard output, one an event.
 * @param base fields of each line: the role, and the process where a role has several
 */
export const createLogger = (
  base: string | Readonly<Record<string, string>>,
  level: string,
  destination: DestinationStream = pino.destination(1),
): Logger =>
  pino(
    {
      level,
      base: typeof base === 'string' ? { role: base } : base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: {
        err: errorFields,
        // A child's own fields pass no formatter.
        ...Object.fromEntries([...SECRETS].map((name) => [name, censored])),
      },
    },
    destination,
  );
