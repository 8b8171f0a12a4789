import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { newApiToken, secretHint } from '../../crypto/tokens';
import { businessError, invalidField } from '../../domain/errors';
import { type Permission } from '../../domain/permissions';
import * as db from '../../db/operators/api-tokens';
import { type GraphContext } from '../context';
import { operatorAction } from '../../steps/operators/operator-action';
import { PermissionEnum } from '../access/permission';
import { operatorOf } from '../../steps/access/caller';
import { takesTwo } from '../../steps/authority/row';
import { addressesOf, checkEnd, OVER_MONEY } from '../../steps/operators/api-token';

@ObjectType({
  simpleResolvers: true,
  description:
    'A personal token for programs, sent as `Authorization: Bearer …`. It may what its scopes and its owner both allow, and never approves.',
})
export class ApiToken {
  @Field(() => ID, { description: 'A UUID, as `revokeApiToken` takes it; not the secret.' })
  id!: string;

  @Field({ description: 'The name that its owner gave it.' })
  label!: string;

  @Field({ description: 'The last four characters, to tell tokens apart.' })
  hint!: string;

  @Field(() => [PermissionEnum], {
    description: 'Its scopes. It may use those that its owner still has; never APPROVE, ADMIN or READ_PERSONAL.',
  })
  scopes!: readonly Permission[];

  @Field({ description: 'When it was made.' })
  createdAt!: Date;

  @Field({ description: 'It works until then, unless revoked before.' })
  expiresAt!: Date;

  @Field(() => [String], {
    nullable: true,
    description: 'Addresses and networks from which it works; null: from any.',
  })
  allowedAddresses!: readonly string[] | null;

  @Field(() => Date, { nullable: true, description: 'When it was revoked; null if it was not.' })
  revokedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'To the minute.' })
  lastUsedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A new personal token.' })
export class IssuedApiToken {
  @Field({ description: 'The token itself, shown this once.' })
  secret!: string;

  @Field(() => ApiToken, {
    description: 'What is kept of it; the secret is shown only in this answer.',
  })
  token!: ApiToken;
}

@Resolver()
export class ApiTokenResolver {
  @Authorized('PERSON')
  @Mutation(() => IssuedApiToken, {
    description:
      'Makes a personal token. VIEW is always among its scopes; APPROVE, ADMIN and READ_PERSONAL never, and where two people are required no power over money.',
  })
  async createApiToken(
    @Arg('label', { description: '1-64 characters.' }) label: string,
    @Arg('scopes', () => [PermissionEnum], {
      description: 'Its scopes, a part of your permissions; never APPROVE, ADMIN or READ_PERSONAL.',
    })
    scopes: Permission[],
    @Arg('expiresAt', {
      description: 'At most a year from now; 30 days in production.',
    })
    expiresAt: Date,
    @Ctx() context: GraphContext,
    @Arg('allowedAddresses', () => [String], {
      nullable: true,
      description:
        'Addresses and networks from which it works, such as 203.0.113.7 or 2001:db8::/32; from any unless given. Production requires it.',
    })
    allowedAddresses?: string[] | null,
  ): Promise<IssuedApiToken> {
    const { actor, lookup, now } = context;
    const operator = operatorOf(actor);
    const length = Array.from(label.trim()).length;
    if (length < 1 || length > 64) throw invalidField('label', 'must have 1-64 characters', 'OUT_OF_RANGE');
    checkEnd(context, expiresAt);
    const wanted = [...new Set<Permission>(['VIEW', ...scopes])];
    for (const scope of wanted) {
      if (scope === 'APPROVE' || scope === 'ADMIN' || scope === 'READ_PERSONAL')
        throw invalidField('scopes', `a token cannot hold ${scope}`, 'NOT_ALLOWED');
      if (takesTwo(context) && OVER_MONEY.has(scope))
        throw invalidField('scopes', `a token holds no power over money: not ${scope}`, 'NOT_ALLOWED');
      if (!operator.permissions.has(scope)) throw invalidField('scopes', `you do not have ${scope}`, 'NOT_ALLOWED');
    }
    const bound = addressesOf(context, allowedAddresses);
    const secret = newApiToken();
    const token: db.ApiTokenRow = {
      id: uuidv7(),
      operatorId: operator.id,
      label: label.trim(),
      hint: secretHint(secret),
      scopes: wanted,
      allowedAddresses: bound,
      createdAt: now,
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    };
    const action = {
      action: 'createApiToken',
      subject: `operator:${operator.id}`,
      reason: 'own account',
      detail: {
        apiTokenId: token.id,
        scopes: wanted,
        expiresAt: expiresAt.toISOString(),
        allowedAddresses: bound,
      },
    };
    await operatorAction(context, action, async (tx) => {
      await db.insertApiToken(tx, { ...token, tokenHash: lookup(secret) });
    });
    return { secret, token };
  }

  @Authorized('PERSON')
  @Mutation(() => ApiToken, {
    description: "Ends a token at once: your own, or with ADMIN anybody's.",
  })
  async revokeApiToken(
    @Arg('id', () => ID, { description: "The id of the token; your own, or with ADMIN anybody's." })
    id: string,
    @Ctx() context: GraphContext,
  ): Promise<ApiToken> {
    const operator = operatorOf(context.actor);
    const whose = operator.permissions.has('ADMIN') ? null : operator.id;
    const action = {
      action: 'revokeApiToken',
      subject: `api_token:${id}`,
      reason: 'no longer needed',
    };
    return await operatorAction(context, action, async (tx) => {
      const revoked = await db.revokeApiToken(tx, id, whose, context.now);
      if (!revoked) throw businessError('WRONG_STATE', 'the token does not exist or is already revoked');
      return revoked;
    });
  }
}
