import type { Permission } from '../../generated/operations';

/** The name and meaning of each permission (docs/operators.md). */
export const MAY: Readonly<Record<Permission, { readonly words: string; readonly may: string }>> = {
  VIEW: { words: 'View', may: 'See orders, money, callbacks and settings' },
  SUPPORT: { words: 'Support', may: 'Resend callbacks, cancel deposits, release outbox rows' },
  RECONCILE: { words: 'Reconcile', may: 'Record bank credits and debits, match credits' },
  APPROVE: { words: 'Approve', may: 'Decide change requests and withdrawals, up to a limit' },
  TREASURER: { words: 'Treasurer', may: 'Propose top-ups, adjustments and settlements' },
  CONFIGURE: { words: 'Configure', may: 'Propose accounts, merchants, keys, limits and hosts' },
  ADMIN: { words: 'Admin', may: 'Manage operators, roles and sessions; see the audit log' },
  READ_PERSONAL: { words: 'Read personal data', may: 'See payers and beneficiaries unmasked' },
};
