import { Arg, Authorized, Ctx, Field, FieldResolver, ID, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { knownTransports, readNewPasskey } from '../../crypto/passkey';
import { businessError, CatalogueError, invalidField, notFound } from '../../domain/errors';
import { setDecidesFrom } from '../../db/operators/operators';
import * as db from '../../db/operators/passkeys';
import { countRecoveryCodes, dropIdleCodes } from '../../db/operators/second-factor';
import { isProven, missingFactor } from '../../steps/access/factor';
import { type GraphContext } from '../context';
import { DONE, Done } from '../done';
import { confirmIdentity } from '../../steps/operators/login';
import { Operator } from './operator';
import { operatorAction } from '../../steps/operators/operator-action';
import { NewPasskeyInput } from './passkey-input';
import { giveCodes } from './second-factor';
import { giveChallenge, requirePlace, takeChallengeOf } from '../../steps/operators/use-factor';
import { operatorOf } from '../../steps/access/caller';

/** The most passkeys of an operator: one to carry, one in a drawer, one for each machine. */
const MOST_PASSKEYS = 10;

@ObjectType({
  simpleResolvers: true,
  description: 'A passkey: a key of a device, which logs in its owner, only on our pages.',
})
export class Passkey {
  @Field(() => ID, { description: 'A UUID, as `renamePasskey` and `removePasskey` take it.' })
  id!: string;

  @Field({ description: 'The name that its owner gave it.' })
  label!: string;

  @Field({ description: 'When it was added.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Null: never.' })
  lastUsedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'What a browser needs to make a passkey.' })
export class PasskeyCreation {
  @Field({ description: 'To be signed once, within five minutes; base64url.' })
  challenge!: string;

  @Field({ description: 'The host that the passkey will be good for.' })
  rpId!: string;

  @Field({ description: 'Names the operator to the device; base64url.' })
  userId!: string;

  @Field({ description: 'The login, which the device shows.' })
  userName!: string;

  @Field(() => [String], {
    description: 'Credentials that are there already: a device that has one of them makes no other.',
  })
  excluded!: readonly string[];
}

@ObjectType({ simpleResolvers: true, description: 'The result of adding a passkey.' })
export class AddedPasskey {
  @Field(() => Passkey, { description: 'The new one.' })
  passkey!: Passkey;

  @Field(() => [String], {
    description: 'Ten recovery codes, shown once, if there were none; else empty: the earlier ones stay valid.',
  })
  recoveryCodes!: readonly string[];
}

/** A name for a passkey. @throws INVALID_FIELD */
function checkedLabel(label: string): string {
  const trimmed = label.trim();
  const length = Array.from(trimmed).length;
  if (length < 1 || length > 64) throw invalidField('label', 'must have 1-64 characters', 'OUT_OF_RANGE');
  return trimmed;
}

@Resolver()
export class PasskeyResolver {
  @Authorized('PERSON')
  @Mutation(() => PasskeyCreation, {
    description:
      'Begins to add a passkey. Needs the console, at an address that has a name; and a fresh second factor, if the operator has one.',
  })
  async beginPasskey(
    @Arg('password', { description: 'Your own password.' }) password: string,
    @Ctx() context: GraphContext,
  ): Promise<PasskeyCreation> {
    const operator = operatorOf(context.actor);
    const { rpId } = requirePlace(context);
    await confirmIdentity(context, operator, password);
    const passkeys = await db.findPasskeysOf(context.database, [operator.id]);
    if (passkeys.length >= MOST_PASSKEYS)
      throw businessError('NO_CAPACITY', `you have ${MOST_PASSKEYS} passkeys: remove one first`);
    return {
      challenge: await giveChallenge(context, operator.id, 'ADD'),
      rpId,
      userId: Buffer.from(operator.id).toString('base64url'),
      userName: operator.login,
      excluded: passkeys.map(({ credentialId }) => credentialId),
    };
  }

  @Authorized('PERSON')
  @Mutation(() => AddedPasskey, {
    description: 'Adds the passkey that a device has made. From now on each login needs it, another one, or a code.',
  })
  async addPasskey(
    @Arg('label', { description: '1-64 characters.' }) label: string,
    @Arg('answer', () => NewPasskeyInput, { description: 'To the challenge of `beginPasskey`.' })
    answer: NewPasskeyInput,
    @Ctx() context: GraphContext,
  ): Promise<AddedPasskey> {
    const { database, now } = context;
    const operator = operatorOf(context.actor);
    const named = checkedLabel(label);
    const place = requirePlace(context);
    const { clientDataJSON } = answer;
    const challenge = await takeChallengeOf(context, clientDataJSON, operator.id, 'ADD');
    const kept = challenge && (await readNewPasskey(answer, { challenge, ...place }));
    if (!kept) throw new CatalogueError('UNAUTHENTICATED', 'the passkey is not the one asked for');
    const passkey: db.PasskeyRow = {
      id: uuidv7(),
      operatorId: operator.id,
      label: named,
      ...kept,
      transports: knownTransports(answer.transports),
      createdAt: now,
      lastUsedAt: null,
    };
    const action = {
      action: 'addPasskey',
      subject: `operator:${operator.id}`,
      reason: 'own account',
      detail: { passkeyId: passkey.id, label: named },
    };
    const left = await countRecoveryCodes(database, [operator.id]);
    return await operatorAction(context, action, async (tx) => {
      if (!(await db.insertPasskey(tx, passkey)))
        throw businessError('ALREADY_EXISTS', 'this passkey is there already');
      // A person who shows only a code may have stolen it: a passkey added so begins a cooling period.
      if (operator.passkeys > 0 && context.changes.coolingMs > 0 && !isProven(context, 'DECIDING'))
        await setDecidesFrom(tx, [operator.id], new Date(now.getTime() + context.changes.coolingMs));
      const recoveryCodes = left.has(operator.id) ? [] : (await giveCodes(tx, context, operator.id)).codes;
      return { passkey, recoveryCodes };
    });
  }

  @Authorized('PERSON')
  @Mutation(() => Passkey, { description: 'Gives one of your passkeys another name.' })
  async renamePasskey(
    @Arg('id', () => ID, { description: 'One of your own.' }) id: string,
    @Arg('label', { description: '1-64 characters.' }) label: string,
    @Ctx() context: GraphContext,
  ): Promise<Passkey> {
    const operator = operatorOf(context.actor);
    const named = checkedLabel(label);
    const action = { action: 'renamePasskey', subject: `passkey:${id}`, reason: 'own account' };
    await operatorAction(context, { ...action, detail: { label: named } }, async (tx) => {
      if (!(await db.renamePasskey(tx, id, operator.id, named))) throw notFound('passkey');
    });
    const passkeys = await db.findPasskeysOf(context.database, [operator.id]);
    const renamed = passkeys.find((passkey) => passkey.id === id);
    if (!renamed) throw notFound('passkey');
    return renamed;
  }

  @Authorized('PERSON')
  @Mutation(() => Done, {
    description:
      'Removes one of your passkeys. With the last one, and no authenticator app, the recovery codes go too.',
  })
  async removePasskey(
    @Arg('id', () => ID, { description: 'One of your own.' }) id: string,
    @Ctx() context: GraphContext,
  ): Promise<Done> {
    const operator = operatorOf(context.actor);
    const action = { action: 'removePasskey', subject: `passkey:${id}`, reason: 'own account' };
    await operatorAction(context, action, async (tx) => {
      if (!(await db.deletePasskey(tx, id, operator.id))) throw notFound('passkey');
      await dropIdleCodes(tx, operator.id);
    });
    return DONE;
  }
}

@Resolver(() => Operator)
export class PasskeysOfOperatorResolver {
  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => [Passkey], { description: 'Its passkeys, oldest first.' })
  async passkeys(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<readonly Passkey[]> {
    return await loaders.passkeys.load(id);
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => Boolean, {
    description: 'Approves, and so must have a passkey: may do nothing before there is one.',
  })
  async mustEnrolPasskey(
    @Root() { id }: Operator,
    @Ctx() { approverPasskeys = false, environment, loaders }: GraphContext,
  ): Promise<boolean> {
    const operator = await loaders.operators.load(id);
    const missing = operator && missingFactor({ approverPasskeys, environment }, operator);
    return missing === 'PASSKEY';
  }
}
