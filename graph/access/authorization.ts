import type { Decider } from '../../domain/change-request';
import { CatalogueError, notFound } from '../../domain/errors';
import type { AuthenticatedMerchant } from '../../db/merchants/merchants';
import { PERMISSIONS, type Permission, reaches } from '../../domain/permissions';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import type { Actor } from './actor';

/**
 * Who may use a field: named on it by @Authorized; one of those that are named is enough. A permission is an
 * operator's that has it; ANYONE also has no login; OPERATOR is any operator at all, for what concerns only himself, PERSON one who has logged in, which an API token has not; SELF is the operator that
 * the field is about.
 */
export type Role =
  | Permission
  | 'ANYONE'
  | 'OPERATOR'
  | 'PERSON'
  | 'SELF'
  | 'MERCHANT'
  | 'DEPOSITOR'
  | 'WITHDRAWER'
  | 'AGENT'
  | 'CHANNEL'
  | 'PAYER'
  | 'OWNER';

/** The only fields that are open without a login. */
export const PUBLIC_FIELDS: ReadonlySet<string> = new Set([
  'Mutation.login',
  'Mutation.signIn',
  'Mutation.beginPasskeySignIn',
  'Mutation.requestPasswordReset',
  'Mutation.resetPassword',
  'Query.invitation',
  'Mutation.acceptInvitation',
]);

type Rule = (actor: Actor, root: unknown) => boolean;

const withPermission =
  (permission: Permission): Rule =>
  (actor) =>
    actor.kind === 'operator' && actor.operator.permissions.has(permission);

const HAS_ROLE = {
  ...(Object.fromEntries(
    PERMISSIONS.map((permission) => [permission, withPermission(permission)]),
  ) as Record<Permission, Rule>),
  ANYONE: () => true,
  OPERATOR: (actor: Actor) => actor.kind === 'operator',
  PERSON: (actor: Actor) => actor.kind === 'operator' && actor.via === 'session',
  SELF: (actor: Actor, root: unknown) =>
    actor.kind === 'operator' && (root as { id?: unknown }).id === actor.operator.id,
  MERCHANT: (actor: Actor) => actor.kind === 'merchant',
  DEPOSITOR: (actor: Actor) => actor.kind === 'merchant' && actor.merchant.canDeposit,
  WITHDRAWER: (actor: Actor) => actor.kind === 'merchant' && actor.merchant.canWithdraw,
  AGENT: (actor: Actor) => actor.kind === 'agent',
  PAYER: (actor: Actor) => actor.kind === 'payer',
  OWNER: (actor: Actor) => actor.kind === 'owner',
  CHANNEL: (actor: Actor) => actor.kind === 'channel',
} satisfies Record<Role, Rule>;

/** @throws UNAUTHENTICATED without a login, AUTHORIZATION_ERROR with one that may not */
export function authorize(actor: Actor, root: unknown, roles: readonly Role[]): void {
  if (roles.some((role) => HAS_ROLE[role](actor, root))) return;
  if (actor.kind === 'anonymous') throw new CatalogueError('UNAUTHENTICATED', 'log in first');
  throw new CatalogueError('AUTHORIZATION_ERROR', 'you are not allowed to do this');
}

/** The operator that asks. @throws AUTHORIZATION_ERROR for anyone else */
export function operatorOf(actor: Actor): OperatorWithAuthority {
  if (actor.kind === 'operator') return actor.operator;
  throw new CatalogueError('AUTHORIZATION_ERROR', 'operators only');
}

/** The calling operator as an approver. @throws AUTHORIZATION_ERROR for any other actor */
export const deciderOf = (actor: Actor): Decider => ({
  ...operatorOf(actor),
  via: actor.kind === 'operator' ? actor.via : 'token',
});

/** The merchant that asks. @throws AUTHORIZATION_ERROR for anyone else */
export function merchantOf(actor: Actor): AuthenticatedMerchant {
  if (actor.kind === 'merchant') return actor.merchant;
  throw new CatalogueError('AUTHORIZATION_ERROR', 'merchants only');
}

/** Whether an operator sees money of this merchant; null: of none, which only who is not restricted sees. */
export function seesMoneyOf(actor: Actor, merchantId: string | null): boolean {
  const operator = operatorOf(actor);
  return merchantId === null ? operator.merchantIds === null : reaches(operator, merchantId);
}

/** @throws NOT_FOUND for an operator restricted to other merchants, as if the row did not exist */
export function requireReach(actor: Actor, merchantId: string, what: string): void {
  if (actor.kind === 'operator' && !reaches(actor.operator, merchantId)) throw notFound(what);
}

/** An actor as events and allocations name it. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'anonymous':
      return 'anonymous';
    case 'operator':
      return `operator:${actor.operator.id}`;
    case 'merchant':
      return `merchant:${actor.merchant.id}`;
    case 'agent':
      return `agent:${actor.key.id}`;
    case 'payer':
      return `payer:${actor.sessionId}`;
    case 'owner':
      return `owner:${actor.linkId}`;
    case 'channel':
      return `channel:${actor.channelId}`;
  }
}

/**
 * What an operator may see, without who it is: two with the same key see the same. What is streamed to many is made
 * once for each view, so nothing in it may depend on who looks.
 */
export function viewOf(operator: OperatorWithAuthority): {
  readonly key: string;
  readonly actor: Actor;
} {
  const { permissions, merchantIds } = operator;
  const key = JSON.stringify([[...permissions].sort(), merchantIds && [...merchantIds].sort()]);
  const nobody: OperatorWithAuthority = {
    ...{ id: '', login: '', email: null, alertMails: false, roles: [] },
    totp: false,
    passkeys: 0,
    ...{ createdAt: new Date(0), disabledAt: null },
    ...{ permissions, merchantIds, approveLimits: {} },
  };
  return {
    key,
    actor: { kind: 'operator', operator: nobody, via: 'session', cookie: false, tokenHash: '' },
  };
}
