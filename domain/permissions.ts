import { money, type Money } from './money';

/** What an operator may do. Each field of the graph names the permission that it needs. */
export const PERMISSIONS = [
  'VIEW',
  'SUPPORT',
  'RECONCILE',
  'APPROVE',
  'TREASURER',
  'CONFIGURE',
  'ADMIN',
] as const;

/** One of them. */
export type Permission = (typeof PERMISSIONS)[number];

/** What each permission is for, in the words that operators read. */
export const PERMISSION_MEANS: Record<Permission, string> = {
  VIEW: 'Sees orders, money, callbacks and settings.',
  SUPPORT: 'Resends callbacks, cancels deposits, releases outbox rows.',
  RECONCILE: 'Records and matches bank transfers, works unmatched money.',
  APPROVE: 'Decides change requests and withdrawals, up to the limits of its roles.',
  TREASURER:
    'Proposes top-ups, adjustments and ends of unknown payouts, and pays what is paid by hand.',
  CONFIGURE: 'Proposes accounts, merchants, keys, limits, fees and hosts.',
  ADMIN: 'Manages operators, roles and their sessions, and sees the audit log.',
};

/**
 * Per currency the most that may be approved, in units of the currency; null: any amount. A currency that is
 * not named may not be approved at all.
 */
export type ApproveLimits = Readonly<Record<string, Money>> | null;

/** A set of permissions under a name. */
export interface Role {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Counts where the role has APPROVE. */
  readonly approveLimits: ApproveLimits;
}

/** The roles that every deployment has and nobody changes. */
export const BUILT_IN_ROLES = {
  view: ['VIEW'],
  support: ['VIEW', 'SUPPORT'],
  reconcile: ['VIEW', 'RECONCILE'],
  approve: ['VIEW', 'APPROVE'],
  treasurer: ['VIEW', 'TREASURER'],
  configure: ['VIEW', 'CONFIGURE'],
  admin: ['VIEW', 'ADMIN'],
} as const satisfies Record<string, readonly Permission[]>;

/** All that an operator may, over its roles. */
export interface Authority {
  readonly permissions: ReadonlySet<Permission>;
  readonly approveLimits: ApproveLimits;
  /** The merchants that it is restricted to; null: all. */
  readonly merchantIds: readonly string[] | null;
}

/** The more generous of two, currency by currency. */
function wider(a: ApproveLimits, b: ApproveLimits): ApproveLimits {
  if (a === null || b === null) return null;
  const all = { ...a };
  for (const [currency, limit] of Object.entries(b)) {
    const other = all[currency];
    if (!other || limit.gt(other)) all[currency] = limit;
  }
  return all;
}

/** What somebody with these roles may. Roles add up; limits count from roles that may approve. */
export const authorityOf = (
  roles: readonly Role[],
  merchantIds: readonly string[] | null,
): Authority => ({
  permissions: new Set(roles.flatMap((role) => role.permissions)),
  approveLimits: roles
    .filter((role) => role.permissions.includes('APPROVE'))
    .reduce<ApproveLimits>((limits, role) => wider(limits, role.approveLimits), {}),
  merchantIds,
});

/** Whether an amount is within what somebody may approve. */
export function mayApprove(
  { permissions, approveLimits }: Authority,
  currencyCode: string,
  amount: Money,
): boolean {
  if (!permissions.has('APPROVE')) return false;
  return approveLimits === null || (approveLimits[currencyCode]?.gte(amount) ?? false);
}

/** Whether somebody may see and touch what belongs to a merchant. */
export const reaches = (
  { merchantIds }: Pick<Authority, 'merchantIds'>,
  merchantId: string,
): boolean => merchantIds === null || merchantIds.includes(merchantId);

/** Of the merchants that somebody asks for (null: of all) those whose rows he is shown; null: everybody's. */
export const shownMerchants = (
  { merchantIds }: Pick<Authority, 'merchantIds'>,
  asked: readonly string[] | null | undefined,
): readonly string[] | null =>
  merchantIds === null
    ? (asked ?? null)
    : (asked ?? merchantIds).filter((id) => merchantIds.includes(id));

/** Limits as they are kept: plain decimals by currency. */
export function readApproveLimits(kept: Readonly<Record<string, string>> | null): ApproveLimits {
  if (kept === null) return null;
  return Object.fromEntries(
    Object.entries(kept).map(([currency, amount]) => [currency, money(amount)]),
  );
}
