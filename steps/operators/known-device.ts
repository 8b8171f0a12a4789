import { hexEquals } from '../../crypto/compare';
import { newSessionToken } from '../../crypto/tokens';
import { DEVICE_KNOWN_DAYS } from '../../domain/lockout';
import type { Identified } from '../../db/operators/operators';
import type { Needs } from '../context';

const DAY_SECONDS = 86_400;

type Knower = Needs<'browser' | 'lookup' | 'now'>;
type Known = Pick<Identified, 'id' | 'passwordHash'>;

/** The signed text of a device token: valid for one operator, until the password changes. */
const proofText = (operator: Known, since: string, nonce: string): string =>
  `device:${operator.id}:${operator.passwordHash}:${since}:${nonce}`;

/**
 * Marks the browser in which the operator has just logged in as known. The cookie grants nothing: it only keeps other
 * people's failures from locking the login there.
 */
export function rememberDevice(context: Knower, operator: Known): void {
  const since = Math.floor(context.now.getTime() / 1000).toString();
  const nonce = newSessionToken();
  context.browser?.know(
    `${since}-${nonce}-${context.lookup(proofText(operator, since, nonce))}`,
    DEVICE_KNOWN_DAYS * DAY_SECONDS,
  );
}

const DEVICE = /^(?<since>\d{1,12})-(?<nonce>[0-9A-Za-z]{1,64})-(?<proof>(?:[0-9a-f]{8}\.)?[0-9a-f]{64})$/;

/** The id of a browser in which this operator has logged in before; undefined if never, or too long ago. */
export function knownDevice(context: Knower, operator: Known): string | undefined {
  const { since = '', nonce = '', proof } = DEVICE.exec(context.browser?.device ?? '')?.groups ?? {};
  if (proof === undefined) return undefined;
  const age = context.now.getTime() / 1000 - Number(since);
  if (age < 0 || age > DEVICE_KNOWN_DAYS * DAY_SECONDS) return undefined;
  const proofs = context.lookup.all(proofText(operator, since, nonce));
  return proofs.some((right) => hexEquals(proof, right)) ? nonce : undefined;
}
