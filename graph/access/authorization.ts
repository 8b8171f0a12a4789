import { CatalogueError } from '../../domain/errors';
import { type Permission, PERMISSIONS } from '../../domain/permissions';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import type { Actor } from '../../steps/access/actor';

/**
 * Who may use a field, as @Authorized names it; one of several names is enough. A permission: an operator who has it.
 * ANYONE: no login is needed. OPERATOR: any operator, for fields about the operator's own account. PERSON: an operator
 * who has logged in, not an API token. SELF: the operator that the field is about.
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
  | 'OWNER'
  | 'ENROLLER';

/** The only fields that are open without a login. */
export const PUBLIC_FIELDS: ReadonlySet<string> = new Set([
  'Mutation.login',
  'Mutation.signIn',
  'Mutation.beginPasskeySignIn',
  'Mutation.beginOidcSignIn',
  'Mutation.proveOidc',
  'Mutation.signInByOidc',
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
  ...(Object.fromEntries(PERMISSIONS.map((permission) => [permission, withPermission(permission)])) as Record<
    Permission,
    Rule
  >),
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
  ENROLLER: (actor: Actor) => actor.kind === 'enroller',
  CHANNEL: (actor: Actor) => actor.kind === 'channel',
} satisfies Record<Role, Rule>;

/** @throws UNAUTHENTICATED without a login, AUTHORIZATION_ERROR with one that may not */
export function authorize(actor: Actor, root: unknown, roles: readonly Role[]): void {
  if (roles.some((role) => HAS_ROLE[role](actor, root))) return;
  if (actor.kind === 'anonymous') throw new CatalogueError('UNAUTHENTICATED', 'log in first');
  throw new CatalogueError('AUTHORIZATION_ERROR', 'you are not allowed to do this');
}

/**
 * A key of what an operator may see: two operators with the same key see the same. An event is rendered once for each
 * key, so its fields must not depend on the operator.
 */
export function viewOf(operator: OperatorWithAuthority): {
  readonly key: string;
  readonly actor: Actor;
} {
  const { permissions, merchantIds } = operator;
  const key = JSON.stringify([[...permissions].sort(), merchantIds && [...merchantIds].sort()]);
  const nobody: OperatorWithAuthority = {
    id: '',
    login: '',
    email: null,
    alertMails: false,
    roles: [],
    totp: false,
    passkeys: 0,
    createdAt: new Date(0),
    disabledAt: null,
    permissions,
    merchantIds,
    approveLimits: {},
  };
  return {
    key,
    actor: { kind: 'operator', operator: nobody, via: 'session', cookie: false, tokenHash: '' },
  };
}
