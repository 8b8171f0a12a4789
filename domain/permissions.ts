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
  'READ_PERSONAL',
] as const;

/** One of PERMISSIONS. */
export type Permission = (typeof PERMISSIONS)[number];

/** What each permission is for, in the words that operators read. */
export const PERMISSION_MEANS: Record<Permission, string> = {
  VIEW: 'Sees orders, money, callbacks and settings.',
  SUPPORT: 'Resends callbacks, cancels deposits, releases outbox rows.',
  RECONCILE: 'Records and matches bank transfers, handles unmatched money.',
  APPROVE: 'Decides change requests and withdrawals, up to its limits.',
  TREASURER: 'Proposes top-ups, adjustments and resolutions of unknown payouts, and makes manual payouts.',
  CONFIGURE: 'Proposes accounts, merchants, keys, limits, fees and hosts.',
  ADMIN: 'Manages operators, roles and their sessions, and sees the audit log.',
  READ_PERSONAL: 'Sees names, accounts and texts of payers and beneficiaries where others see them masked.',
};

/**
 * The most that may be approved, by currency, in units of the currency; null: any amount. A missing currency may not be
 * approved at all.
 */
export type ApproveLimits = Readonly<Record<string, Money>> | null;

/** A named set of permissions. */
export interface Role {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Used only where the role has APPROVE. */
  readonly approveLimits: ApproveLimits;
}

/** The roles that every deployment has. They cannot be changed. */
export const BUILT_IN_ROLES = {
  view: ['VIEW'],
  support: ['VIEW', 'SUPPORT'],
  reconcile: ['VIEW', 'RECONCILE'],
  approve: ['VIEW', 'APPROVE'],
  treasurer: ['VIEW', 'TREASURER'],
  configure: ['VIEW', 'CONFIGURE'],
  admin: ['VIEW', 'ADMIN'],
  read_personal: ['VIEW', 'READ_PERSONAL'],
} as const satisfies Record<string, readonly Permission[]>;

/** Everything that an operator may do, over all its roles. */
export interface Authority {
  readonly permissions: ReadonlySet<Permission>;
  readonly approveLimits: ApproveLimits;
  /** The merchants to which it is restricted; null: all. */
  readonly merchantIds: readonly string[] | null;
}

/** The more generous of two limits, currency by currency. */
function wider(a: ApproveLimits, b: ApproveLimits): ApproveLimits {
  if (a === null || b === null) return null;
  const all = { ...a };
  for (const [currency, limit] of Object.entries(b)) {
    const other = all[currency];
    if (!other || limit.gt(other)) all[currency] = limit;
  }
  return all;
}

/** The authority of an operator with these roles. Roles add up; limits count only from roles that may approve. */
export const authorityOf = (roles: readonly Role[], merchantIds: readonly string[] | null): Authority => ({
  permissions: new Set(roles.flatMap((role) => role.permissions)),
  approveLimits: roles
    .filter((role) => role.permissions.includes('APPROVE'))
    .reduce<ApproveLimits>((limits, role) => wider(limits, role.approveLimits), {}),
  merchantIds,
});

/** Whether an operator may approve this amount. */
export function mayApprove({ permissions, approveLimits }: Authority, currencyCode: string, amount: Money): boolean {
  if (!permissions.has('APPROVE')) return false;
  return approveLimits === null || (approveLimits[currencyCode]?.gte(amount) ?? false);
}

/** Whether an operator may see and change what belongs to a merchant. */
export const reaches = ({ merchantIds }: Pick<Authority, 'merchantIds'>, merchantId: string): boolean =>
  merchantIds === null || merchantIds.includes(merchantId);

/** The merchants whose rows an operator is shown, of those asked for (null: all); null: everybody's. */
export const shownMerchants = (
  { merchantIds }: Pick<Authority, 'merchantIds'>,
  asked: readonly string[] | null | undefined,
): readonly string[] | null =>
  merchantIds === null ? (asked ?? null) : (asked ?? merchantIds).filter((id) => merchantIds.includes(id));

/** Reads stored limits: plain decimals by currency. */
export function readApproveLimits(kept: Readonly<Record<string, string>> | null): ApproveLimits {
  if (kept === null) return null;
  return Object.fromEntries(Object.entries(kept).map(([currency, amount]) => [currency, money(amount)]));
}
