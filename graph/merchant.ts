import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { invalidField, notFound } from '../domain/errors';
import { type Money } from '../domain/money';
import * as db from '../db/merchants';
import { ApiKey } from './api-key';
import { Balance } from './balance';
import { type GraphContext } from './context';
import {
  currencyChange,
  DEFAULT_SETTINGS,
  MerchantCurrencyInput,
  MerchantSettingsInput,
  settingsChange,
} from './merchant-settings';
import { operatorAction } from './operator-action';
import { DecimalScalar } from './scalars';

@ObjectType({
  simpleResolvers: true,
  description: 'What a deposit costs the merchant: percent of the amount, plus a fixed part.',
})
export class FeeRule {
  @Field(() => DecimalScalar, { description: 'Percent of the amount, 0 up to 100.' })
  percent!: Money;

  @Field(() => DecimalScalar, { description: 'In the currency itself.' })
  fixed!: Money;
}

@ObjectType({ simpleResolvers: true, description: 'A currency of a merchant.' })
export class MerchantCurrency {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field()
  enabled!: boolean;

  @Field(() => FeeRule, { description: 'Taken from each deposit when it is credited.' })
  depositFee!: FeeRule;
}

@ObjectType({ simpleResolvers: true, description: 'A customer of the platform.' })
export class Merchant {
  @Field(() => ID)
  id!: string;

  @Field({ description: 'Unique; chosen by the operator.' })
  merchantCode!: string;

  @Field()
  name!: string;

  @Field({
    description:
      'A disabled merchant may call nothing; its open orders still settle and call back.',
  })
  enabled!: boolean;

  @Field({ description: 'May create deposits.' })
  canDeposit!: boolean;

  @Field({ description: 'May create withdrawals.' })
  canWithdraw!: boolean;

  @Field(() => Int, { description: 'A deposit expires this many minutes after its creation.' })
  depositExpireMinutes!: number;

  @Field(() => Int, {
    description: 'An attempt at a callback is given up after this many seconds.',
  })
  callbackTimeoutSeconds!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Taken where an order names no callback_url.',
  })
  defaultCallbackUrl!: string | null;

  @Field({ description: 'Callbacks may go to http and loopback targets. Sandbox only.' })
  allowInsecureCallbacks!: boolean;

  @Field(() => [String], {
    nullable: true,
    description: 'If set, callbacks go to these hosts alone.',
  })
  callbackHosts!: readonly string[] | null;

  @Field({ description: 'Whether deposit.expired is sent.' })
  notifyDepositExpired!: boolean;

  @Field({ description: 'Whether deposit.cancelled is sent.' })
  notifyDepositCancelled!: boolean;

  @Field(() => Int, { description: 'Live PENDING deposits at once; more are refused.' })
  maxOpenDeposits!: number;

  @Field(() => Int, { description: 'Live PENDING deposits of one user_id at once.' })
  maxOpenDepositsPerUser!: number;

  @Field()
  createdAt!: Date;

  @Field()
  updatedAt!: Date;
}

@InputType({ description: 'A merchant to add.' })
export class CreateMerchantInput {
  @Field({ description: '1-64 letters, digits, - or _; unique.' })
  merchantCode!: string;

  @Field()
  name!: string;

  @Field(() => [MerchantCurrencyInput])
  currencies!: MerchantCurrencyInput[];

  @Field(() => MerchantSettingsInput, { nullable: true })
  settings?: MerchantSettingsInput | null;
}

/** Settings as the note of an operator's action keeps them. */
type Details = Record<string, string | number | boolean | string[] | null>;

const noted = ({ currencyCode, enabled, depositFee }: db.CurrencyChange): Details => ({
  currencyCode,
  enabled,
  percent: depositFee?.percent.toFixed() ?? null,
  fixed: depositFee?.fixed.toFixed() ?? null,
});

@Resolver(() => Merchant)
export class MerchantResolver {
  @Authorized('VIEW')
  @Query(() => [Merchant], { description: 'The merchants, by code; at most 500.' })
  async merchants(@Ctx() { database }: GraphContext): Promise<db.MerchantRow[]> {
    return await db.listMerchants(database);
  }

  @Authorized('VIEW')
  @Query(() => Merchant, {
    nullable: true,
    description: 'One merchant, with its keys and balances.',
  })
  async merchant(
    @Arg('id', () => ID) id: string,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.MerchantRow | undefined> {
    return await loaders.merchants.load(id);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => Merchant, {
    description: 'Adds a merchant with its currencies and a zero balance in each.',
  })
  async createMerchant(
    @Arg('input') input: CreateMerchantInput,
    @Arg('reason') reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.MerchantRow> {
    const { now, environment } = context;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(input.merchantCode))
      throw invalidField('merchantCode', 'must be 1-64 letters, digits, - or _');
    if (input.name.trim() === '') throw invalidField('name', 'must not be empty');
    if (input.currencies.length === 0) throw invalidField('currencies', 'must name at least one');
    const merchant: db.MerchantRow = {
      id: uuidv7(),
      merchantCode: input.merchantCode,
      name: input.name,
      ...DEFAULT_SETTINGS,
      ...settingsChange(input.settings ?? {}, DEFAULT_SETTINGS, environment),
      createdAt: now,
      updatedAt: now,
    };
    const currencies = input.currencies.map(currencyChange);
    const { id, createdAt: _c, updatedAt: _u, ...made } = merchant;
    const detail = { settings: { ...made } as Details, currencies: currencies.map(noted) };
    const action = { action: 'createMerchant', subject: `merchant:${id}`, reason, detail };
    await operatorAction(context, action, async (tx) => {
      await db.insertMerchant(tx, merchant, currencies);
    });
    return merchant;
  }

  @Authorized('CONFIGURE')
  @Mutation(() => Merchant, {
    description: "Changes a merchant's settings, and adds or changes currencies.",
  })
  async updateMerchant(
    @Arg('id', () => ID) id: string,
    @Arg('reason') reason: string,
    @Ctx() context: GraphContext,
    @Arg('settings', () => MerchantSettingsInput, { nullable: true })
    settings?: MerchantSettingsInput | null,
    @Arg('currencies', () => [MerchantCurrencyInput], { nullable: true })
    currencies?: MerchantCurrencyInput[] | null,
  ): Promise<db.MerchantRow> {
    const current = await context.loaders.merchants.load(id);
    if (!current) throw notFound('merchant');
    const changed = settingsChange(settings ?? {}, current, context.environment);
    const named = (currencies ?? []).map(currencyChange);
    const detail = {
      settings: { ...changed } as Details,
      currencies: named.map(noted),
    };
    const action = { action: 'updateMerchant', subject: `merchant:${id}`, reason, detail };
    const updated = await operatorAction(context, action, async (tx) => {
      for (const currency of named) await db.putCurrency(tx, id, currency, context.now);
      return await db.updateMerchant(tx, id, changed, context.now);
    });
    if (!updated) throw notFound('merchant');
    return updated;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [MerchantCurrency])
  async currencies(
    @Root() merchant: Merchant,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.MerchantCurrency[]> {
    return await loaders.currencies.load(merchant.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [ApiKey], {
    description: 'Newest first; the keys themselves are shown once, when issued.',
  })
  async apiKeys(
    @Root() merchant: Merchant,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly ApiKey[]> {
    return await loaders.apiKeys.load(merchant.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [Balance])
  async balances(
    @Root() merchant: Merchant,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly Balance[]> {
    return await loaders.balances.load(merchant.id);
  }
}
