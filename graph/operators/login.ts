import { hash, verify } from '@node-rs/argon2';
import { newSessionToken } from '../../crypto/tokens';
import { totpStep } from '../../crypto/totp';
import { CatalogueError } from '../../domain/errors';
import { ADDRESS_DELAYS, LOGIN_DELAYS } from '../../domain/lockout';
import { normalLogin, normalPassword } from '../../domain/password';
import {
  countAttempt,
  findBlockedUntil,
  discountAttempt,
  forgetFailures,
} from '../../db/operators/login-throttles';
import { findOperatorByLogin, type OperatorWithAuthority } from '../../db/operators/operators';
import { findTotp, useRecoveryCode, useStep } from '../../db/operators/second-factor';
import { metrics } from '../../runtime/metrics';
import type { GraphContext } from '../context';

/** The argon2id hash of a password. */
export const hashPassword = async (password: string): Promise<string> =>
  await hash(normalPassword(password));

/** Whether a password is the one that was hashed. */
export const isPassword = async (passwordHash: string, password: string): Promise<boolean> =>
  await verify(passwordHash, normalPassword(password));

/** Verified where no such login exists, so that the response time does not reveal which logins exist. */
let decoy: Promise<string> | undefined;

/** The requests that have asked for a password check: it is slow on purpose, and a request may ask for one. */
const asked = new WeakSet<GraphContext>();

/** Lets a request check one password. @throws RATE_LIMITED */
export function oncePerRequest(context: GraphContext): void {
  if (asked.has(context))
    throw new CatalogueError('RATE_LIMITED', 'only one login attempt is allowed in a request', {
      retryAfterMs: 0,
    });
  asked.add(context);
}

/** A recovery code as it is kept. */
export const recoveryHash = (
  { lookup }: Pick<GraphContext, 'lookup'>,
  operatorId: string,
  code: string,
): string => lookup(`recovery:${operatorId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);

/** Whether a code of the app, or else a recovery code, is right and was not used before; it is used up. */
export async function useCode(
  context: Pick<GraphContext, 'database' | 'lookup' | 'now' | 'sealer'>,
  operatorId: string,
  code: string,
): Promise<boolean> {
  const { database, now, sealer } = context;
  const text = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(text))
    return await useRecoveryCode(
      database,
      operatorId,
      recoveryHash(context, operatorId, text),
      now,
    );
  const totp = await findTotp(database, operatorId);
  if (!totp?.confirmedAt) return false;
  const step = totpStep(sealer.open(totp.sealedSecret, `totp:${operatorId}`), text, now);
  return step !== undefined && (await useStep(database.sql, operatorId, step));
}

/** The keys under which failures of a login, and from an address, are counted. */
const throttles = (
  { lookup, origin }: GraphContext,
  login: string,
): readonly { readonly key: string; readonly delays: readonly number[] }[] => [
  ...(origin.address === null
    ? []
    : [{ key: lookup(`throttle:address:${origin.address}`), delays: ADDRESS_DELAYS }]),
  { key: lookup(`throttle:login:${login}`), delays: LOGIN_DELAYS },
];

/**
 * Identifies an operator by password and, if enrolled, second factor. Failures lock the login for a growing time, whether
 * it exists or not: neither the answer nor its timing reveals that.
 * @throws UNAUTHENTICATED for wrong credentials, CODE_REQUIRED where only the code is missing, RATE_LIMITED while locked
 */
export async function identify(
  context: GraphContext,
  credentials: { readonly login: string; readonly password: string; readonly code?: string | null },
): Promise<OperatorWithAuthority> {
  const { database, log, now } = context;
  oncePerRequest(context);
  const login = normalLogin(credentials.login);
  const counted = throttles(context, login);
  for (const { key, delays } of counted)
    if (!(await countAttempt(database, key, delays, now))) {
      metrics.logins.inc({ outcome: 'locked' });
      log.warn('login refused: too many failures');
      const until = await findBlockedUntil(database, key);
      const retryAfterMs = Math.max(1, (until?.getTime() ?? 0) - now.getTime());
      throw new CatalogueError('RATE_LIMITED', 'too many failed logins: wait a few minutes', {
        retryAfterMs,
      });
    }
  const operator = await findOperatorByLogin(database, login);
  // The audit log records the login, also of a refused attempt.
  context.audit.note = { operator: operator ?? null };
  decoy ??= hashPassword(newSessionToken());
  const right = await isPassword(operator?.passwordHash ?? (await decoy), credentials.password);
  const code = credentials.code?.trim() ?? '';
  if (operator && right && operator.totp && code === '') {
    for (const { key } of counted) await discountAttempt(database, key);
    throw new CatalogueError('CODE_REQUIRED', 'a code of the authenticator app is required');
  }
  if (!operator || !right || (operator.totp && !(await useCode(context, operator.id, code)))) {
    metrics.logins.inc({ outcome: 'refused' });
    log.warn('login refused');
    throw new CatalogueError('UNAUTHENTICATED', 'login, password or code is wrong');
  }
  for (const { key } of counted.slice(0, -1)) await discountAttempt(database, key);
  for (const { key } of counted.slice(-1)) await forgetFailures(database, key);
  return operator;
}

/**
 * Verifies the person again before a sensitive action, in case the screen was left unlocked.
 * @throws UNAUTHENTICATED, CODE_REQUIRED, RATE_LIMITED as at a login
 */
export async function confirmIdentity(
  context: GraphContext,
  operator: OperatorWithAuthority,
  password: string,
  code?: string | null,
): Promise<void> {
  await identify(context, { login: operator.login, password, code: code ?? null });
}
