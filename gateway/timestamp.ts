import { CatalogueError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import type { GatewayDeps } from './deps';

/** Unix seconds, up to twelve digits. */
const UNIX_SECONDS = /^\d{1,12}$/;

/**
 * Checks a timestamp header against the window (contract, "Authentication": 5 minutes either way, inclusive, in whole
 * seconds).
 * @returns the header as sent, which is what was signed
 * @throws INVALID_TIMESTAMP if it is missing, unreadable or outside the window, SERVICE_UNAVAILABLE instead of that if our
 * clock is off: then the caller's may be right
 */
export function checkTimestamp(
  header: string | undefined,
  { clock, isClockOff }: Pick<GatewayDeps, 'clock' | 'isClockOff'>,
): string {
  if (header === undefined || !UNIX_SECONDS.test(header))
    throw new CatalogueError('INVALID_TIMESTAMP', 'the timestamp must be Unix seconds');
  const distance = Math.abs(Math.floor(clock().getTime() / 1000) - Number(header));
  if (distance <= LIMITS.timestampWindowSeconds) return header;
  if (isClockOff?.() === true) throw new CatalogueError('SERVICE_UNAVAILABLE', "this machine's clock is off");
  throw new CatalogueError(
    'INVALID_TIMESTAMP',
    `the timestamp is more than ${LIMITS.timestampWindowSeconds} seconds from our clock`,
  );
}
