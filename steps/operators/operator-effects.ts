import { addressKey, isDecisive, problemOfGrant, widens } from '../../domain/authority/powers';
import type { Decider, Settings } from '../../domain/change-request';
import { businessError, notFound } from '../../domain/errors';
import { type Authority, authorityOf, type Permission, readApproveLimits } from '../../domain/permissions';
import { lockAddresses, mailLink } from '../../db/operators/operator-links';
import * as operators from '../../db/operators/operators';
import { deleteSessionsOf } from '../../db/operators/sessions';
import * as roles from '../../db/operators/roles';
import type { Transaction } from '../../db/client';
import { type Applied, effect } from '../changes/change-effect';
import type { LinkIds } from './operator-link';

/** An invitation before its approval; its mail is sent with the approval. */
export type InvitePayload = LinkIds &
  Readonly<{
    email: string;
    roles: readonly string[];
    merchantIds: readonly string[] | null;
    createdBy: string;
  }>;

/** An operator's new access. */
export type AccessPayload = Readonly<{
  id: string;
  roles: readonly string[];
  merchantIds: readonly string[] | null;
}>;

/** Whether an operator may log in. */
export type DisabledPayload = Readonly<{ id: string; disabled: boolean }>;

/** A role's new permissions. */
export type RolePayload = Readonly<{
  name: string;
  permissions: readonly Permission[];
  approveLimits: Readonly<Record<string, string>> | null;
}>;

/** A role to remove. */
export type DeleteRolePayload = Readonly<{ name: string }>;

/** An operator's access, as an approver compares it. */
export const accessSettings = (operator: operators.OperatorWithAuthority): Settings => ({
  roles: [...operator.roles].sort(),
  merchantIds: operator.merchantIds && [...operator.merchantIds].sort(),
  disabled: operator.disabledAt !== null,
});

/** A role's permissions, as an approver compares them. */
export const roleSettings = ({
  permissions,
  approveLimits,
}: Pick<roles.RoleRow, 'permissions' | 'approveLimits'>): Settings => ({
  permissions: [...permissions].sort(),
  approveLimits:
    approveLimits &&
    Object.fromEntries(Object.entries(approveLimits).map(([currency, amount]) => [currency, amount.toFixed()])),
});

/** The fewest operators who must remain with APPROVE, and with ADMIN, if two people are required. */
const LEAST_DECIDERS = 2;

/**
 * Gives or takes permissions, and refuses to shut everybody out: one ADMIN without restriction always remains; if two
 * people are required, two operators with ADMIN and two with APPROVE.
 */
async function keepingDeciders(tx: Transaction, { twoPeople }: Applied, work: () => Promise<void>): Promise<void> {
  const before = await operators.countDeciders(tx);
  await work();
  const after = await operators.countDeciders(tx);
  if (after.admins === 0) throw businessError('PROTECTED', 'at least one operator must keep ADMIN without restriction');
  if (!twoPeople) return;
  for (const [permission, was, is] of [
    ['ADMIN', before.admins, after.admins],
    ['APPROVE', before.approvers, after.approvers],
  ] as const)
    if (is < was && is < LEAST_DECIDERS)
      throw businessError(
        'PROTECTED',
        `at least ${LEAST_DECIDERS} operators must keep ${permission} without restriction`,
      );
}

/** The permissions of the roles with these names. */
const authorityOfRoles = async (
  tx: Transaction,
  names: readonly string[],
  merchantIds: readonly string[] | null,
): Promise<Authority> => authorityOf(await roles.findRoles(tx, names), merchantIds);

/** When new powers to decide begin. */
const decidesFrom = ({ now, coolingMs }: Applied): Date | null =>
  coolingMs === 0 ? null : new Date(now.getTime() + coolingMs);

async function requireRoles(tx: Transaction, names: readonly string[]): Promise<void> {
  const found = new Set((await roles.findRoles(tx, names)).map(({ name }) => name));
  const missing = names.find((name) => !found.has(name));
  if (missing !== undefined) throw businessError('UNKNOWN_VALUE', `the role ${missing} does not exist`);
}

/** One address, one person, one account. @throws PROTECTED if an operator or another open invitation has the address */
async function requireOneAccount(tx: Transaction, email: string, now: Date): Promise<void> {
  const others = await lockAddresses(tx, now);
  const twin = others.some(
    (other) =>
      addressKey(other.email) === addressKey(email) &&
      // An invitation to exactly this address is replaced by the new one.
      (other.isOperator || other.email.toLowerCase() !== email.toLowerCase()),
  );
  if (twin) throw businessError('ALREADY_EXISTS', 'an operator or an invitation has this address already');
}

/** Mails an invitation. */
export const inviteOperator = effect<InvitePayload>({
  apart: async (tx, { roles: names, merchantIds }, decider) =>
    problemOfGrant(await authorityOfRoles(tx, names, merchantIds), decider),
  apply: async (tx, invitation, { now }) => {
    await requireRoles(tx, invitation.roles);
    await requireOneAccount(tx, invitation.email, now);
    const link = { ...invitation, operatorId: null, approvedAt: now };
    await mailLink(tx, { ...link, purpose: 'INVITE' }, now);
  },
});

/** Sets an operator's roles and merchants. Ends its sessions. */
export const setOperatorAccess = effect<AccessPayload>({
  basis: async (tx, { id }) => {
    const operator = await operators.lockOperator(tx, id);
    return operator ? accessSettings(operator) : null;
  },
  apart: async (tx, { roles: names, merchantIds }, decider) =>
    problemOfGrant(await authorityOfRoles(tx, names, merchantIds), decider),
  apply: async (tx, { id, roles: names, merchantIds }, applied) => {
    await requireRoles(tx, names);
    const before = await operators.lockOperator(tx, id);
    const granted = await authorityOfRoles(tx, names, merchantIds);
    await keepingDeciders(tx, applied, async () => {
      if (!(await operators.setOperatorAccess(tx, id, names, merchantIds))) throw notFound('merchant');
      await deleteSessionsOf(tx, id);
    });
    if (before && widens(before, granted)) await operators.setDecidesFrom(tx, [id], decidesFrom(applied));
  },
});

/** Disables or enables an operator. */
export const setOperatorDisabled = effect<DisabledPayload>({
  basis: async (tx, { id }) => {
    const operator = await operators.lockOperator(tx, id);
    return operator ? accessSettings(operator) : null;
  },
  apart: async (tx, { id, disabled }, decider) => {
    const operator = disabled ? undefined : await operators.lockOperator(tx, id);
    return operator ? problemOfGrant(operator, decider) : null;
  },
  apply: async (tx, { id, disabled }, applied) => {
    await keepingDeciders(tx, applied, async () => {
      if (!(await operators.setOperatorDisabled(tx, id, disabled ? applied.now : null))) throw notFound('operator');
    });
    const operator = await operators.lockOperator(tx, id);
    if (!disabled && operator && isDecisive(operator)) await operators.setDecidesFrom(tx, [id], decidesFrom(applied));
  },
});

/** The access that a role alone would give, without restriction. */
const authorityOfRole = ({ name, permissions, approveLimits }: RolePayload): Authority =>
  authorityOf([{ name, permissions, approveLimits: readApproveLimits(approveLimits) }], null);

const apartFromRole = async (_tx: Transaction, role: RolePayload, decider: Decider): Promise<string | null> =>
  await Promise.resolve(problemOfGrant(authorityOfRole(role), decider));

/** Adds a role. */
export const createRole = effect<RolePayload>({
  apart: apartFromRole,
  apply: async (tx, role) => {
    if (await roles.lockRole(tx, role.name))
      throw businessError('ALREADY_EXISTS', 'a role of this name already exists');
    await roles.putRole(tx, role);
  },
});

/** Changes a role's permissions. Ends its holders' sessions. */
export const updateRole = effect<RolePayload>({
  basis: async (tx, { name }) => {
    const role = await roles.lockRole(tx, name);
    return role ? roleSettings(role) : null;
  },
  apart: apartFromRole,
  apply: async (tx, role, applied) => {
    const before = await roles.lockRole(tx, role.name);
    await keepingDeciders(tx, applied, async () => {
      if (!(await roles.putRole(tx, role))) throw businessError('PROTECTED', 'a built-in role cannot be changed');
      await roles.endSessionsOfRole(tx, role.name);
    });
    if (before && widens(authorityOf([before], null), authorityOfRole(role)))
      await operators.setDecidesFrom(tx, await operators.holdersOf(tx, role.name), decidesFrom(applied));
  },
});

/** Removes an unassigned role. */
export const deleteRole = effect<DeleteRolePayload>({
  apply: async (tx, { name }) => {
    if (!(await roles.deleteRole(tx, name)))
      throw businessError('PROTECTED', 'the role is built in, in use or does not exist');
  },
});
