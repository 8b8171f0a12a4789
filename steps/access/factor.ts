import { factorAskedFor, isFresh } from '../../domain/authority/fresh-factor';
import { CatalogueError } from '../../domain/errors';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import type { Needs, StepDeps } from '../context';

/** Which second factors a deployment requires. */
export type FactorRules = Pick<StepDeps, 'approverPasskeys' | 'environment'>;

/** Whether an operator has a second factor. */
export const hasFactor = ({ totp, passkeys }: Pick<OperatorWithAuthority, 'passkeys' | 'totp'>): boolean =>
  totp || passkeys > 0;

/** Whether an operator must have a passkey: approvers must, if the deployment requires it. */
export const needsPasskey = (
  { approverPasskeys = false }: Pick<FactorRules, 'approverPasskeys'>,
  { permissions }: Pick<OperatorWithAuthority, 'permissions'>,
): boolean => approverPasskeys && permissions.has('APPROVE');

/**
 * What an operator must set up first; null: nothing. In production everybody needs a second factor, and an approver a
 * passkey.
 */
export function missingFactor(rules: FactorRules, operator: OperatorWithAuthority): 'FACTOR' | 'PASSKEY' | null {
  if (operator.passkeys === 0 && needsPasskey(rules, operator)) return 'PASSKEY';
  return rules.environment === 'production' && !hasFactor(operator) ? 'FACTOR' : null;
}

/** Whether a second factor that `purpose` accepts was shown in this session within five minutes. */
export function isProven(context: Needs<'actor' | 'approverPasskeys' | 'now'>, purpose: 'DECIDING' | 'OWN'): boolean {
  const { actor, now } = context;
  if (actor.kind !== 'operator') return false;
  const byPasskey = purpose === 'DECIDING' && needsPasskey(context, actor.operator);
  return isFresh(byPasskey ? actor.proof?.passkeyAt : actor.proof?.factorAt, now);
}

/**
 * Requires a fresh second factor of an operator who has one.
 * @throws FACTOR_REQUIRED if it was not shown within five minutes
 */
export function requireFreshFactor(
  context: Needs<'actor' | 'approverPasskeys' | 'authority' | 'now'>,
  mutation: string,
): void {
  const { actor, authority } = context;
  const purpose = factorAskedFor(authority, mutation);
  // A token was made with a fresh factor, and cannot approve.
  if (purpose === null || actor.kind !== 'operator' || actor.via === 'token') return;
  if (!hasFactor(actor.operator) || isProven(context, purpose)) return;
  throw new CatalogueError(
    'FACTOR_REQUIRED',
    'this step needs your second factor again: the last time was more than five minutes ago',
  );
}
