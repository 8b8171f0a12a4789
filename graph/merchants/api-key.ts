import { Arg, Authorized, Ctx, Field, ID, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { businessError, invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import * as db from '../../db/merchants/api-keys';
import type { ChangeRow } from '../../db/changes/change-requests';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { type GraphContext } from '../context';
import type { RevokePayload, RotateApiKeyPayload } from '../../steps/merchants/key-effects';
import { propose } from '../../steps/changes/propose';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { merchantCodeOf, newKey, TO_OWNER } from '../../steps/merchants/api-key';

@ObjectType({
  simpleResolvers: true,
  description: "A merchant's credential. The key itself is never shown again.",
})
export class ApiKey {
  @Field(() => ID, { description: 'A UUID, as `revokeApiKey` takes it; not the key itself.' })
  id!: string;

  @Field({ description: 'The last four characters, to tell keys apart.' })
  hint!: string;

  @Field({ description: 'When it was issued.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'A rotated key works until then.' })
  retiresAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When it stops or stopped working; null while no end is set.',
  })
  revokedAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When the first request came that was rightly signed with it; null before.',
  })
  firstUsedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed credential.' })
export class ApiKeyChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => String, {
    nullable: true,
    description:
      "The key itself, shown this once; it works once the change is applied. Null where the merchant's owner fetches it by a link, as in production.",
  })
  apiKey!: string | null;

  @Field(() => ApiKey, { nullable: true, description: 'Null until the change is applied.' })
  key!: ApiKey | null;

  @Field(() => [ApiKey], {
    description: 'Keys that it has replaced, with the time they retire; none until it is applied.',
  })
  retiring!: readonly ApiKey[];
}

@ObjectType({ simpleResolvers: true, description: 'A credential that was ended.' })
export class RevokedApiKey {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => ApiKey, { description: 'The key, which does not work any more.' })
  key!: ApiKey;
}

/** The key after its approval. */
async function keyOf({ loaders }: GraphContext, change: ChangeRow): Promise<ApiKey | null> {
  if (change.status !== 'APPLIED' || change.merchantId === null) return null;
  const keys = await loaders.apiKeys.clear(change.merchantId).load(change.merchantId);
  return keys.find(({ id }) => id === change.subjectId) ?? null;
}

@Resolver()
export class ApiKeyResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => ApiKeyChange, {
    description: 'Proposes a key beside those that the merchant has.',
  })
  async issueApiKey(
    @Arg('merchantId', () => ID, { description: 'The id of the merchant, a UUID.' })
    merchantId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('toOwner', () => Boolean, { nullable: true, description: TO_OWNER })
    toOwner?: boolean | null,
  ): Promise<ApiKeyChange> {
    const merchantCode = await merchantCodeOf(context, merchantId);
    const { apiKey, payload, name, after } = await newKey(...([context, merchantId, merchantCode, toOwner] as const));
    const change = await propose(context, {
      kind: 'ISSUE_API_KEY',
      subject: { kind: 'api_key', id: payload.id, name },
      merchantId,
      summary: `Issue a key to ${merchantCode}`,
      before: {},
      after,
      payload,
      reason,
      evidence,
    });
    return { change, apiKey, key: await keyOf(context, change), retiring: [] };
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ApiKeyChange, {
    description:
      'Proposes a key that replaces all others: from the approval on these work for the overlap and then retire.',
  })
  async rotateApiKey(
    @Arg('merchantId', () => ID, { description: 'The id of the merchant, a UUID.' })
    merchantId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('overlapSeconds', () => Int, {
      defaultValue: LIMITS.keyOverlapSeconds.default,
      description: '0-86400 seconds.',
    })
    overlapSeconds: number,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('toOwner', () => Boolean, { nullable: true, description: TO_OWNER })
    toOwner?: boolean | null,
  ): Promise<ApiKeyChange> {
    const { min, max } = LIMITS.keyOverlapSeconds;
    if (overlapSeconds < min || overlapSeconds > max)
      throw invalidField('overlapSeconds', `must be ${min}-${max}`, 'OUT_OF_RANGE');
    const merchantCode = await merchantCodeOf(context, merchantId);
    const { apiKey, payload, name, after } = await newKey(...([context, merchantId, merchantCode, toOwner] as const));
    const before = await context.loaders.apiKeys.load(merchantId);
    const isLive = ({ revokedAt, retiresAt }: ApiKey): boolean =>
      revokedAt === null && (retiresAt === null || retiresAt > context.now);
    const live = before.filter(isLive);
    const rotation: RotateApiKeyPayload = { ...payload, overlapSeconds };
    const change = await propose(context, {
      kind: 'ROTATE_API_KEY',
      subject: { kind: 'api_key', id: payload.id, name },
      merchantId,
      summary: `Replace the keys of ${merchantCode}`,
      before: { hints: live.map(({ hint }) => hint).sort() },
      after: {
        ...('hint' in payload ? { hints: [payload.hint] } : { ...after, hints: ['a new one'] }),
        overlapSeconds,
      },
      payload: rotation,
      reason,
      evidence,
    });
    const key = await keyOf(context, change);
    const retired = new Set(live.map(({ id }) => id));
    const now = key ? await context.loaders.apiKeys.load(merchantId) : [];
    return { change, apiKey, key, retiring: now.filter(({ id }) => retired.has(id)) };
  }

  @Authorized('CONFIGURE')
  @Mutation(() => RevokedApiKey, { description: 'Ends a key at once: one person is enough.' })
  async revokeApiKey(
    @Arg('id', () => ID, { description: 'The id of the key.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<RevokedApiKey> {
    const [key] = await db.findApiKeysById(context.database, [id]);
    if (!key) throw businessError('WRONG_STATE', 'the key does not exist or is already revoked');
    const merchantCode = await merchantCodeOf(context, key.merchantId);
    const payload: RevokePayload = { id };
    const change = await propose(context, {
      kind: 'REVOKE_API_KEY',
      subject: { kind: 'api_key', id, name: `${merchantCode} …${key.hint}` },
      merchantId: key.merchantId,
      summary: `Revoke the key …${key.hint} of ${merchantCode}`,
      before: { revoked: false },
      after: { revoked: true },
      payload,
      reason,
      alone: 'CLOSING',
    });
    return { change, key: (await keyOf(context, change)) ?? key };
  }
}
