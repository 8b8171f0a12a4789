import type { Permission } from '../generated/operations';
import type { Me } from './session';

/** Whether somebody may; the platform checks it again, whatever is shown here. */
export const may = ({ permissions }: Me, permission: Permission): boolean =>
  permissions.includes(permission);
