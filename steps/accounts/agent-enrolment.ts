import { CatalogueError } from '../../domain/errors';
import * as db from '../../db/accounts/agent-enrolments';
import type { Actor } from '../access/actor';
import type { Needs } from '../context';

/** The link is refused; the answer does not reveal why. */
export const opensNothing = (): CatalogueError =>
  new CatalogueError('UNAUTHENTICATED', 'this link is invalid, was used, or has ended');

const opens = (link: db.AgentEnrolmentCase, now: Date): boolean =>
  link.enrolledAt === null && link.revokedAt === null && link.expiresAt !== null && now < link.expiresAt;

/**
 * The owner behind the token of a link. Not a field of the schema: so no token is ever returned, and the internal
 * listener cannot make this actor.
 * @throws UNAUTHENTICATED for an unknown, used or expired token, and for a revoked key
 */
export async function authenticateEnroller(
  { database, lookup, clock }: Needs<'clock' | 'database' | 'lookup'>,
  token: string,
): Promise<Actor> {
  const id = await db.findAgentEnrolmentByToken(database, lookup.all(`agent:${token}`));
  const link = id === undefined ? undefined : await db.findAgentEnrolment(database, id);
  if (!link || !opens(link, clock())) throw opensNothing();
  return { kind: 'enroller', linkId: link.id };
}

/** The link of the caller. @throws AUTHORIZATION_ERROR for any other actor, UNAUTHENTICATED */
export async function linkOf({ actor, database }: Needs<'actor' | 'database'>): Promise<db.AgentEnrolmentCase> {
  if (actor.kind !== 'enroller') throw new CatalogueError('AUTHORIZATION_ERROR', 'owners of agents only');
  const link = await db.findAgentEnrolment(database, actor.linkId);
  if (!link) throw opensNothing();
  return link;
}
