import type { ApproveLimits, Authority } from '../permissions';

/** Permissions to decide, or to manage those who decide. */
export const DECISIVE = ['APPROVE', 'ADMIN'] as const;

/**
 * Whether any limit of the first is above the second's; null: unlimited; a missing currency: nothing may be approved.
 */
function exceeds(limits: ApproveLimits, other: ApproveLimits): boolean {
  if (other === null) return false;
  if (limits === null) return true;
  return Object.entries(limits).some(([currency, limit]) => limit.gt(other[currency] ?? 0));
}

/** Whether these permissions include deciding, or managing operators. */
export const isDecisive = ({ permissions }: Authority): boolean =>
  DECISIVE.some((permission) => permissions.has(permission));

/**
 * Why an operator may not approve these permissions, or null: they must not be wider than the operator's own. A limited
 * operator approves no unlimited one, and no one who manages operators.
 */
export function problemOfGrant(granted: Authority, approver: Authority): string | null {
  const wider = 'these permissions are wider than your own: another person must approve them';
  if (!isDecisive(granted)) return null;
  if (approver.merchantIds !== null && granted.merchantIds === null) return wider;
  if (granted.permissions.has('ADMIN') && approver.approveLimits !== null) return wider;
  if (!granted.permissions.has('APPROVE')) return null;
  return exceeds(granted.approveLimits, approver.approveLimits) ? wider : null;
}

/** Whether permissions to decide are new or wider than before: then they are valid only after the cooling period. */
export function widens(before: Authority | null, after: Authority): boolean {
  if (!isDecisive(after)) return false;
  if (before === null) return true;
  return (
    DECISIVE.some((one) => after.permissions.has(one) && !before.permissions.has(one)) ||
    exceeds(after.approveLimits, before.approveLimits) ||
    (before.merchantIds !== null && after.merchantIds === null)
  );
}

/** A mail address in the form that identifies a person: without case, and without a plus sign and what follows it. */
export function addressKey(email: string): string {
  const [local = '', ...domain] = email.normalize('NFKC').trim().toLowerCase().split('@');
  return `${local.split('+')[0] ?? ''}@${domain.join('@')}`;
}
