import type { Settings } from '../../domain/change-request';
import { businessError, notFound } from '../../domain/errors';
import type { Permission } from '../../domain/permissions';
import { mailLink } from '../../db/operators/operator-links';
import * as operators from '../../db/operators/operators';
import * as roles from '../../db/operators/roles';
import type { Transaction } from '../../db/client';
import { effect } from '../changes/change-effect';
import type { LinkSecret } from './operator-link';

/** An invitation that waits for its approval; its mail goes out then. */
export type InvitePayload = LinkSecret &
  Readonly<{
    email: string;
    roles: readonly string[];
    merchantIds: readonly string[] | null;
    createdBy: string;
  }>;

/** What an operator is to be. */
export type AccessPayload = Readonly<{
  id: string;
  roles: readonly string[];
  merchantIds: readonly string[] | null;
}>;

/** Whether an operator may log in. */
export type DisabledPayload = Readonly<{ id: string; disabled: boolean }>;

/** What a role is to be. */
export type RolePayload = Readonly<{
  name: string;
  permissions: readonly Permission[];
  approveLimits: Readonly<Record<string, string>> | null;
}>;

/** A role to remove. */
export type DeleteRolePayload = Readonly<{ name: string }>;

/** What changes about an operator, as people compare it. */
export const accessSettings = (operator: operators.OperatorWithAuthority): Settings => ({
  roles: [...operator.roles].sort(),
  merchantIds: operator.merchantIds && [...operator.merchantIds].sort(),
  disabled: operator.disabledAt !== null,
});

/** What a role allows, as people compare it. */
export const roleSettings = ({
  permissions,
  approveLimits,
}: Pick<roles.RoleRow, 'permissions' | 'approveLimits'>): Settings => ({
  permissions: [...permissions].sort(),
  approveLimits:
    approveLimits &&
    Object.fromEntries(
      Object.entries(approveLimits).map(([currency, amount]) => [currency, amount.toFixed()]),
    ),
});

/** At least one operator must be able to invite others. */
async function keepAnAdmin(tx: Transaction): Promise<void> {
  if (!(await operators.hasAdmin(tx)))
    throw businessError('PROTECTED', 'at least one operator must keep ADMIN without restriction');
}

async function requireRoles(tx: Transaction, names: readonly string[]): Promise<void> {
  const found = new Set((await roles.findRoles(tx, names)).map(({ name }) => name));
  const missing = names.find((name) => !found.has(name));
  if (missing !== undefined)
    throw businessError('UNKNOWN_VALUE', `the role ${missing} does not exist`);
}

/** Mails an invitation. */
export const inviteOperator = effect<InvitePayload>({
  apply: async (tx, invitation, { now }) => {
    await requireRoles(tx, invitation.roles);
    await mailLink(tx, { ...invitation, purpose: 'INVITE', operatorId: null }, now);
  },
});

/** Sets an operator's roles and merchants. Ends its sessions. */
export const setOperatorAccess = effect<AccessPayload>({
  basis: async (tx, { id }) => {
    const operator = await operators.lockOperator(tx, id);
    return operator ? accessSettings(operator) : null;
  },
  apply: async (tx, { id, roles: names, merchantIds }) => {
    await requireRoles(tx, names);
    if (!(await operators.setOperatorAccess(tx, id, names, merchantIds)))
      throw notFound('merchant');
    await operators.deleteSessionsOf(tx, id);
    await keepAnAdmin(tx);
  },
});

/** Lets an operator log in no more, or again. */
export const setOperatorDisabled = effect<DisabledPayload>({
  basis: async (tx, { id }) => {
    const operator = await operators.lockOperator(tx, id);
    return operator ? accessSettings(operator) : null;
  },
  apply: async (tx, { id, disabled }, { now }) => {
    if (!(await operators.setOperatorDisabled(tx, id, disabled ? now : null)))
      throw notFound('operator');
    await keepAnAdmin(tx);
  },
});

/** Adds a role. */
export const createRole = effect<RolePayload>({
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
  apply: async (tx, role) => {
    if (!(await roles.putRole(tx, role)))
      throw businessError('PROTECTED', 'a built-in role cannot be changed');
    await roles.endSessionsOfRole(tx, role.name);
    await keepAnAdmin(tx);
  },
});

/** Removes an unassigned role. */
export const deleteRole = effect<DeleteRolePayload>({
  apply: async (tx, { name }) => {
    if (!(await roles.deleteRole(tx, name)))
      throw businessError('PROTECTED', 'the role is built in, in use or does not exist');
  },
});
