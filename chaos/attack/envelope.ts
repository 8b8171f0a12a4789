import type { WireAnswer } from './wire';

/** A parsed answer of the public listener. */
export interface Envelope {
  readonly success: boolean;
  readonly code: string;
  readonly data: Record<string, unknown> | null;
}

const KEYS = 'success,code,message,data';

/** The envelope of an answer, or undefined if it is something else (contract, "What the service does", rule 3). */
export function envelopeOf({ status, headers, body }: WireAnswer): Envelope | undefined {
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return undefined;
  let read: unknown;
  try {
    read = JSON.parse(body.toString());
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null || Object.keys(read).join() !== KEYS) return undefined;
  const { success, code, message, data } = read as Record<string, unknown>;
  const succeeded = status >= 200 && status < 300;
  const whole =
    success === succeeded &&
    typeof code === 'string' &&
    typeof message === 'string' &&
    (succeeded ? code === 'SUCCESS' && message === 'OK' : code !== 'SUCCESS' && data === null);
  return whole ? { success: succeeded, code, data: data as Envelope['data'] } : undefined;
}
