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
import { CALLBACK_URL_PROBLEMS, checkCallbackUrl } from '../domain/callback-target';
import { invalidField, notFound } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { currencyDecimals, type Money, ZERO } from '../domain/money';
import * as db from '../db/merchants';
import { ApiKey } from './api-key';
import { Balance } from './balance';
import { type Environment, type GraphContext } from './context';
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

  @Field()
  createdAt!: Date;

  @Field()
  updatedAt!: Date;
}

@InputType({ description: 'A fee rule; both parts default to zero.' })
export class FeeRuleInput {
  @Field(() => DecimalScalar, { nullable: true })
  percent?: Money | null;

  @Field(() => DecimalScalar, { nullable: true })
  fixed?: Money | null;
}

@InputType({ description: 'A currency that a merchant may use.' })
export class MerchantCurrencyInput {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => Boolean, { nullable: true, description: 'True unless said otherwise.' })
  enabled?: boolean | null;

  @Field(() => FeeRuleInput, {
    nullable: true,
    description: 'Left as it is unless given; a new currency has none.',
  })
  depositFee?: FeeRuleInput | null;
}

@InputType({
  description:
    'Settings of a merchant. What is left out stays as it is, or takes its default at creation.',
})
export class MerchantSettingsInput {
  @Field(() => Boolean, { nullable: true, description: 'Default true.' })
  enabled?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Default true.' })
  canDeposit?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Default false.' })
  canWithdraw?: boolean | null;

  @Field(() => Int, { nullable: true, description: '1-1440 minutes, default 15.' })
  depositExpireMinutes?: number | null;

  @Field(() => Int, { nullable: true, description: '1-60 seconds, default 10.' })
  callbackTimeoutSeconds?: number | null;

  @Field(() => String, { nullable: true, description: 'An empty string clears it.' })
  defaultCallbackUrl?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Default false; refused in production.' })
  allowInsecureCallbacks?: boolean | null;

  @Field(() => [String], { nullable: true, description: 'An empty list clears it.' })
  callbackHosts?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Default false.' })
  notifyDepositExpired?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Default false.' })
  notifyDepositCancelled?: boolean | null;
}

@InputType()
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

const DEFAULTS: db.MerchantSettings = {
  enabled: true,
  canDeposit: true,
  canWithdraw: false,
  depositExpireMinutes: LIMITS.depositExpireMinutes.default,
  callbackTimeoutSeconds: LIMITS.callbackTimeoutSeconds.default,
  defaultCallbackUrl: null,
  allowInsecureCallbacks: false,
  callbackHosts: null,
  notifyDepositExpired: false,
  notifyDepositCancelled: false,
};

function between(field: string, value: number, { min, max }: { min: number; max: number }): void {
  if (value < min || value > max) throw invalidField(field, `must be ${min}-${max}`);
}

/** The settings that an input changes, checked; null and absent change nothing. */
function changes(
  input: MerchantSettingsInput,
  current: db.MerchantSettings,
  environment: Environment,
): Partial<db.MerchantSettings> {
  const given = Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<db.MerchantSettings>;
  const next = { ...current, ...given };
  between('depositExpireMinutes', next.depositExpireMinutes, LIMITS.depositExpireMinutes);
  between('callbackTimeoutSeconds', next.callbackTimeoutSeconds, LIMITS.callbackTimeoutSeconds);
  if (next.allowInsecureCallbacks && environment === 'production')
    throw invalidField('allowInsecureCallbacks', 'is for sandboxes');
  if (given.defaultCallbackUrl === '') return { ...cleared(given), defaultCallbackUrl: null };
  if (given.defaultCallbackUrl) {
    const problem = checkCallbackUrl(given.defaultCallbackUrl, {
      allowInsecure: next.allowInsecureCallbacks,
    });
    if (problem !== 'ok') throw invalidField('defaultCallbackUrl', CALLBACK_URL_PROBLEMS[problem]);
  }
  return cleared(given);
}

const cleared = (given: Partial<db.MerchantSettings>): Partial<db.MerchantSettings> =>
  given.callbackHosts?.length === 0 ? { ...given, callbackHosts: null } : given;

function currencyOf(input: MerchantCurrencyInput): db.CurrencyChange {
  const decimals = currencyDecimals(input.currencyCode);
  if (decimals === undefined)
    throw invalidField('currencyCode', `${input.currencyCode} is not in ISO 4217`);
  const percent = input.depositFee?.percent ?? ZERO;
  const fixed = input.depositFee?.fixed ?? ZERO;
  if (percent.isNegative() || percent.gte(100))
    throw invalidField('percent', 'must be 0 up to 100');
  if (fixed.isNegative() || fixed.decimalPlaces() > decimals)
    throw invalidField('fixed', `must be 0 or more, with at most ${decimals} decimal places`);
  return {
    currencyCode: input.currencyCode,
    enabled: input.enabled ?? true,
    depositFee: input.depositFee ? { percent, fixed } : null,
    balanceId: uuidv7(),
  };
}

@Resolver(() => Merchant)
export class MerchantResolver {
  @Authorized('OPERATOR')
  @Query(() => [Merchant], { description: 'All merchants, by code.' })
  async merchants(@Ctx() { database }: GraphContext): Promise<db.MerchantRow[]> {
    return await db.listMerchants(database);
  }

  @Authorized('OPERATOR')
  @Query(() => Merchant, { nullable: true })
  async merchant(
    @Arg('id', () => ID) id: string,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.MerchantRow | undefined> {
    return await loaders.merchants.load(id);
  }

  @Authorized('OPERATOR')
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
      ...DEFAULTS,
      ...changes(input.settings ?? {}, DEFAULTS, environment),
      createdAt: now,
      updatedAt: now,
    };
    const currencies = input.currencies.map(currencyOf);
    const action = { action: 'createMerchant', subject: `merchant:${merchant.id}`, reason };
    await operatorAction(context, action, async (tx) => {
      await db.insertMerchant(tx, merchant, currencies);
    });
    return merchant;
  }

  @Authorized('OPERATOR')
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
    const changed = changes(settings ?? {}, current, context.environment);
    const named = (currencies ?? []).map(currencyOf);
    const detail = {
      settings: { ...changed } as Record<string, string | number | boolean | string[] | null>,
      currencies: named.map(({ currencyCode, enabled, depositFee }) => ({
        currencyCode,
        enabled,
        percent: depositFee?.percent.toFixed() ?? null,
        fixed: depositFee?.fixed.toFixed() ?? null,
      })),
    };
    const action = { action: 'updateMerchant', subject: `merchant:${id}`, reason, detail };
    const updated = await operatorAction(context, action, async (tx) => {
      for (const currency of named) await db.putCurrency(tx, id, currency, context.now);
      return await db.updateMerchant(tx, id, changed, context.now);
    });
    if (!updated) throw notFound('merchant');
    return updated;
  }

  @Authorized('OPERATOR')
  @FieldResolver(() => [MerchantCurrency])
  async currencies(
    @Root() merchant: Merchant,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.MerchantCurrency[]> {
    return await loaders.currencies.load(merchant.id);
  }

  @Authorized('OPERATOR')
  @FieldResolver(() => [ApiKey], {
    description: 'Newest first; the keys themselves are shown once, when issued.',
  })
  async apiKeys(
    @Root() merchant: Merchant,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly ApiKey[]> {
    return await loaders.apiKeys.load(merchant.id);
  }

  @Authorized('OPERATOR')
  @FieldResolver(() => [Balance])
  async balances(
    @Root() merchant: Merchant,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly Balance[]> {
    return await loaders.balances.load(merchant.id);
  }
}
