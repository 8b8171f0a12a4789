import { Authorized, Ctx, Field, Mutation, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import { LINKED_SECRETS, type LinkedSecret } from '../../domain/secret-link';
import * as db from '../../db/merchants/secret-links';
import type { GraphContext } from '../context';
import { enumOf } from '../scalars';
import { linkOf, newKey, opensNothing, webhookSecret } from '../../steps/merchants/secret-link';

const LinkedSecretEnum = enumOf(LINKED_SECRETS);
registerEnumType(LinkedSecretEnum, {
  name: 'LinkedSecret',
  description: 'What the owner of a merchant fetches by a link.',
  valuesConfig: {
    API_KEY: { description: 'An API key, which is made when it is fetched.' },
    WEBHOOK_SECRET: { description: 'What requests to its webhook are signed with.' },
  },
});

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
    const secret = link.kind === 'API_KEY' ? await newKey(context, link) : await webhookSecret(context, link);
    if (secret === undefined) throw opensNothing();
    context.log.info({ merchantCode: link.merchantCode, kind: link.kind }, 'a secret was fetched');
    return { secret, link: await linkOf(context) };
  }
}
