import {
  Arg,
  Authorized,
  Ctx,
  Field,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { newAgentKeyId, newAgentSecret } from '../crypto/tokens';
import { businessError, invalidField } from '../domain/errors';
import type { Money } from '../domain/money';
import * as db from '../db/agent-keys';
import { listTransfersOfSource } from '../db/bank-transfers';
import { BankTransfer } from './bank-transfer';
import { type GraphContext } from './context';
import { operatorAction } from './operator-action';
import { DecimalScalar } from './scalars';

@ObjectType({
  simpleResolvers: true,
  description: 'A key with which an agent that watches bank accounts reports what arrives.',
})
export class AgentKey {
  @Field(() => ID)
  id!: string;

  @Field({ description: 'Sent as X-Agent-Key.' })
  keyId!: string;

  @Field({ description: 'What operators call it.' })
  label!: string;

  @Field(() => [ID], { description: 'The accounts it may report on.' })
  accountIds!: readonly string[];

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'A larger transfer waits for a person.',
  })
  maxTransferAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What it may have credited without a person in 24 hours, per currency.',
  })
  maxDailyAmount!: Money | null;

  @Field()
  createdAt!: Date;

  @Field(() => Date, { nullable: true })
  revokedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A new agent key.' })
export class IssuedAgentKey {
  @Field({ description: 'The HMAC secret, shown this once.' })
  secret!: string;

  @Field(() => AgentKey)
  key!: AgentKey;
}

@ObjectType({ simpleResolvers: true, description: 'A revoked key and all that it had credited.' })
export class RevokedAgentKey {
  @Field(() => AgentKey)
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

  @Field(() => DecimalScalar, { nullable: true, description: 'No ceiling unless given.' })
  maxTransferAmount?: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'No ceiling unless given.' })
  maxDailyAmount?: Money | null;
}

function ceiling(field: string, amount: Money | null | undefined): Money | null {
  if (amount && !amount.gt(0)) throw invalidField(field, 'must be greater than 0');
  return amount ?? null;
}

@Resolver(() => AgentKey)
export class AgentKeyResolver {
  @Authorized('VIEW')
  @Query(() => [AgentKey], { description: 'The agent keys, newest first; at most 500.' })
  async agentKeys(@Ctx() { database }: GraphContext): Promise<db.AgentKeyRow[]> {
    return await db.listAgentKeys(database);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => IssuedAgentKey, {
    description: 'Issues a key to an agent that reports what arrives on the named accounts.',
  })
  async createAgentKey(
    @Arg('input') input: CreateAgentKeyInput,
    @Arg('reason') reason: string,
    @Ctx() context: GraphContext,
  ): Promise<IssuedAgentKey> {
    if (input.accountIds.length === 0) throw invalidField('accountIds', 'must name at least one');
    const key: db.AgentKeyRow = {
      id: uuidv7(),
      keyId: newAgentKeyId(),
      label: input.label,
      accountIds: [...new Set(input.accountIds)],
      maxTransferAmount: ceiling('maxTransferAmount', input.maxTransferAmount),
      maxDailyAmount: ceiling('maxDailyAmount', input.maxDailyAmount),
      createdAt: context.now,
      revokedAt: null,
    };
    const secret = newAgentSecret();
    const sealedSecret = context.sealer.seal(secret, `agent_key:${key.id}`);
    const detail = {
      keyId: key.keyId,
      accountIds: [...key.accountIds],
      maxTransferAmount: key.maxTransferAmount?.toFixed() ?? null,
      maxDailyAmount: key.maxDailyAmount?.toFixed() ?? null,
    };
    const action = { action: 'createAgentKey', subject: `agent_key:${key.id}`, reason, detail };
    await operatorAction(context, action, async (tx) => {
      await db.insertAgentKey(tx, { ...key, sealedSecret });
    });
    return { secret, key };
  }

  @Authorized('CONFIGURE')
  @Mutation(() => RevokedAgentKey, {
    description: 'Ends an agent key at once and lists what it had credited.',
  })
  async revokeAgentKey(
    @Arg('id', () => ID) id: string,
    @Arg('reason') reason: string,
    @Ctx() context: GraphContext,
  ): Promise<RevokedAgentKey> {
    const action = { action: 'revokeAgentKey', subject: `agent_key:${id}`, reason };
    const key = await operatorAction(context, action, async (tx) => {
      const revoked = await db.revokeAgentKey(tx, id, context.now);
      if (!revoked) throw businessError('there is no such key, or it is revoked already');
      return revoked;
    });
    const credited = await listTransfersOfSource(context.database, `agent:${id}`, 1_000);
    return { key, credited };
  }
}
