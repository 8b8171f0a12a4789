import { createAgentKey, revokeAgentKey } from '../../steps/accounts/agent-key';
import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Money } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import { BankTransfer } from '../transfers/bank-transfer';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { type GraphContext } from '../context';
import { DecimalScalar } from '../scalars';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';

@ObjectType({
  simpleResolvers: true,
  description: 'A key with which an agent that watches bank accounts reports what arrives.',
})
export class AgentKey {
  @Field(() => ID, {
    description: 'A UUID, as `revokeAgentKey` takes it; not the `keyId` that the agent sends.',
  })
  id!: string;

  @Field({ description: 'Sent as X-Agent-Key.' })
  keyId!: string;

  @Field({ description: 'What operators call it.' })
  label!: string;

  @Field(() => [ID], { description: 'The accounts it may report on.' })
  accountIds!: readonly string[];

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'A larger transfer waits for an operator.',
  })
  maxTransferAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What it may have credited without a person in 24 hours, per currency.',
  })
  maxDailyAmount!: Money | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The public key of an agent that signs by Ed25519 (SPKI, DER in base64); null: it signs by HMAC, or is not enrolled yet.',
  })
  publicKey!: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'Since when it works; null while its owner has not enrolled a public key.',
  })
  worksSince!: Date | null;

  @Field({ description: 'When it was issued.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was revoked; null while it works.' })
  revokedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed agent key.' })
export class AgentKeyChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => String, {
    nullable: true,
    description:
      'The HMAC secret, shown this once; it works once the change is applied. Null for an agent with a key pair of its own, and where its owner enrols one.',
  })
  secret!: string | null;

  @Field({ description: 'Sent as X-Agent-Key.' })
  keyId!: string;

  @Field(() => AgentKey, { nullable: true, description: 'Null until the change is applied.' })
  key!: AgentKey | null;
}

@ObjectType({ simpleResolvers: true, description: 'A revoked key and all that it had credited.' })
export class RevokedAgentKey {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => AgentKey, { description: 'The key, which does not work any more.' })
  key!: AgentKey;

  @Field(() => [BankTransfer], {
    description: 'Transfers it reported that paid a deposit, newest first; at most 1,000.',
  })
  credited!: readonly BankTransfer[];
}

@InputType({ description: 'An agent key to issue.' })
export class CreateAgentKeyInput {
  @Field({ description: 'What operators call it.' })
  label!: string;

  @Field(() => [ID], { description: 'The accounts it may report on.' })
  accountIds!: string[];

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'No ceiling unless given; production requires it.',
  })
  maxTransferAmount?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'No ceiling unless given; production requires it.',
  })
  maxDailyAmount?: Money | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The agent's public key of Ed25519 (SPKI, DER in base64), whose private key it has made and keeps: no secret is made then. Sandboxes alone: in production its owner enrols it.",
  })
  publicKey?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The mail address of the agent's owner, no operator's: it gets a link to enrol a public key, once, after the change is applied; no secret is made then. Production requires it.",
  })
  ownerEmail?: string | null;
}

@Resolver(() => AgentKey)
export class AgentKeyResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => AgentKeyChange, {
    description: 'Proposes a key for an agent that reports what arrives on the named accounts.',
  })
  async createAgentKey(
    @Arg('input', { description: 'The key to make.' }) input: CreateAgentKeyInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<AgentKeyChange> {
    return await createAgentKey(context, input, { reason, evidence });
  }

  @Authorized('CONFIGURE')
  @Mutation(() => RevokedAgentKey, {
    description: 'Ends an agent key at once, one person is enough, and lists what it had credited.',
  })
  async revokeAgentKey(
    @Arg('id', () => ID, { description: 'The id of the key, not its `keyId`.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<RevokedAgentKey> {
    return await revokeAgentKey(context, { id, reason });
  }
}
