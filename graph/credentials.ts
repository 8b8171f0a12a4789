import { findOperatorBySession } from '../db/operators';
import { type Actor, ANONYMOUS, type GraphDeps } from './context';
import { IDENTIFIED_WITHIN_MS, within } from './deadline';

type Deps = Pick<GraphDeps, 'database' | 'lookup' | 'clock'>;

/**
 * The actor behind a token, or nobody.
 * @param cookie whether it came as a browser's cookie: a token counts only in the way that it was given out for
 */
export async function actorOfToken(
  { database, lookup, clock }: Deps,
  token: string | undefined,
  cookie: boolean,
): Promise<Actor> {
  if (token === undefined) return ANONYMOUS;
  const tokenHash = lookup(token);
  const operator = await within(
    IDENTIFIED_WITHIN_MS,
    findOperatorBySession(database, tokenHash, cookie, clock()),
  );
  return operator ? { kind: 'operator', operator, via: 'session', cookie, tokenHash } : ANONYMOUS;
}
