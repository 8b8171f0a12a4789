import { hash, verify } from '@node-rs/argon2';
import { newSessionToken } from '../../crypto/tokens';
import { CatalogueError } from '../../domain/errors';
import { EVERYWHERE_DELAYS, LOGIN_DELAYS, NETWORK_DELAYS, networkOf } from '../../domain/lockout';
import { normalLogin, normalPassword } from '../../domain/password';
import { raiseAlert } from '../../db/alerts/alerts';
import { countAttempt, findBlockedUntil, discountAttempt, forgetFailures } from '../../db/operators/login-throttles';
import { findOperatorByLogin, type Identified, type OperatorWithAuthority } from '../../db/operators/operators';
import { metrics } from '../../runtime/metrics';
import type { Needs } from '../context';
import { hasFactor, isProven } from '../access/factor';
import { knownDevice } from './known-device';
import { isShown, type ShownFactor, useFactor } from './use-factor';

/** The argon2id hash of a password. */
export const hashPassword = async (password: string): Promise<string> => await hash(normalPassword(password));

/** Whether a password fits the hash. */
export const isPassword = async (passwordHash: string, password: string): Promise<boolean> =>
  await verify(passwordHash, normalPassword(password));

/** Verified if there is no such login, so that the response time does not reveal which logins exist. */
let decoy: Promise<string> | undefined;

/** The requests that have used their password check: it is slow on purpose, so each request may do one. */
const asked = new WeakSet<object>();

/** Allows a request one password check. @throws RATE_LIMITED */
export function oncePerRequest(request: object): void {
  if (asked.has(request))
    throw new CatalogueError('RATE_LIMITED', 'only one login attempt is allowed in a request', {
      retryAfterMs: 0,
    });
  asked.add(request);
}

/** A count of failures. */
interface Throttle {
  readonly key: string;
  /** The key by which an alert is raised once: one for a network, over all logins. */
  readonly placeKey: string;
  readonly delays: readonly number[];
}

/**
 * The counts of an attempt, the narrowest first. In the operator's own session, and in a known browser, other people's
 * failures do not count.
 */
function throttlesOf(
  context: Needs<'actor' | 'browser' | 'lookup' | 'now' | 'origin'>,
  login: string,
  operator: Identified | undefined,
): readonly Throttle[] {
  const { actor, lookup, origin } = context;
  const throttle = (what: string, delays: readonly number[], place = what): Throttle => ({
    key: lookup(`throttle:${what}`),
    placeKey: lookup(`throttle:${place}`),
    delays,
  });
  if (actor.kind === 'operator' && actor.operator.id === operator?.id)
    return [throttle(`session:${actor.tokenHash}`, LOGIN_DELAYS)];
  const device = operator && knownDevice(context, operator);
  if (device !== undefined) return [throttle(`device:${device}`, LOGIN_DELAYS)];
  const network = origin.address === null ? null : networkOf(origin.address);
  return [
    throttle(`login:${login}:${network ?? ''}`, LOGIN_DELAYS, `network:${network ?? ''}`),
    ...(network === null ? [] : [throttle(`network:${network}`, NETWORK_DELAYS)]),
    throttle(`login:${login}`, EVERYWHERE_DELAYS),
  ];
}

/** Counts an attempt in all counts, or in none. @throws RATE_LIMITED */
async function countAll(
  { database, log, now }: Needs<'database' | 'log' | 'now'>,
  throttles: readonly Throttle[],
): Promise<void> {
  for (const [index, { key, delays }] of throttles.entries()) {
    if (await countAttempt(database, key, delays, now)) continue;
    for (const counted of throttles.slice(0, index)) await discountAttempt(database, counted.key);
    metrics.logins.inc({ outcome: 'locked' });
    log.warn('login refused: too many failures');
    const until = await findBlockedUntil(database, key);
    const retryAfterMs = Math.max(1, (until?.getTime() ?? 0) - now.getTime());
    throw new CatalogueError('RATE_LIMITED', 'too many failed logins: wait a few minutes', {
      retryAfterMs,
    });
  }
}

/**
 * Raises an alert if a failed attempt has locked a login. Once an hour for each network, session, known browser, and
 * for each login over all networks, whether the login exists or not.
 */
async function tellOfLock(
  { database, now, origin }: Needs<'database' | 'now' | 'origin'>,
  throttles: readonly Throttle[],
  login: string | null,
): Promise<void> {
  for (const { key, placeKey } of throttles) {
    if ((await findBlockedUntil(database, key)) === null) continue;
    const hour = now.toISOString().slice(0, 13);
    const about = {
      login,
      address: origin.address,
      reason: 'too many failures: the login is locked for a while',
    };
    await raiseAlert(database, { kind: 'LOGIN_LOCKED', key: `lock:${placeKey}:${hour}`, about }, now);
  }
}

/** The operator who has logged in, and the second factor that was shown; null: none. */
export type Proven = Identified & { readonly factor: 'CODE' | 'PASSKEY' | null };

/** After a success: the narrowest count begins again. */
async function forgive({ database }: Needs<'database'>, throttles: readonly Throttle[]): Promise<void> {
  for (const { key } of throttles.slice(0, 1)) await forgetFailures(database, key);
  for (const { key } of throttles.slice(1)) await discountAttempt(database, key);
}

/**
 * How `identify` treats the second factor. `PASSWORD`: it follows later. `PROVEN`: it was shown within five minutes; if
 * it is shown again, it counts. `PROVIDER`: an identity provider stands in for the password; the second factor is asked
 * for as at a login.
 */
interface Credentials extends ShownFactor {
  readonly login: string;
  readonly password: string;
  readonly by?: 'PASSWORD' | 'PROVEN' | 'PROVIDER';
}

/** What a login needs. */
type LoginNeeds = Needs<'actor' | 'browser' | 'database' | 'log' | 'lookup' | 'now' | 'origin' | 'sealer'>;

/**
 * Identifies an operator by password and, if enrolled, second factor. Failures lock the login for their network, for a
 * growing time, whether the login exists or not: neither the answer nor its timing reveals that.
 * @throws UNAUTHENTICATED for wrong credentials, CODE_REQUIRED if only the second factor is missing, RATE_LIMITED while
 * locked
 */
export async function identify(context: LoginNeeds & Needs<'audit'>, credentials: Credentials): Promise<Proven> {
  const { database, log } = context;
  oncePerRequest(context);
  const login = normalLogin(credentials.login);
  const operator = await findOperatorByLogin(database, login);
  const throttles = throttlesOf(context, login, operator);
  await countAll(context, throttles);
  // The audit log records the login name, also for a refused attempt.
  context.audit.note = { operator: operator ?? null };
  decoy ??= hashPassword(newSessionToken());
  const byProvider = credentials.by === 'PROVIDER';
  const right = byProvider || (await isPassword(operator?.passwordHash ?? (await decoy), credentials.password));
  const shown = isShown(credentials);
  const wholly = !credentials.by || byProvider;
  const asks = operator !== undefined && hasFactor(operator) && (shown || wholly);
  if (operator && right && asks && !shown) {
    for (const { key } of throttles) await discountAttempt(database, key);
    throw new CatalogueError(
      'CODE_REQUIRED',
      operator.totp ? 'a code of the authenticator app is required' : 'a passkey, or a recovery code, is required',
    );
  }
  const factor = operator && right && asks ? await useFactor(context, operator, credentials, 'SIGN_IN') : null;
  if (!operator || !right || (asks && factor === null)) {
    metrics.logins.inc({ outcome: 'refused' });
    log.warn('login refused');
    await tellOfLock(context, throttles, operator?.login ?? null);
    throw new CatalogueError('UNAUTHENTICATED', 'login, password or code is wrong');
  }
  // A correct password alone does not reset the count of wrong codes.
  if (asks || !hasFactor(operator) || credentials.by === 'PROVEN') await forgive(context, throttles);
  else for (const { key } of throttles) await discountAttempt(database, key);
  return { ...operator, factor };
}

/**
 * Verifies the person again before a sensitive action, in case the screen was left unlocked. A second factor that was
 * shown within five minutes need not be shown again.
 * @throws UNAUTHENTICATED, CODE_REQUIRED, RATE_LIMITED as at a login; FACTOR_REQUIRED if the operator has only passkeys
 */
export async function confirmIdentity(
  context: LoginNeeds & Needs<'approverPasskeys' | 'audit'>,
  operator: OperatorWithAuthority,
  password: string,
  code?: string | null,
): Promise<void> {
  const proven = isProven(context, 'OWN');
  if (!proven && !operator.totp && operator.passkeys > 0 && !isShown({ code }))
    throw new CatalogueError('FACTOR_REQUIRED', 'this step needs your passkey again');
  await identify(context, {
    login: operator.login,
    password,
    code: code ?? null,
    ...(proven ? { by: 'PROVEN' } : {}),
  });
}

/**
 * Verifies the second factor of an operator who is logged in.
 * @throws UNAUTHENTICATED if it is wrong, RATE_LIMITED after failures in this session
 */
export async function confirmFactor(
  context: LoginNeeds,
  operator: OperatorWithAuthority,
  shown: ShownFactor,
): Promise<'CODE' | 'PASSKEY'> {
  // Only the session's own count: no password and no other login is tried in it.
  const throttles = throttlesOf(context, operator.login, { ...operator, passwordHash: '' });
  await countAll(context, throttles);
  const factor = await useFactor(context, operator, shown, 'CONFIRM');
  if (factor === null) {
    await tellOfLock(context, throttles, operator.login);
    throw new CatalogueError('UNAUTHENTICATED', 'the code or the passkey is wrong');
  }
  await forgive(context, throttles);
  return factor;
}
