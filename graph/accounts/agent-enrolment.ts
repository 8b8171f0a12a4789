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
import type { Money } from '../../domain/money';
import * as db from '../../db/accounts/agent-enrolments';
import type { GraphContext } from '../context';
import { DecimalScalar } from '../scalars';
import { readPublicKey } from '../../steps/accounts/agent-public-key';
import { linkOf, opensNothing } from '../../steps/accounts/agent-enrolment';

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
