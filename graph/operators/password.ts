import { setTimeout as sleep } from 'node:timers/promises';
import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { businessError, notFound } from '../../domain/errors';
import { checkNewPassword } from '../../domain/password';
import { findLiveLink, mailLink, useLink } from '../../db/operators/operator-links';
import { changePassword } from '../../db/operators/operators';
import { type GraphContext } from '../context';
import { DONE, Done } from '../done';
import { confirmIdentity, hashPassword, oncePerRequest } from '../../steps/operators/login';
import { operatorAction } from '../../steps/operators/operator-action';
import { linkHashes } from '../../steps/operators/operator-link';
import { REASON } from '../descriptions';
import { operatorOf } from '../../steps/access/caller';
import { endedLink, mailReset, RESET_ANSWER_MS, resetOf } from '../../steps/operators/password';

@Resolver()
export class PasswordResolver {
  @Authorized('PERSON')
  @Mutation(() => Done, {
    description: "Changes one's own password. All sessions and API tokens end, the one that asks too: log in again.",
  })
  async changePassword(
    @Arg('password', { description: 'The password until now.' }) password: string,
    @Arg('newPassword', { description: '12-128 characters.' }) newPassword: string,
    @Ctx() context: GraphContext,
    @Arg('code', () => String, {
      nullable: true,
      description: 'Of the authenticator app, if one is enrolled.',
    })
    code?: string | null,
  ): Promise<Done> {
    const { actor, browser, now } = context;
    const operator = operatorOf(actor);
    checkNewPassword(newPassword, [operator.login, operator.email ?? '']);
    await confirmIdentity(context, operator, password, code);
    const passwordHash = await hashPassword(newPassword);
    const subject = `operator:${operator.id}`;
    const action = { action: 'changePassword', subject, reason: 'own account' };
    await operatorAction(context, action, async (tx) => {
      await changePassword(tx, operator.id, passwordHash, now);
    });
    browser?.drop();
    return DONE;
  }

  @Mutation(() => Done, {
    description:
      'Mails a link to reset the password to the address of this login, if there is one. Always answers true.',
  })
  async requestPasswordReset(
    @Arg('login', { description: 'The name that the operator logs in with.' }) login: string,
    @Ctx() context: GraphContext,
  ): Promise<Done> {
    oncePerRequest(context);
    // Whether there is such a login must not show in the time of the answer.
    await Promise.all([mailReset(login, context), sleep(RESET_ANSWER_MS)]);
    return DONE;
  }

  @Authorized('ADMIN')
  @Mutation(() => Done, {
    description: 'Mails an operator a link to reset the password. It is good once, for an hour.',
  })
  async sendPasswordReset(
    @Arg('operatorId', () => ID, { description: 'The id of the operator, a UUID.' })
    operatorId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<Done> {
    const operator = await context.loaders.operators.load(operatorId);
    if (!operator || operator.disabledAt) throw notFound('operator');
    const { email } = operator;
    if (email === null) throw businessError('NOT_ENABLED', 'the operator has no e-mail address');
    const createdBy = operatorOf(context.actor).id;
    const subject = `operator:${operatorId}`;
    const action = { action: 'sendPasswordReset', subject, reason };
    await operatorAction(context, action, async (tx) => {
      await mailLink(tx, { ...resetOf(operatorId, email), createdBy }, context.now);
    });
    return DONE;
  }

  @Mutation(() => Done, {
    description:
      'Sets a new password for the recipient of the link. Sessions and API tokens end; the authenticator app stays.',
  })
  async resetPassword(
    @Arg('token', { description: 'The part of the link after #.' }) token: string,
    @Arg('newPassword', { description: '12-128 characters.' }) newPassword: string,
    @Ctx() context: GraphContext,
  ): Promise<Done> {
    const { database, loaders, log, now } = context;
    oncePerRequest(context);
    const link = await findLiveLink(database, linkHashes(context, token), 'RESET', now);
    const operator = link?.operatorId ? await loaders.operators.load(link.operatorId) : undefined;
    if (!link || !operator || operator.disabledAt) throw endedLink();
    checkNewPassword(newPassword, [operator.login, link.email]);
    context.audit.note = { operator, subject: `operator:${operator.id}` };
    const passwordHash = await hashPassword(newPassword);
    await database.transaction(async (tx) => {
      if (!(await useLink(tx, link.id, now))) throw endedLink();
      await changePassword(tx, operator.id, passwordHash, now);
    });
    log.info({ operator: operator.login }, 'password reset');
    return DONE;
  }
}
