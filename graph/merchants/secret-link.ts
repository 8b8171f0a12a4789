import {
  Authorized,
  Ctx,
  Field,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import { newApiKey, secretHint } from '../../crypto/tokens';
import { CatalogueError } from '../../domain/errors';
import { LINKED_SECRETS, type LinkedSecret, opens } from '../../domain/secret-link';
import * as db from '../../db/merchants/secret-links';
import type { Actor } from '../../steps/access/actor';
import type { GraphContext, GraphCore } from '../context';
import { enumOf } from '../scalars';

const LinkedSecretEnum = enumOf(LINKED_SECRETS);
registerEnumType(LinkedSecretEnum, {
  name: 'LinkedSecret',
  description: 'What the owner of a merchant fetches by a link.',
  valuesConfig: {
    API_KEY: { description: 'An API key, which is made when it is fetched.' },
    WEBHOOK_SECRET: { description: 'What requests to its webhook are signed with.' },
  },
});

/** The link is refused; the answer does not reveal why. */
const opensNothing = (): CatalogueError =>
  new CatalogueError('UNAUTHENTICATED', 'this link is invalid, was used, or has ended');

/**
 * The owner behind the token of a link. Not a field of the schema: so no token is ever returned, and the internal
 * listener cannot make this actor.
 * @throws UNAUTHENTICATED for an unknown, used or expired token
 */
export async function authenticateOwner(
  { database, lookup, clock }: GraphCore,
  token: string,
): Promise<Actor> {
  const id = await db.findSecretLinkByToken(database, lookup.all(`secret:${token}`));
  const link = id === undefined ? undefined : await db.findSecretLink(database, id);
  if (!link?.inForce || !opens(link, clock())) throw opensNothing();
  return { kind: 'owner', linkId: link.id, merchantId: link.merchantId };
}

/** The link of the caller. @throws AUTHORIZATION_ERROR for any other actor, UNAUTHENTICATED */
async function linkOf({ actor, database }: GraphContext): Promise<db.SecretLinkCase> {
  if (actor.kind !== 'owner')
    throw new CatalogueError('AUTHORIZATION_ERROR', 'owners of merchants only');
  const link = await db.findSecretLink(database, actor.linkId);
  if (!link) throw opensNothing();
  return link;
}

@ObjectType({ simpleResolvers: true, description: 'A link to a secret, as its page shows it.' })
export class SecretLink {
  @Field(() => LinkedSecretEnum, { description: 'What it opens.' })
  kind!: LinkedSecret;

  @Field({ description: 'Whose secret it is.' })
  merchantCode!: string;

  @Field(() => String, { nullable: true, description: 'The URL whose secret it is.' })
  webhookUrl!: string | null;

  @Field(() => Date, { nullable: true, description: 'When the secret was fetched.' })
  takenAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When the first request came that was signed with the fetched key.',
  })
  firstUsedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A secret that was fetched, shown this once.' })
export class TakenSecret {
  @Field({ description: 'The secret itself.' })
  secret!: string;

  @Field(() => SecretLink, { description: 'The link, which is used up.' })
  link!: db.SecretLinkCase;
}

@Resolver()
export class SecretLinkResolver {
  @Authorized('OWNER')
  @Query(() => SecretLink, { description: 'The link by which it is asked.' })
  async secretLink(@Ctx() context: GraphContext): Promise<db.SecretLinkCase> {
    return await linkOf(context);
  }

  @Authorized('OWNER')
  @Mutation(() => TakenSecret, { description: 'Fetches the secret of a link, once.' })
  async takeSecret(@Ctx() context: GraphContext): Promise<TakenSecret> {
    const link = await linkOf(context);
    const secret =
      link.kind === 'API_KEY' ? await newKey(context, link) : await webhookSecret(context, link);
    if (secret === undefined) throw opensNothing();
    context.log.info({ merchantCode: link.merchantCode, kind: link.kind }, 'a secret was fetched');
    return { secret, link: await linkOf(context) };
  }
}

/** Makes the new key. @returns undefined if the link was used */
async function newKey(
  { environment, database, lookup, sealer, now }: GraphContext,
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
async function webhookSecret(
  { database, sealer, now }: GraphContext,
  { id }: db.SecretLinkCase,
): Promise<string | undefined> {
  const kept = await db.takeWebhookSecret(database, id, now);
  return kept && sealer.open(kept.sealedSecret ?? '', `event_addresses:${kept.secretId ?? ''}`);
}
