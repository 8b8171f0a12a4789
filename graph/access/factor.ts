import { factorAskedFor, isFresh } from '../../domain/authority/fresh-factor';
import { CatalogueError } from '../../domain/errors';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import type { GraphContext, GraphDeps } from '../context';

/** What a deployment asks of its people. */
export type FactorRules = Pick<GraphDeps, 'approverPasskeys' | 'environment'>;

/** Whether an operator has something beside the password to prove himself by. */
export const hasFactor = ({
  totp,
  passkeys,
}: Pick<OperatorWithAuthority, 'passkeys' | 'totp'>): boolean => totp || passkeys > 0;

/** Whether an operator must have a passkey, because he approves and the deployment asks for it. */
export const needsPasskey = (
  { approverPasskeys = false }: Pick<FactorRules, 'approverPasskeys'>,
  { permissions }: Pick<OperatorWithAuthority, 'permissions'>,
): boolean => approverPasskeys && permissions.has('APPROVE');

/**
 * What an operator must set up before anything else; null: nothing. In production everybody needs a second factor, and
 * an approver a passkey.
 */
export function missingFactor(
  rules: FactorRules,
  operator: OperatorWithAuthority,
): 'FACTOR' | 'PASSKEY' | null {
  if (operator.passkeys === 0 && needsPasskey(rules, operator)) return 'PASSKEY';
  return rules.environment === 'production' && !hasFactor(operator) ? 'FACTOR' : null;
}

/** Whether the person behind a session has shown a second factor within five minutes, as `purpose` asks for it. */
export function isProven(
  context: Pick<GraphContext, 'actor' | 'approverPasskeys' | 'now'>,
  purpose: 'DECIDING' | 'OWN',
): boolean {
  const { actor, now } = context;
  if (actor.kind !== 'operator') return false;
  const byPasskey = purpose === 'DECIDING' && needsPasskey(context, actor.operator);
  return isFresh(byPasskey ? actor.proof?.passkeyAt : actor.proof?.factorAt, now);
}

/**
 * Keeps who has a second factor from a step that asks for a fresh one.
 * @throws FACTOR_REQUIRED where he has not shown it within five minutes
 */
export function requireFreshFactor(context: GraphContext, mutation: string): void {
  const { actor, authority } = context;
  const purpose = factorAskedFor(authority, mutation);
  // A token was made with a fresh factor, and decides nothing.
  if (purpose === null || actor.kind !== 'operator' || actor.via === 'token') return;
  if (!hasFactor(actor.operator) || isProven(context, purpose)) return;
  throw new CatalogueError(
    'FACTOR_REQUIRED',
    'this step needs your second factor again: the last time was more than five minutes ago',
  );
}
