import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { currenciesOf } from '../../domain/channel';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { currencyDecimals } from '../../domain/money';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChangeRow } from '../../db/changes/change-requests';
import type { ChannelRow } from '../../db/channels/channels';
import type { MerchantCurrencyRules, MerchantRow } from '../../db/merchants/merchants';
import * as db from '../../db/pools/pools';
import { BankAccount } from '../accounts/bank-account';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import { Channel } from '../channels/channel';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { Merchant, MerchantCurrency } from '../merchants/merchant';
import { type PoolPayload, poolFields } from '../../steps/pools/pool-effects';

/** The most accounts, or channels, of one pool. */
const MOST_MEMBERS = 500;
const MOST_NAME = 64;

@ObjectType({
  simpleResolvers: true,
  description:
    'Accounts and channels of a currency that only the merchants of this pool use, for deposits and payouts. What is in no pool is used by the merchants that have none.',
})
export class Pool {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'A name for people; unique in its currency.' })
  name!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field({ description: 'When it was added.' })
  createdAt!: Date;

  @Field({ description: 'When its name or what is in it last changed.' })
  updatedAt!: Date;
}

@InputType({
  description: 'A pool to add or to change; its lists replace the present ones.',
})
export class PoolInput {
  @Field(() => ID, { nullable: true, description: 'The pool to change; a new one unless given.' })
  id?: string | null;

  @Field({ description: `1-${MOST_NAME} characters, unique in its currency.` })
  name!: string;

  @Field({ description: 'ISO 4217; that of an existing pool never changes.' })
  currencyCode!: string;

  @Field(() => [ID], {
    description: 'Managed accounts of the currency. One may be in several pools.',
  })
  accountIds!: string[];

  @Field(() => [ID], {
    description: 'Channels that take the currency. One may be in several pools.',
  })
  channelIds!: string[];
}

@ObjectType({ simpleResolvers: true, description: 'A proposed pool.' })
export class PoolChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => Pool, { nullable: true, description: 'Null until the change is applied.' })
  pool!: db.Pool | null;
}

/**
 * @throws INVALID_FIELD for a member of another currency
 */
async function checkMembers({ loaders }: GraphContext, input: PoolInput): Promise<void> {
  const { currencyCode, accountIds, channelIds } = input;
  for (const [field, ids] of [
    ['accountIds', accountIds],
    ['channelIds', channelIds],
  ] as const) {
    if (ids.length > MOST_MEMBERS) throw invalidField(field, `must be at most ${MOST_MEMBERS}`, 'OUT_OF_RANGE');
    if (new Set(ids).size < ids.length) throw invalidField(field, 'must not contain one twice', 'DUPLICATE');
  }
  for (const account of await loaders.bankAccounts.loadMany(accountIds))
    if (!account || account instanceof Error || account.currencyCode !== currencyCode)
      throw invalidField('accountIds', `must be accounts in ${currencyCode}`, 'UNKNOWN_VALUE');
  for (const channel of await loaders.channels.loadMany(channelIds))
    if (!channel || channel instanceof Error || !currenciesOf(channel).includes(currencyCode))
      throw invalidField('channelIds', `must be channels for ${currencyCode}`, 'UNKNOWN_VALUE');
}

@Resolver(() => Pool)
export class PoolResolver {
  @Authorized('VIEW')
  @Query(() => [Pool], { description: 'The pools, by currency and name.' })
  async pools(
    @Ctx() { database }: GraphContext,
    @Arg('currencyCode', () => String, { nullable: true, description: 'All unless given.' })
    currencyCode?: string | null,
  ): Promise<db.Pool[]> {
    return await db.findPools(database, currencyCode ?? null);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [BankAccount], { description: 'The accounts that its merchants use.' })
  async accounts(@Root() pool: db.Pool, @Ctx() { loaders }: GraphContext): Promise<readonly BankAccountRow[]> {
    const found = await Promise.all(pool.accountIds.map((id) => loaders.bankAccounts.load(id)));
    return found.filter((account) => account !== undefined);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [Channel], { description: 'The channels that its merchants use.' })
  async channels(@Root() pool: db.Pool, @Ctx() { loaders }: GraphContext): Promise<readonly ChannelRow[]> {
    const found = await Promise.all(pool.channelIds.map((id) => loaders.channels.load(id)));
    return found.filter((channel) => channel !== undefined);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [Merchant], { description: 'The merchants that use it, by code.' })
  async merchants(@Root() pool: db.Pool, @Ctx() { loaders }: GraphContext): Promise<readonly MerchantRow[]> {
    const of = await loaders.merchantsOfPools.load(pool.id);
    const found = await Promise.all(of.map(({ merchantId }) => loaders.merchants.load(merchantId)));
    return found.filter((merchant) => merchant !== undefined);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => PoolChange, {
    description: 'Proposes a pool, or another name or content of one. `updateMerchant` says which merchants use it.',
  })
  async putPool(
    @Arg('input', { description: 'The new state of the pool.' }) input: PoolInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<PoolChange> {
    const { currencyCode, accountIds, channelIds } = input;
    const name = input.name.trim();
    if (currencyDecimals(currencyCode) === undefined)
      throw invalidField('currencyCode', 'is not an ISO 4217 currency', 'UNKNOWN_VALUE');
    if (name === '' || Array.from(name).length > MOST_NAME)
      throw invalidField('name', `must have 1-${MOST_NAME} characters`, 'OUT_OF_RANGE');
    await checkMembers(context, input);
    const there = await db.findPools(context.database, currencyCode);
    const current = input.id == null ? undefined : there.find(({ id }) => id === input.id);
    if (input.id != null && !current) throw notFound('pool');
    if (there.some((pool) => pool.name === name && pool.id !== current?.id))
      throw businessError('WRONG_STATE', `a pool of ${currencyCode} has this name`);
    const id = current?.id ?? uuidv7();
    const payload: PoolPayload = { id, name, currencyCode, accountIds, channelIds };
    const change = await propose(context, {
      kind: 'PUT_POOL',
      subject: { kind: 'pool', id, name: `${currencyCode} ${name}` },
      summary: `${current ? 'Change' : 'Add'} the ${currencyCode} pool ${name}`,
      before: current ? poolFields(current) : {},
      after: poolFields(payload),
      payload,
      reason,
      evidence,
    });
    const applied = change.status === 'APPLIED';
    return {
      change,
      pool: applied ? ((await context.loaders.pools.clear(id).load(id)) ?? null) : null,
    };
  }
}

@Resolver(() => MerchantCurrency)
export class PoolOfCurrencyResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Pool, {
    nullable: true,
    description: 'The pool whose accounts and channels it uses; null: those that are in no pool of the currency.',
  })
  async pool(
    @Root() { poolId }: MerchantCurrencyRules,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.Pool | undefined> {
    return poolId === null ? undefined : await loaders.pools.load(poolId);
  }
}
