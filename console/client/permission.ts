import type { Permission } from '../generated/operations';
import type { Me } from './session';

/** Whether the operator has a permission. The platform checks again. */
export const may = ({ permissions }: Me, permission: Permission): boolean => permissions.includes(permission);
