import { type Permission, readApproveLimits, type Role } from '../../domain/permissions';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { roles } from '../schema/operators';

/** A role and whether it is one of those that never change. */
export interface RoleRow extends Role {
  readonly builtIn: boolean;
}

/** A role in the form of its columns. */
export type RoleColumns = RowOf<typeof roles>;

/** The role of its columns. */
export const roleOf = (row: RoleColumns): RoleRow => ({
  ...row,
  approveLimits: readApproveLimits(row.approveLimits),
});

/** Roles by name. */
export const findRoles = async (sql: Database['sql'] | Transaction, names: readonly string[]): Promise<RoleRow[]> =>
  (
    await sql<RoleColumns[]>`
      select name, permissions, approve_limits, built_in from roles where name = any(${[...names]})`
  ).map(roleOf);

/** The role, its row locked. */
export const lockRole = async (tx: Transaction, name: string): Promise<RoleRow | undefined> => {
  const [row] = await tx<RoleColumns[]>`
    select name, permissions, approve_limits, built_in from roles where name = ${name} for update`;
  return row && roleOf(row);
};

/** Adds or changes a role. @returns false for a built-in one */
export async function putRole(
  tx: Transaction,
  role: {
    readonly name: string;
    readonly permissions: readonly Permission[];
    readonly approveLimits: Readonly<Record<string, string>> | null;
  },
): Promise<boolean> {
  const { name, permissions, approveLimits } = role;
  const { count } = await tx`
    insert into roles as r (name, permissions, approve_limits, built_in)
    values (${name}, ${[...permissions]}, ${approveLimits === null ? null : tx.json(approveLimits)}, false)
    on conflict (name) do update
      set permissions = excluded.permissions, approve_limits = excluded.approve_limits
    where not r.built_in`;
  return count > 0;
}

/** Removes an unassigned role. @returns false for a built-in or assigned one */
export async function deleteRole(tx: Transaction, name: string): Promise<boolean> {
  const { count } = await tx`
    delete from roles r where r.name = ${name} and not r.built_in
      and not exists (select from operator_roles o where o.role = r.name)`;
  return count > 0;
}

/** Ends the sessions of all holders of a role: its permissions have changed. */
export async function endSessionsOfRole(tx: Transaction, name: string): Promise<void> {
  await tx`
    delete from operator_sessions s using operator_roles r
    where r.operator_id = s.operator_id and r.role = ${name}`;
}
