import { Arg, Authorized, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { FACTOR_FRESH_MS } from '../../domain/authority/fresh-factor';
import { CatalogueError } from '../../domain/errors';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import { type ChallengePurpose, findPasskeysOf } from '../../db/operators/passkeys';
import { proveSession } from '../../db/operators/sessions';
import { hasFactor, needsPasskey } from '../../steps/access/factor';
import { type GraphContext } from '../context';
import { confirmFactor, identify } from '../../steps/operators/login';
import { PasskeyAnswerInput } from './passkey-input';
import { giveChallenge, placeOf } from '../../steps/operators/use-factor';
import { operatorOf } from '../../steps/access/caller';

@ObjectType({ simpleResolvers: true, description: 'What a browser asks a passkey to sign.' })
export class PasskeyRequest {
  @Field({ description: 'To be signed once, within five minutes; base64url.' })
  challenge!: string;

  @Field({ description: 'The host that the passkeys are good for.' })
  rpId!: string;

  @Field(() => [String], { description: 'The credentials of which one must sign; base64url.' })
  allowed!: readonly string[];
}

@ObjectType({ simpleResolvers: true, description: 'The ways to show your second factor.' })
export class FactorRequest {
  @Field({ description: 'A code of the app, or a recovery code, is enough for what you may do.' })
  code!: boolean;

  @Field(() => PasskeyRequest, {
    nullable: true,
    description: 'Null without a passkey, and where the console has an address for a name.',
  })
  passkey!: PasskeyRequest | null;
}

@ObjectType({ simpleResolvers: true, description: 'The second factor was correct.' })
export class FactorConfirmed {
  @Field({ description: 'Steps that need a fresh second factor need no other until then.' })
  until!: Date;
}

/** The challenge for the operator's passkeys; null if there is none, or if passkeys do not work at this address. */
export async function requestOf(
  context: GraphContext,
  { id }: Pick<OperatorWithAuthority, 'id'>,
  purpose: ChallengePurpose,
): Promise<PasskeyRequest | null> {
  const place = placeOf(context);
  const passkeys = place ? await findPasskeysOf(context.database, [id]) : [];
  if (!place || passkeys.length === 0) return null;
  return {
    challenge: await giveChallenge(context, id, purpose),
    rpId: place.rpId,
    allowed: passkeys.map(({ credentialId }) => credentialId),
  };
}

@Resolver()
export class FactorResolver {
  @Mutation(() => FactorRequest, {
    description: 'After `signIn` answered CODE_REQUIRED: what the passkeys must sign. Wrong passwords count as there.',
  })
  async beginPasskeySignIn(
    @Arg('login', { description: 'The name that the operator logs in with.' }) login: string,
    @Arg('password', { description: 'Wrong ones are counted by login and address.' })
    password: string,
    @Ctx() context: GraphContext,
  ): Promise<FactorRequest> {
    const operator = await identify(context, { login, password, by: 'PASSWORD' });
    return { code: true, passkey: await requestOf(context, operator, 'SIGN_IN') };
  }

  @Authorized('PERSON')
  @Mutation(() => FactorRequest, {
    description: 'After FACTOR_REQUIRED: what your passkeys must sign.',
  })
  async beginFactor(@Ctx() context: GraphContext): Promise<FactorRequest> {
    const operator = operatorOf(context.actor);
    const passkey = await requestOf(context, operator, 'CONFIRM');
    return { code: !needsPasskey(context, operator), passkey };
  }

  @Authorized('PERSON')
  @Mutation(() => FactorConfirmed, {
    description:
      'Shows your second factor again: for five minutes, steps that answer FACTOR_REQUIRED take it. Give a code or a passkey.',
  })
  async confirmFactor(
    @Ctx() context: GraphContext,
    @Arg('code', () => String, {
      nullable: true,
      description: 'Of the authenticator app, or a recovery code.',
    })
    code?: string | null,
    @Arg('passkey', () => PasskeyAnswerInput, {
      nullable: true,
      description: 'The answer to the challenge of `beginFactor`.',
    })
    passkey?: PasskeyAnswerInput | null,
  ): Promise<FactorConfirmed> {
    const { actor, audit, database, now } = context;
    const operator = operatorOf(actor);
    if (actor.kind !== 'operator' || !hasFactor(operator))
      throw new CatalogueError('UNAUTHENTICATED', 'you have no second factor');
    const factor = await confirmFactor(context, operator, { code, passkey });
    audit.note = { subject: `operator:${operator.id}`, after: { factor } };
    const passkeyAt = factor === 'PASSKEY' ? now : null;
    await proveSession(database, actor.tokenHash, { factorAt: now, passkeyAt });
    return { until: new Date(now.getTime() + FACTOR_FRESH_MS) };
  }
}
