import { newApiKey, secretHint } from '../../crypto/tokens';
import { CatalogueError } from '../../domain/errors';
import { opens } from '../../domain/secret-link';
import * as db from '../../db/merchants/secret-links';
import type { Actor } from '../access/actor';
import type { Needs } from '../context';

/** The link is refused; the answer does not reveal why. */
export const opensNothing = (): CatalogueError =>
  new CatalogueError('UNAUTHENTICATED', 'this link is invalid, was used, or has ended');

/**
 * The owner behind the token of a link. Not a field of the schema: so no token is ever returned, and the internal
 * listener cannot make this actor.
 * @throws UNAUTHENTICATED for an unknown, used or expired token
 */
export async function authenticateOwner(
  { database, lookup, clock }: Needs<'clock' | 'database' | 'lookup'>,
  token: string,
): Promise<Actor> {
  const id = await db.findSecretLinkByToken(database, lookup.all(`secret:${token}`));
  const link = id === undefined ? undefined : await db.findSecretLink(database, id);
  if (!link?.inForce || !opens(link, clock())) throw opensNothing();
  return { kind: 'owner', linkId: link.id, merchantId: link.merchantId };
}

/** The link of the caller. @throws AUTHORIZATION_ERROR for any other actor, UNAUTHENTICATED */
export async function linkOf({ actor, database }: Needs<'actor' | 'database'>): Promise<db.SecretLinkCase> {
  if (actor.kind !== 'owner') throw new CatalogueError('AUTHORIZATION_ERROR', 'owners of merchants only');
  const link = await db.findSecretLink(database, actor.linkId);
  if (!link) throw opensNothing();
  return link;
}

/** Makes the new key. @returns undefined if the link was used */
export async function newKey(
  { environment, database, lookup, sealer, now }: Needs<'database' | 'environment' | 'lookup' | 'now' | 'sealer'>,
  { id, subjectId }: db.SecretLinkCase,
): Promise<string | undefined> {
  const apiKey = newApiKey(environment);
  const made = {
    lookupHash: lookup(apiKey),
    sealedKey: sealer.seal(apiKey, `api_key:${subjectId}`),
    hint: secretHint(apiKey),
  };
  return (await db.takeApiKey(database, id, made, now)) ? apiKey : undefined;
}

/** The secret of a webhook. @returns undefined if the link was used */
export async function webhookSecret(
  { database, sealer, now }: Needs<'database' | 'now' | 'sealer'>,
  { id }: db.SecretLinkCase,
): Promise<string | undefined> {
  const kept = await db.takeWebhookSecret(database, id, now);
  return kept && sealer.open(kept.sealedSecret ?? '', `event_addresses:${kept.secretId ?? ''}`);
}
