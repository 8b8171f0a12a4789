import { isOpenToToken } from '../../domain/cashier';
import { CatalogueError } from '../../domain/errors';
import { type CashierSessionRow, expireCashierSession, findJudgedSession } from '../../db/cashier/sessions';
import type { Actor } from '../access/actor';
import type { Needs } from '../context';

/** The token is refused; the response does not reveal why. */
const opensNothing = (): CatalogueError => new CatalogueError('UNAUTHENTICATED', 'this link is invalid or has ended');

/**
 * The payer behind a cashier token. Not a field of the schema: so no token is ever returned, and the internal listener
 * cannot make this actor. A session past its expiry becomes EXPIRED here (contract, "States and transitions").
 * @throws UNAUTHENTICATED for a token that this environment did not sign, or whose session is gone
 */
export async function authenticateCashier(
  { cashierTokens, database, clock }: Needs<'cashierTokens' | 'clock' | 'database'>,
  token: string,
): Promise<Actor> {
  const ticket = await cashierTokens.read(token);
  if (!ticket) throw opensNothing();
  const now = clock();
  let session = await findJudgedSession(database, ticket.sessionId);
  if (session?.status === 'PENDING' && session.expireAt <= now) {
    await expireCashierSession(database, session.id, now);
    session = await findJudgedSession(database, ticket.sessionId);
  }
  if (!session) throw opensNothing();
  if (!isOpenToToken(session, now)) throw opensNothing();
  return { kind: 'payer', sessionId: session.id, merchantId: session.merchantId };
}

/** The calling payer. */
export type Payer = Extract<Actor, { readonly kind: 'payer' }>;

/** The calling payer. @throws AUTHORIZATION_ERROR for any other actor */
export function payerOf(actor: Actor): Payer {
  if (actor.kind === 'payer') return actor;
  throw new CatalogueError('AUTHORIZATION_ERROR', 'payers only');
}

/** The session, if it exists. @throws UNAUTHENTICATED otherwise */
export function present(session: CashierSessionRow | undefined): CashierSessionRow {
  if (!session) throw opensNothing();
  return session;
}
