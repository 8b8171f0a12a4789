import { isListed } from '../../domain/address-list';
import type { Permission } from '../../domain/permissions';
import { findApiToken } from '../../db/operators/api-tokens';
import type { Database } from '../../db/client';
import { findOperators, type OperatorWithAuthority } from '../../db/operators/operators';
import type { FoundByToken } from '../../db/operators/sessions';

/** Permissions that no token has, even if its owner has them. */
const NEVER_BY_TOKEN: ReadonlySet<Permission> = new Set(['APPROVE', 'ADMIN']);

/** The operator, with only those permissions that `may` accepts. */
export const limitedTo = (
  operator: OperatorWithAuthority,
  may: (permission: Permission) => boolean,
): OperatorWithAuthority => ({
  ...operator,
  permissions: new Set([...operator.permissions].filter(may)),
});

/**
 * The operator of an API token, with the permissions that both its scopes and its owner have, never APPROVE. Refused
 * from an address that the token is not bound to.
 * @param from null for an open socket, which was checked when it was opened
 */
export async function ownerOfApiToken(
  database: Database,
  tokenHashes: readonly string[],
  from: { readonly address: string | null } | null,
  now: Date,
): Promise<FoundByToken | undefined> {
  const token = await findApiToken(database, tokenHashes, now);
  const bound = token?.allowedAddresses ?? null;
  if (bound !== null && from !== null && !isListed(from.address ?? '', bound)) return undefined;
  const [owner] = token ? await findOperators(database, [token.operatorId]) : [];
  if (!token || !owner || owner.disabledAt !== null) return undefined;
  const may = (permission: Permission): boolean => token.scopes.includes(permission) && !NEVER_BY_TOKEN.has(permission);
  return { operator: limitedTo(owner, may), tokenHash: token.tokenHash };
}
