import { Arg, Authorized, Ctx, Field, ID, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { newApiKey, secretHint } from '../crypto/tokens';
import { businessError, invalidField, notFound } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import * as db from '../db/api-keys';
import { type GraphContext } from './context';
import { operatorAction } from './operator-action';
import type { Transaction } from '../db/client';

@ObjectType({
  simpleResolvers: true,
  description: "A merchant's credential. The key itself is never shown again.",
})
export class ApiKey {
  @Field(() => ID)
  id!: string;

  @Field({ description: 'The last four characters, to tell keys apart.' })
  hint!: string;

  @Field()
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'A rotated key works until then.' })
  retiresAt!: Date | null;

  @Field(() => Date, { nullable: true })
  revokedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A new credential.' })
export class IssuedApiKey {
  @Field({ description: 'The key itself, shown this once.' })
  apiKey!: string;

  @Field(() => ApiKey)
  key!: ApiKey;

  @Field(() => [ApiKey], { description: 'Keys that this one replaces, with the time they retire.' })
  retiring!: ApiKey[];
}

async function issue(
  tx: Transaction,
  { environment, sealer, lookup, now }: GraphContext,
  merchantId: string,
  id: string,
): Promise<Pick<IssuedApiKey, 'apiKey' | 'key'>> {
  const apiKey = newApiKey(environment);
  const key = await db.insertApiKey(tx, {
    id,
    merchantId,
    lookupHash: lookup(apiKey),
    sealedKey: sealer.seal(apiKey, `api_key:${id}`),
    hint: secretHint(apiKey),
    createdAt: now,
  });
  return { apiKey, key };
}

@Resolver()
export class ApiKeyResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => IssuedApiKey, { description: 'Issues a key beside those that the merchant has.' })
  async issueApiKey(
    @Arg('merchantId', () => ID) merchantId: string,
    @Arg('reason') reason: string,
    @Ctx() context: GraphContext,
  ): Promise<IssuedApiKey> {
    if (!(await context.loaders.merchants.load(merchantId))) throw notFound('merchant');
    const id = uuidv7();
    const subject = `merchant:${merchantId}`;
    const action = { action: 'issueApiKey', subject, reason, detail: { apiKeyId: id } };
    const issued = await operatorAction(
      context,
      action,
      async (tx) => await issue(tx, context, merchantId, id),
    );
    return { ...issued, retiring: [] };
  }

  @Authorized('CONFIGURE')
  @Mutation(() => IssuedApiKey, {
    description:
      'Issues a key; all others of the merchant go on working for the overlap and then retire.',
  })
  async rotateApiKey(
    @Arg('merchantId', () => ID) merchantId: string,
    @Arg('reason') reason: string,
    @Arg('overlapSeconds', () => Int, {
      defaultValue: LIMITS.keyOverlapSeconds.default,
      description: '0-86400 seconds.',
    })
    overlapSeconds: number,
    @Ctx() context: GraphContext,
  ): Promise<IssuedApiKey> {
    const { min, max } = LIMITS.keyOverlapSeconds;
    if (overlapSeconds < min || overlapSeconds > max)
      throw invalidField('overlapSeconds', `must be ${min}-${max}`);
    if (!(await context.loaders.merchants.load(merchantId))) throw notFound('merchant');
    const retiresAt = new Date(context.now.getTime() + overlapSeconds * 1000);
    const subject = `merchant:${merchantId}`;
    const id = uuidv7();
    const action = {
      action: 'rotateApiKey',
      subject,
      reason,
      detail: { apiKeyId: id, overlapSeconds },
    };
    return await operatorAction(context, action, async (tx) => {
      const retiring = await db.retireApiKeys(tx, merchantId, retiresAt, context.now);
      return { ...(await issue(tx, context, merchantId, id)), retiring };
    });
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ApiKey, { description: 'Ends a key at once.' })
  async revokeApiKey(
    @Arg('id', () => ID) id: string,
    @Arg('reason') reason: string,
    @Ctx() context: GraphContext,
  ): Promise<ApiKey> {
    const action = { action: 'revokeApiKey', subject: `api_key:${id}`, reason };
    return await operatorAction(context, action, async (tx) => {
      const revoked = await db.revokeApiKey(tx, id, context.now);
      if (!revoked) throw businessError('there is no such key, or it is revoked already');
      return revoked;
    });
  }
}
