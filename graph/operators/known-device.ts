import { hexEquals } from '../../crypto/compare';
import { newSessionToken } from '../../crypto/tokens';
import { DEVICE_KNOWN_DAYS } from '../../domain/lockout';
import type { Identified } from '../../db/operators/operators';
import type { GraphContext } from '../context';

const DAY_SECONDS = 86_400;

type Knower = Pick<GraphContext, 'browser' | 'lookup' | 'now'>;
type Known = Pick<Identified, 'id' | 'passwordHash'>;

/** Of one operator, and ended by a new password. */
const proofText = (operator: Known, since: string, nonce: string): string =>
  `device:${operator.id}:${operator.passwordHash}:${since}:${nonce}`;

/**
 * Remembers the browser in which the operator has just logged in. The cookie opens nothing: failures of others do not
 * lock the login there.
 */
export function rememberDevice(context: Knower, operator: Known): void {
  const since = Math.floor(context.now.getTime() / 1000).toString();
  const nonce = newSessionToken();
  context.browser?.know(
    `${since}-${nonce}-${context.lookup(proofText(operator, since, nonce))}`,
    DEVICE_KNOWN_DAYS * DAY_SECONDS,
  );
}

const DEVICE =
  /^(?<since>\d{1,12})-(?<nonce>[0-9A-Za-z]{1,64})-(?<proof>(?:[0-9a-f]{8}\.)?[0-9a-f]{64})$/;

/** What names the browser if this operator has logged in there before; undefined where not, or too long ago. */
export function knownDevice(context: Knower, operator: Known): string | undefined {
  const {
    since = '',
    nonce = '',
    proof,
  } = DEVICE.exec(context.browser?.device ?? '')?.groups ?? {};
  if (proof === undefined) return undefined;
  const age = context.now.getTime() / 1000 - Number(since);
  if (age < 0 || age > DEVICE_KNOWN_DAYS * DAY_SECONDS) return undefined;
  const proofs = context.lookup.all(proofText(operator, since, nonce));
  return proofs.some((right) => hexEquals(proof, right)) ? nonce : undefined;
}
