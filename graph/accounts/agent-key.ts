import {
  Arg,
  Authorized,
  Ctx,
  Field,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { newAgentKeyId, newAgentSecret } from '../../crypto/tokens';
import { isEmail } from '../../domain/email';
import { businessError, invalidField } from '../../domain/errors';
import type { Money } from '../../domain/money';
import * as db from '../../db/accounts/agent-keys';
import { listTransfersOfSource } from '../../db/transfers/bank-transfers';
import type { ChangeRow } from '../../db/changes/change-requests';
import { BankTransfer } from '../transfers/bank-transfer';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { type GraphContext } from '../context';
import type { AgentKeyPayload, RevokePayload } from '../../steps/merchants/key-effects';
import { requireOutsider } from '../../steps/merchants/owner-link';
import { propose } from '../../steps/changes/propose';
import { DecimalScalar } from '../scalars';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { readPublicKey } from '../../steps/accounts/agent-public-key';

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

function ceiling(field: string, amount: Money | null | undefined): Money | null {
  if (amount && !amount.gt(0)) throw invalidField(field, 'must be greater than 0', 'OUT_OF_RANGE');
  return amount ?? null;
}

/** What an agent signs with: a key that is given, one that its owner enrols, or a secret where it has neither. */
interface Signing {
  readonly publicKey?: string;
  readonly ownerEmail?: string;
}

/** @throws INVALID_FIELD if it is invalid, for both, and in production without an owner or with a key */
function signingOf({ environment }: GraphContext, input: CreateAgentKeyInput): Signing {
  const ownerEmail = input.ownerEmail?.trim() || null;
  const publicKey = input.publicKey?.trim() || null;
  if (environment === 'production' && ownerEmail === null)
    throw invalidField(
      'ownerEmail',
      'must be given: in production nobody here chooses what an agent signs with',
      'REQUIRED',
    );
  if (ownerEmail !== null && publicKey !== null)
    throw invalidField('publicKey', 'must be null: the owner enrols it', 'NOT_ALLOWED');
  if (ownerEmail !== null && !isEmail(ownerEmail))
    throw invalidField('ownerEmail', 'is no mail address');
  if (ownerEmail !== null) return { ownerEmail };
  return publicKey === null ? {} : { publicKey: readPublicKey(publicKey) };
}

/** Checks that in production an agent has ceilings, in one currency. @throws INVALID_FIELD */
function requireCeilings(
  { environment }: GraphContext,
  input: CreateAgentKeyInput,
  currencies: readonly string[],
): void {
  if (environment !== 'production') return;
  for (const field of ['maxTransferAmount', 'maxDailyAmount'] as const)
    if (input[field] == null) throw invalidField(field, 'must be set in production', 'REQUIRED');
  if (currencies.length > 1)
    throw invalidField('accountIds', 'must have one currency, which is that of the ceilings');
}

/** The key after a change of it is applied. */
async function keyOf({ database }: GraphContext, change: ChangeRow): Promise<AgentKey | null> {
  if (change.status !== 'APPLIED') return null;
  return (await db.findAgentKeyById(database, change.subjectId)) ?? null;
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
    if (input.accountIds.length === 0)
      throw invalidField('accountIds', 'must name at least one', 'REQUIRED');
    const accountIds = [...new Set(input.accountIds)];
    const found = await Promise.all(accountIds.map((id) => context.bankAccounts.call(id)));
    const accounts = found.flatMap((account) => account ?? []);
    const currencies = [...new Set(accounts.map(({ currencyCode }) => currencyCode))];
    requireCeilings(context, input, currencies);
    const signing = signingOf(context, input);
    const { ownerEmail } = signing;
    if (ownerEmail !== undefined)
      await context.database.transaction(async (tx) => {
        await requireOutsider(tx, ownerEmail, "the address of the agent's owner", context.now);
      });
    const id = uuidv7();
    const keyId = newAgentKeyId();
    const secret = Object.keys(signing).length === 0 ? newAgentSecret() : null;
    const seen = {
      keyId,
      label: input.label,
      maxTransferAmount: ceiling('maxTransferAmount', input.maxTransferAmount)?.toFixed() ?? null,
      maxDailyAmount: ceiling('maxDailyAmount', input.maxDailyAmount)?.toFixed() ?? null,
    };
    const payload: AgentKeyPayload = {
      id,
      accountIds,
      ...seen,
      ...signing,
      sealedSecret: secret === null ? null : context.sealer.seal(secret, `agent_key:${id}`),
    };
    const change = await propose(context, {
      kind: 'CREATE_AGENT_KEY',
      subject: { kind: 'agent_key', id, name: input.label },
      summary: `Let the agent ${input.label} report on ${accounts.length} account(s)`,
      before: {},
      // The approver sees which accounts these are, and which currency the ceilings are in.
      after: {
        ...{ ...seen, ...signing },
        accounts: accounts.map(
          ({ name, bankCode, accountNo }) => `${name} (${bankCode} ${accountNo})`,
        ),
        currencies,
      },
      payload,
      reason,
      evidence,
    });
    return { change, secret, keyId, key: await keyOf(context, change) };
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
    const key = await db.findAgentKeyById(context.database, id);
    if (!key) throw businessError('WRONG_STATE', 'the key does not exist or is already revoked');
    const payload: RevokePayload = { id };
    const change = await propose(context, {
      kind: 'REVOKE_AGENT_KEY',
      subject: { kind: 'agent_key', id, name: key.label },
      summary: `Revoke the agent key ${key.label}`,
      before: { revoked: false },
      after: { revoked: true },
      payload,
      reason,
      alone: 'CLOSING',
    });
    const credited = await listTransfersOfSource(context.database, `agent:${id}`, 1_000);
    return { change, key: (await keyOf(context, change)) ?? key, credited };
  }
}
