import { Field, InputType } from 'type-graphql';
import type { Permission } from '../../domain/permissions';
import * as db from '../../db/operators/role-list';
import { PermissionEnum } from '../access/permission';
import { connectionOf, sortEnum } from '../connection';
import { listResolver } from '../list-resolver';
import { Role, shownRole } from './operator-access';

@InputType({ description: 'Filter of roles. All given conditions must hold.' })
export class RoleFilter implements db.RoleFilter {
  @Field(() => Boolean, { nullable: true, description: 'True: those that never change.' })
  builtIn?: boolean | null;

  @Field(() => [PermissionEnum], { nullable: true, description: 'Allows one of these.' })
  permission?: Permission[] | null;
}

export const RoleListResolver = listResolver('roles', {
  description: 'The roles, by name.',
  role: 'ADMIN',
  connection: connectionOf(Role, 'Role'),
  sort: sortEnum('RoleSort', { NAME: 'By their name' }),
  defaultSort: 'NAME_ASC',
  filter: RoleFilter,
  sorts: db.ROLE_SORTS,
  id: { of: ({ name }) => name, type: 'text' },
  read: async (database, filter: db.RoleFilter, page) => {
    const { rows, ...place } = await db.listRoles(database, filter, page);
    return { ...place, rows: rows.map(shownRole) };
  },
  count: db.countRoles,
});
