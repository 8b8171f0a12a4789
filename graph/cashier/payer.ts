import { isOpenToToken } from '../../domain/cashier';
import { CatalogueError } from '../../domain/errors';
import {
  type CashierSessionRow,
  expireCashierSession,
  findJudgedSession,
} from '../../db/cashier/sessions';
import type { Actor } from '../access/actor';
import type { GraphCore } from '../context';

/** A token opens nothing; the response does not reveal why. */
const opensNothing = (): CatalogueError =>
  new CatalogueError('UNAUTHENTICATED', 'this link is invalid or has ended');

/**
 * The payer behind a cashier token. It is no field of the schema: no token leaves by it, and the internal listener has
 * no way to this actor. A session whose time has come is EXPIRED by being touched (contract, "States and transitions").
 * @throws UNAUTHENTICATED for a token that this environment did not sign, or that opens nothing any more
 */
export async function authenticateCashier(
  { cashierTokens, database, clock }: GraphCore,
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

/** A payer who asks. */
export type Payer = Extract<Actor, { readonly kind: 'payer' }>;

/** The payer that asks. @throws AUTHORIZATION_ERROR for anyone else */
export function payerOf(actor: Actor): Payer {
  if (actor.kind === 'payer') return actor;
  throw new CatalogueError('AUTHORIZATION_ERROR', 'payers only');
}

/** A session that is there. @throws UNAUTHENTICATED otherwise */
export function present(session: CashierSessionRow | undefined): CashierSessionRow {
  if (!session) throw opensNothing();
  return session;
}
