import { registerEnumType } from 'type-graphql';
import { PERMISSION_MEANS, PERMISSIONS } from '../../domain/permissions';
import { enumOf } from '../scalars';

export const PermissionEnum = enumOf(PERMISSIONS);
registerEnumType(PermissionEnum, {
  name: 'Permission',
  description: 'What an operator may do.',
  valuesConfig: Object.fromEntries(
    PERMISSIONS.map((permission) => [permission, { description: PERMISSION_MEANS[permission] }]),
  ),
});
