import { API_TOKEN_PREFIX } from '../../crypto/tokens';
import { findOperatorBySession } from '../../db/operators/sessions';
import type { StepDeps } from '../context';
import { IDENTIFIED_WITHIN_MS, within } from '../deadline';
import { type Actor, ANONYMOUS } from './actor';
import { limitedTo, ownerOfApiToken } from './api-token-owner';
import { type FactorRules, missingFactor } from './factor';

type Deps = FactorRules & Pick<StepDeps, 'database' | 'lookup' | 'clock'>;

/**
 * The actor of a token, or anonymous.
 * @param address the client's; null where it is not known. An API token may be bound to some
 * @param cookie whether it came in a browser's cookie: a token is valid only in the form in which it was issued
 */
export async function actorOfToken(
  deps: Deps,
  token: string | undefined,
  cookie: boolean,
  address: string | null = null,
): Promise<Actor> {
  if (token === undefined) return ANONYMOUS;
  const tokenHashes = deps.lookup.all(token);
  const via = !cookie && token.startsWith(API_TOKEN_PREFIX) ? 'token' : 'session';
  const found = await within(
    IDENTIFIED_WITHIN_MS,
    via === 'token'
      ? ownerOfApiToken(deps.database, tokenHashes, { address }, deps.clock())
      : findOperatorBySession(deps.database, tokenHashes, cookie, deps.clock()),
  );
  if (!found) return ANONYMOUS;
  const { operator, tokenHash, proof } = found;
  const may = missingFactor(deps, operator) ? limitedTo(operator, () => false) : operator;
  return { kind: 'operator', operator: may, via, cookie, tokenHash, proof };
}
