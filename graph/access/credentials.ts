import { API_TOKEN_PREFIX } from '../../crypto/tokens';
import type { Permission } from '../../domain/permissions';
import { findApiToken } from '../../db/operators/api-tokens';
import type { Database } from '../../db/client';
import {
  findOperatorBySession,
  findOperators,
  type OperatorWithAuthority,
} from '../../db/operators/operators';
import { type Actor, ANONYMOUS, type GraphDeps } from '../context';
import { IDENTIFIED_WITHIN_MS, within } from '../deadline';

type Deps = Pick<GraphDeps, 'database' | 'environment' | 'lookup' | 'clock'>;

/** What no token may, whatever its owner may. */
const NEVER_BY_TOKEN: ReadonlySet<Permission> = new Set(['APPROVE', 'ADMIN']);

/** In production nobody does anything before an authenticator app is enrolled, but for enrolling it. */
const mustEnrol = ({ environment }: Pick<Deps, 'environment'>, { totp }: OperatorWithAuthority) =>
  environment === 'production' && !totp;

const limitedTo = (
  operator: OperatorWithAuthority,
  may: (permission: Permission) => boolean,
): OperatorWithAuthority => ({
  ...operator,
  permissions: new Set([...operator.permissions].filter(may)),
});

/** The operator behind an API token: what its scopes and its owner both allow, and never approving. */
export async function ownerOfApiToken(
  database: Database,
  tokenHash: string,
  now: Date,
): Promise<OperatorWithAuthority | undefined> {
  const token = await findApiToken(database, tokenHash, now);
  const [owner] = token ? await findOperators(database, [token.operatorId]) : [];
  if (!token || !owner || owner.disabledAt !== null) return undefined;
  return limitedTo(
    owner,
    (permission) => token.scopes.includes(permission) && !NEVER_BY_TOKEN.has(permission),
  );
}

/**
 * The actor behind a token, or nobody.
 * @param cookie whether it came as a browser's cookie: a token counts only in the way that it was given out for
 */
export async function actorOfToken(
  deps: Deps,
  token: string | undefined,
  cookie: boolean,
): Promise<Actor> {
  if (token === undefined) return ANONYMOUS;
  const tokenHash = deps.lookup(token);
  const via = !cookie && token.startsWith(API_TOKEN_PREFIX) ? 'token' : 'session';
  const operator = await within(
    IDENTIFIED_WITHIN_MS,
    via === 'token'
      ? ownerOfApiToken(deps.database, tokenHash, deps.clock())
      : findOperatorBySession(deps.database, tokenHash, cookie, deps.clock()),
  );
  if (!operator) return ANONYMOUS;
  const may = mustEnrol(deps, operator) ? limitedTo(operator, () => false) : operator;
  return { kind: 'operator', operator: may, via, cookie, tokenHash };
}
