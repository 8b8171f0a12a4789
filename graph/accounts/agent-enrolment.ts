import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { CatalogueError } from '../../domain/errors';
import type { Money } from '../../domain/money';
import * as db from '../../db/accounts/agent-enrolments';
import type { Actor } from '../../steps/access/actor';
import type { GraphContext, GraphCore } from '../context';
import { DecimalScalar } from '../scalars';
import { readPublicKey } from '../../steps/accounts/agent-public-key';

/** The link is refused; the answer does not reveal why. */
const opensNothing = (): CatalogueError =>
  new CatalogueError('UNAUTHENTICATED', 'this link is invalid, was used, or has ended');

const opens = (link: db.AgentEnrolmentCase, now: Date): boolean =>
  link.enrolledAt === null &&
  link.revokedAt === null &&
  link.expiresAt !== null &&
  now < link.expiresAt;

/**
 * The owner behind the token of a link. Not a field of the schema: so no token is ever returned, and the internal
 * listener cannot make this actor.
 * @throws UNAUTHENTICATED for an unknown, used or expired token, and for a revoked key
 */
export async function authenticateEnroller(
  { database, lookup, clock }: GraphCore,
  token: string,
): Promise<Actor> {
  const id = await db.findAgentEnrolmentByToken(database, lookup.all(`agent:${token}`));
  const link = id === undefined ? undefined : await db.findAgentEnrolment(database, id);
  if (!link || !opens(link, clock())) throw opensNothing();
  return { kind: 'enroller', linkId: link.id };
}

/** The link of the caller. @throws AUTHORIZATION_ERROR for any other actor, UNAUTHENTICATED */
async function linkOf({ actor, database }: GraphContext): Promise<db.AgentEnrolmentCase> {
  if (actor.kind !== 'enroller')
    throw new CatalogueError('AUTHORIZATION_ERROR', 'owners of agents only');
  const link = await db.findAgentEnrolment(database, actor.linkId);
  if (!link) throw opensNothing();
  return link;
}

@ObjectType({ simpleResolvers: true, description: 'An account on which an agent reports.' })
export class WatchedAccount {
  @Field(() => ID, { description: 'What the agent sends as `account_id`.' })
  id!: string;

  @Field({ description: 'What operators call it.' })
  name!: string;

  @Field({ description: 'Its currency.' })
  currencyCode!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'An agent to enrol, as the page of its link shows it.',
})
export class AgentEnrolment {
  @Field({ description: 'Sent as X-Agent-Key.' })
  keyId!: string;

  @Field({ description: 'What operators call it.' })
  label!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'A larger transfer waits for an operator; null: no ceiling.',
  })
  maxTransferAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What it may have credited without a person in 24 hours; null: no ceiling.',
  })
  maxDailyAmount!: Money | null;

  @Field(() => Date, { nullable: true, description: 'When its owner enrolled a public key.' })
  enrolledAt!: Date | null;
}

@Resolver(() => AgentEnrolment)
export class AgentEnrolmentResolver {
  @Authorized('ENROLLER')
  @Query(() => AgentEnrolment, { description: 'The agent of the link by which it is asked.' })
  async agentEnrolment(@Ctx() context: GraphContext): Promise<db.AgentEnrolmentCase> {
    return await linkOf(context);
  }

  @Authorized('ENROLLER')
  @Mutation(() => AgentEnrolment, {
    description: 'Gives the agent of a link its public key, once. The private key stays with it.',
  })
  async enrolAgent(
    @Arg('publicKey', { description: 'Ed25519: SPKI, DER in base64 or PEM.' }) publicKey: string,
    @Ctx() context: GraphContext,
  ): Promise<db.AgentEnrolmentCase> {
    const { database, log, now } = context;
    const { id, keyId } = await linkOf(context);
    if (!(await db.enrolAgent(database, id, readPublicKey(publicKey), now))) throw opensNothing();
    log.info({ agentKeyId: keyId }, 'an agent was enrolled');
    return await linkOf(context);
  }

  @Authorized('ENROLLER')
  @FieldResolver(() => [WatchedAccount], { description: 'The accounts it may report on.' })
  async accounts(
    @Root() { agentKeyId }: db.AgentEnrolmentCase,
    @Ctx() { database }: GraphContext,
  ): Promise<readonly db.WatchedAccount[]> {
    return await db.findWatchedAccounts(database, agentKeyId);
  }
}
