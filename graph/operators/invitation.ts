import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { businessError, CatalogueError, invalidField, notFound } from '../../domain/errors';
import { checkNewPassword, normalLogin } from '../../domain/password';
import { addressKey, isDecisive } from '../../domain/authority/powers';
import { authorityOf } from '../../domain/permissions';
import { type MailEvent, type MailRow, type MailStatus } from '../../db/mails';
import * as db from '../../db/operators/operator-links';
import { insertOperator, setDecidesFrom } from '../../db/operators/operators';
import { findRoles } from '../../db/operators/roles';
import { type GraphContext } from '../context';
import { hashPassword, oncePerRequest } from '../../steps/operators/login';
import { Operator } from './operator';
import { operatorAction } from '../../steps/operators/operator-action';
import { linkHashes, newLinkIds } from '../../steps/operators/operator-link';
import { enumOf } from '../scalars';
import { REASON } from '../descriptions';
import { operatorOf } from '../../steps/access/caller';
import { endedLink } from '../../steps/operators/password';

export const MailStatusEnum = enumOf(['QUEUED', 'SENT', 'FAILED'] as const);
registerEnumType(MailStatusEnum, {
  name: 'MailStatus',
  description: 'The status of a mail.',
  valuesConfig: {
    QUEUED: {
      description: 'It is retried until the mail server accepts it or its link has expired.',
    },
    SENT: { description: 'The mail server has accepted it.' },
    FAILED: { description: 'Permanently refused, or its link ended before it could be sent.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'A mail to an operator; its link is in it alone.',
})
export class Mail {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => String, { description: 'What it is about, such as tenant_owner_invite.' })
  event!: MailEvent;

  @Field(() => MailStatusEnum, { description: 'The status of its sending.' })
  status!: MailStatus;

  @Field(() => Int, { description: 'Attempts to send it so far.' })
  attempts!: number;

  @Field(() => String, { nullable: true, description: 'Why the last attempt failed.' })
  lastError!: string | null;

  @Field({ description: 'When it was queued.' })
  createdAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When a mail server accepted it; null before.',
  })
  sentAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'An invitation to become an operator.' })
export class Invitation {
  @Field(() => ID, { description: 'A UUID, as `resendInvitation` and `revokeInvitation` take it.' })
  id!: string;

  @Field({ description: 'The address that it was mailed to.' })
  email!: string;

  @Field(() => [String], { description: 'Names of roles.' })
  roles!: readonly string[];

  @Field(() => [ID], {
    nullable: true,
    description: 'Restricted to these merchants; null: to none.',
  })
  merchantIds!: readonly string[] | null;

  @Field({ description: 'When it was made.' })
  createdAt!: Date;

  @Field({ description: 'Its link works until then.' })
  expiresAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was accepted.' })
  usedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was revoked; null if it was not.' })
  revokedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'An invitation as its recipient sees it.' })
export class InvitationOffer {
  @Field({ description: 'The address that was invited.' })
  email!: string;

  @Field(() => [String], { description: 'Names of roles.' })
  roles!: readonly string[];

  @Field({ description: 'The link works until then.' })
  expiresAt!: Date;
}

/** How long an approved invitation may be mailed again, because the approval may be outdated later. */
const RESENT_WITHIN_DAYS = 7;

const LOGIN = /^[a-z0-9][a-z0-9._@+-]{2,63}$/;

/** An invitation as it is shown. */
export const shownInvitation = (link: db.LinkRow): Invitation => ({
  ...link,
  roles: link.roles ?? [],
});

@Resolver(() => Invitation)
export class InvitationResolver {
  @FieldResolver(() => [Mail], { description: 'Its mails, newest first.' })
  async mails(@Root() { id }: Invitation, @Ctx() { loaders }: GraphContext): Promise<readonly MailRow[]> {
    return await loaders.mailsOfLink.load(id);
  }

  @Authorized('ADMIN')
  @Mutation(() => Invitation, { description: 'Revokes an invitation that was not accepted yet.' })
  async revokeInvitation(
    @Arg('id', () => ID, { description: 'The id of the invitation.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<Invitation> {
    const action = { action: 'revokeInvitation', subject: `invitation:${id}`, reason };
    return await operatorAction(context, action, async (tx) => {
      const revoked = await db.revokeLink(tx, id, context.now);
      if (!revoked) throw businessError('WRONG_STATE', 'the invitation does not exist or has ended');
      return shownInvitation(revoked);
    });
  }

  @Authorized('ADMIN')
  @Mutation(() => Invitation, {
    description: 'Mails a new link that replaces an unused one. Nothing else changes.',
  })
  async resendInvitation(
    @Arg('id', () => ID, { description: 'The id of the invitation.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<Invitation> {
    const { actor, database, now } = context;
    const old = await db.findLink(database, id);
    if (old?.purpose !== 'INVITE') throw notFound('invitation');
    if (old.usedAt || old.revokedAt)
      throw businessError('WRONG_STATE', 'the invitation was already accepted or revoked');
    const approvedAt = old.approvedAt ?? old.createdAt;
    if (now.getTime() - approvedAt.getTime() > RESENT_WITHIN_DAYS * 86_400_000)
      throw businessError(
        'WRONG_STATE',
        `the invitation was approved over ${RESENT_WITHIN_DAYS} days ago: propose it again`,
      );
    const ids = newLinkIds();
    const action = { action: 'resendInvitation', subject: `invitation:${id}`, reason };
    await operatorAction(context, action, async (tx) => {
      const link = { ...old, ...ids, approvedAt, createdBy: operatorOf(actor).id };
      await db.mailLink(tx, link, now);
    });
    const fresh = await db.findLink(database, ids.id);
    if (!fresh) throw notFound('invitation');
    return shownInvitation(fresh);
  }

  @Query(() => InvitationOffer, { description: 'What a link of an invitation offers.' })
  async invitation(
    @Arg('token', { description: 'The part of the link after #.' }) token: string,
    @Ctx() context: GraphContext,
  ): Promise<InvitationOffer> {
    const hash = linkHashes(context, token);
    const link = await db.findLiveLink(context.database, hash, 'INVITE', context.now);
    if (!link) throw endedLink();
    return { email: link.email, roles: link.roles ?? [], expiresAt: link.expiresAt };
  }

  @Mutation(() => Operator, {
    description: 'Makes the recipient of the link an operator. The link works once. Then log in.',
  })
  async acceptInvitation(
    @Arg('token', { description: 'The part of the link after #.' }) token: string,
    @Arg('login', { description: '3-64 letters, digits and . _ @ + -' }) wanted: string,
    @Arg('password', { description: '12-128 characters.' }) password: string,
    @Ctx() context: GraphContext,
  ): Promise<Operator> {
    const { database, log, now } = context;
    oncePerRequest(context);
    const link = await db.findLiveLink(database, linkHashes(context, token), 'INVITE', now);
    if (!link) throw endedLink();
    const login = normalLogin(wanted);
    if (!LOGIN.test(login)) throw invalidField('login', 'must be 3-64 letters, digits and . _ @ + -', 'OUT_OF_RANGE');
    checkNewPassword(password, [login, link.email]);
    const passwordHash = await hashPassword(password);
    const operator = { id: uuidv7(), login };
    await database.transaction(async (tx) => {
      if (!(await db.useLink(tx, link.id, now))) throw endedLink();
      const others = await db.lockAddresses(tx, now);
      const key = addressKey(link.email);
      if (others.some(({ email, isOperator }) => isOperator && addressKey(email) === key))
        throw new CatalogueError('CONFLICT', 'an operator has this address already');
      const { email, merchantIds } = link;
      const made = { ...operator, email, passwordHash, merchantIds, createdAt: now };
      if (!(await insertOperator(tx, { ...made, roles: link.roles ?? [] })))
        throw new CatalogueError('CONFLICT', 'the login is already used, or a role of the invitation no longer exists');
      // Owners of a new deployment decide at once: no other operator exists yet.
      const { coolingMs } = context.changes;
      const granted = authorityOf(await findRoles(tx, link.roles ?? []), merchantIds);
      if (link.approvedAt !== null && coolingMs > 0 && isDecisive(granted))
        await setDecidesFrom(tx, [operator.id], new Date(now.getTime() + coolingMs));
    });
    context.audit.note = {
      operator,
      subject: `operator:${operator.id}`,
      after: { invitation: link.id, roles: [...(link.roles ?? [])] },
    };
    log.info({ operator: login }, 'invitation accepted');
    return operator;
  }
}
