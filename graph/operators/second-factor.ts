import { Arg, Authorized, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { newRecoveryCode } from '../../crypto/tokens';
import { newTotpSecret, totpStep, totpUri } from '../../crypto/totp';
import { businessError, CatalogueError } from '../../domain/errors';
import type { Transaction } from '../../db/client';
import * as db from '../../db/operators/second-factor';
import { type GraphContext } from '../context';
import { DONE, Done } from '../done';
import { hasFactor } from '../../steps/access/factor';
import { confirmIdentity } from '../../steps/operators/login';
import { recoveryText } from '../../steps/operators/use-factor';
import { operatorAction } from '../../steps/operators/operator-action';
import { operatorOf } from '../../steps/access/caller';

/** The number of recovery codes of one set. */
const RECOVERY_CODES = 10;

@ObjectType({
  simpleResolvers: true,
  description: 'An authenticator app to enrol. It is in force once a code has confirmed it.',
})
export class TotpEnrolment {
  @Field({ description: 'otpauth:…, to be shown as a QR code. Shown once.' })
  uri!: string;

  @Field({ description: 'The secret in it, base32, for those who cannot scan it.' })
  secret!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Codes for the case that the app is lost.' })
export class RecoveryCodes {
  @Field(() => [String], { description: 'Each works once. Shown once.' })
  codes!: readonly string[];
}

/** Ten new codes, which replace all others. */
export async function giveCodes(tx: Transaction, context: GraphContext, operatorId: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const hashes = codes.map((code) => context.lookup(recoveryText(operatorId, code)));
  await db.replaceRecoveryCodes(tx, operatorId, hashes);
  return { codes };
}

@Resolver()
export class SecondFactorResolver {
  @Authorized('PERSON')
  @Mutation(() => TotpEnrolment, {
    description: 'Begins to enrol an authenticator app. Refused while one is enrolled.',
  })
  async beginTotp(
    @Arg('password', { description: 'Your own password.' }) password: string,
    @Ctx() context: GraphContext,
  ): Promise<TotpEnrolment> {
    const operator = operatorOf(context.actor);
    await confirmIdentity(context, operator, password);
    const secret = newTotpSecret();
    const sealed = context.sealer.seal(secret, `totp:${operator.id}`);
    if (!(await db.putTotp(context.database, operator.id, sealed)))
      throw businessError('ALREADY_EXISTS', 'an authenticator app is already enrolled: remove it first');
    return { secret, uri: totpUri('Causeway', operator.login, secret) };
  }

  @Authorized('PERSON')
  @Mutation(() => RecoveryCodes, {
    description: 'Confirms the app by a code of it. From now on each login needs one.',
  })
  async confirmTotp(
    @Arg('code', { description: 'Six digits, as the authenticator app shows them now.' })
    code: string,
    @Ctx() context: GraphContext,
  ): Promise<RecoveryCodes> {
    const { actor, database, now, sealer } = context;
    const { id } = operatorOf(actor);
    const totp = await db.findTotp(database, id);
    if (!totp || totp.confirmedAt)
      throw businessError('WRONG_STATE', 'no authenticator app is waiting for confirmation');
    const step = totpStep(sealer.open(totp.sealedSecret, `totp:${id}`), code.trim(), now);
    if (step === undefined) throw new CatalogueError('UNAUTHENTICATED', 'the code is wrong');
    const action = { action: 'confirmTotp', subject: `operator:${id}`, reason: 'own account' };
    return await operatorAction(context, action, async (tx) => {
      if (!(await db.useStep(tx, id, step)) || !(await db.confirmTotp(tx, id, now)))
        throw new CatalogueError('UNAUTHENTICATED', 'the code is wrong');
      return await giveCodes(tx, context, id);
    });
  }

  @Authorized('PERSON')
  @Mutation(() => RecoveryCodes, {
    description: 'Ten new recovery codes; the earlier ones become invalid.',
  })
  async newRecoveryCodes(
    @Arg('password', { description: 'Your own password.' }) password: string,
    @Arg('code', {
      description:
        'Six digits of the authenticator app, or a recovery code; empty if confirmFactor was called within five minutes.',
    })
    code: string,
    @Ctx() context: GraphContext,
  ): Promise<RecoveryCodes> {
    const operator = operatorOf(context.actor);
    if (!hasFactor(operator))
      throw businessError('WRONG_STATE', 'neither an authenticator app nor a passkey is enrolled');
    await confirmIdentity(context, operator, password, code);
    const subject = `operator:${operator.id}`;
    const action = { action: 'newRecoveryCodes', subject, reason: 'own account' };
    return await operatorAction(context, action, async (tx) => await giveCodes(tx, context, operator.id));
  }

  @Authorized('PERSON')
  @Mutation(() => Done, {
    description: 'Removes the authenticator app and its recovery codes, to enrol another.',
  })
  async removeTotp(
    @Arg('password', { description: 'Your own password.' }) password: string,
    @Arg('code', { description: 'Of the app, or a recovery code.' }) code: string,
    @Ctx() context: GraphContext,
  ): Promise<Done> {
    const operator = operatorOf(context.actor);
    await confirmIdentity(context, operator, password, code);
    const subject = `operator:${operator.id}`;
    const action = { action: 'removeTotp', subject, reason: 'own account' };
    await operatorAction(context, action, async (tx) => {
      await db.deleteTotp(tx, operator.id);
    });
    return DONE;
  }
}
