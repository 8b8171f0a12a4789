import type { CallbackAnswer, UnreachableReason } from '../../domain/callback-verdict';
import type { AnswerHead } from './answer-head';
import { BlockedTargetError, LookupError } from './guarded-connector';

/** The attempt's time is up. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly code = 'CALLBACK_DEADLINE';
}

const REASONS: readonly (readonly [RegExp, UnreachableReason])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, 'reset'],
  [/^(ETIMEDOUT|CALLBACK_DEADLINE)$/, 'timeout'],
  [/^(HTTPParserError$|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES_)/, 'protocol'],
  // OpenSSL's verification codes and Node's own: Node gives them no common prefix.
  [/CERT|CRL|SIGNATURE|ISSUER|^ERR_(SSL|TLS)_|^EPROTO$|^INVALID_(CA|PURPOSE)$/, 'tls'],
  [/^(HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED)$/, 'tls'],
];

/** The request could not be built, or the sender is closed: not the receiver's fault. */
const OURS = /^UND_ERR_(INVALID_ARG|DESTROYED|CLOSED|NOT_SUPPORTED)$/;

const DETAIL_LENGTH = 200;

function read(error: unknown, key: 'code' | 'name' | 'message'): string {
  const value = (error as Partial<Record<typeof key, unknown>> | null)?.[key];
  return typeof value === 'string' ? value : '';
}

// undici's parser errors carry no code.
const codeOf = (error: unknown): string => read(error, 'code') || read(error, 'name');

const reasonOf = (code: string): UnreachableReason => REASONS.find(([codes]) => codes.test(code))?.[1] ?? 'network';

/**
 * Whether an answer came whose status is clear, and whose headers alone made the parser fail: they are odd, too long, or
 * end with a line and the connection. A connection that broke off within a line, or a time that is up, is no answer.
 */
export function isOddAnswer(error: unknown, { status, endsWithLine }: AnswerHead): boolean {
  const code = codeOf(error);
  return status !== null && (reasonOf(code) === 'protocol' || (code === 'UND_ERR_SOCKET' && endsWithLine));
}

/**
 * An attempt's error as an answer. The detail comes from the error's code and message, in which neither undici nor Node
 * puts headers or bodies.
 * @throws the error itself when it is our own fault
 */
export function failure(error: unknown): CallbackAnswer {
  if (error instanceof BlockedTargetError) {
    return { kind: 'blocked', reason: 'address_not_allowed' };
  }
  const code = codeOf(error);
  if (OURS.test(code)) throw error;
  const detail = `${code} ${read(error, 'message')}`.trim().slice(0, DETAIL_LENGTH);
  if (error instanceof LookupError) return { kind: 'unreachable', reason: 'dns', detail };
  return { kind: 'unreachable', reason: reasonOf(code), detail };
}
