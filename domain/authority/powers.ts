import type { ApproveLimits, Authority } from '../permissions';

/** Powers to decide, or to say who decides. */
export const DECISIVE = ['APPROVE', 'ADMIN'] as const;

/** Whether any limit of the first is above the second's; null is no limit, a missing currency is none at all. */
function exceeds(limits: ApproveLimits, other: ApproveLimits): boolean {
  if (other === null) return false;
  if (limits === null) return true;
  return Object.entries(limits).some(([currency, limit]) => limit.gt(other[currency] ?? 0));
}

/** Whether these powers decide anything, or say who does. */
export const isDecisive = ({ permissions }: Authority): boolean =>
  DECISIVE.some((permission) => permissions.has(permission));

/**
 * Why somebody may not approve these powers, or null: they would be wider than his own. Who is limited makes nobody who
 * is not, and no one who says who decides.
 */
export function problemOfGrant(granted: Authority, approver: Authority): string | null {
  const wider = 'these powers are wider than your own: another person approves them';
  if (!isDecisive(granted)) return null;
  if (approver.merchantIds !== null && granted.merchantIds === null) return wider;
  if (granted.permissions.has('ADMIN') && approver.approveLimits !== null) return wider;
  if (!granted.permissions.has('APPROVE')) return null;
  return exceeds(granted.approveLimits, approver.approveLimits) ? wider : null;
}

/** Whether powers to decide are new or wider than before: they count only after the cooling period. */
export function widens(before: Authority | null, after: Authority): boolean {
  if (!isDecisive(after)) return false;
  if (before === null) return true;
  return (
    DECISIVE.some((one) => after.permissions.has(one) && !before.permissions.has(one)) ||
    exceeds(after.approveLimits, before.approveLimits) ||
    (before.merchantIds !== null && after.merchantIds === null)
  );
}

/**
 * A mail address as one person's: its case and what follows a plus sign make no other person of it.
 */
export function addressKey(email: string): string {
  const [local = '', ...domain] = email.normalize('NFKC').trim().toLowerCase().split('@');
  return `${local.split('+')[0] ?? ''}@${domain.join('@')}`;
}
