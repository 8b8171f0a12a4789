/** Which roles a value of the provider's claim gives, such as of a group. */
type RoleMapping = ReadonlyMap<string, readonly string[]>;

/** The identity provider that a deployment trusts (docs/operators.md, "Single sign-on"). */
export interface OidcSettings {
  /** Its metadata is at `<issuer>/.well-known/openid-configuration`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What its claim allows in a session; null: all that two people have given. */
  readonly roles: { readonly claim: string; readonly mapping: RoleMapping } | null;
}

/** A name of a claim's value, and after the last `=` roles that are joined by `+`. */
const ONE = /^(?<value>.+)=(?<roles>[a-z][a-z0-9-]*(?:\+[a-z][a-z0-9-]*)*)$/;

/**
 * Reads `payments-approvers=approve,finance=treasurer+reconcile`.
 * @throws where the text is none, or names a value twice
 */
export function readRoleMapping(text: string): RoleMapping {
  const mapping = new Map<string, readonly string[]>();
  for (const one of text.split(',')) {
    const { value, roles } = ONE.exec(one.trim())?.groups ?? {};
    if (value === undefined || roles === undefined || mapping.has(value))
      throw new Error('OIDC_ROLES must be such as approvers=approve,finance=treasurer+reconcile');
    mapping.set(value, roles.split('+'));
  }
  return mapping;
}

/** The roles that a claim's value, or its list of values, gives: none where it is missing. */
export function rolesOfClaim(mapping: RoleMapping, claim: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const roles = values.flatMap((value) => (typeof value === 'string' ? (mapping.get(value) ?? []) : []));
  return [...new Set(roles)].sort();
}

/** An address as two systems must spell it to mean one person: only its case may differ. */
export const sameAddress = (email: string): string => email.normalize('NFKC').trim().toLowerCase();
