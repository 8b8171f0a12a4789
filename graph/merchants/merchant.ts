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
import type { CashierAmounts } from '../../domain/cashier';
import { difference } from '../../domain/change-request';
import type { LatePayment } from '../../domain/deposit';
import { closesMerchant } from '../../domain/closing';
import { coolingUntil } from '../../domain/cooling';
import { words } from '../../domain/words';
import { invalidField, notFound } from '../../domain/errors';
import { type Money } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/merchants/merchants';
import { ApiKey } from './api-key';
import { checkWallets } from '../../steps/merchants/wallets';
import { Balance } from '../ledger/balance';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { type GraphContext } from '../context';
import { CHANGES_SHOWN } from '../loaders';
import {
  currencyChange,
  LatePaymentEnum,
  MerchantCurrencyInput,
  MerchantSettingsInput,
  settingsChange,
} from './merchant-settings';
import {
  changedCurrencies,
  type CreateMerchantPayload,
  currencyFields,
  currencyPayload,
  settingsOf,
  type UpdateMerchantPayload,
} from '../../steps/merchants/merchant-effects';
import { propose } from '../../steps/changes/propose';
import { checkPoolOf } from '../../steps/pools/check-pool';
import { DecimalScalar } from '../scalars';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { checkedZone } from '../../steps/zone';
import { DEFAULT_SETTINGS } from '../../steps/merchants/check-settings';

@ObjectType({
  simpleResolvers: true,
  description: 'What an order costs: percent of the amount, plus a fixed part.',
})
export class FeeRule {
  @Field(() => DecimalScalar, { description: 'Percent of the amount, 0 up to 100.' })
  percent!: Money;

  @Field(() => DecimalScalar, { description: 'In the currency itself.' })
  fixed!: Money;
}

@ObjectType({ simpleResolvers: true, description: 'Any amount within these, ends included.' })
export class CashierRange {
  @Field(() => DecimalScalar, {
    description: 'The least that a payer may enter, in the currency, four decimal places.',
  })
  min!: Money;

  @Field(() => DecimalScalar, {
    description: 'The most that a payer may enter, in the currency, four decimal places.',
  })
  max!: Money;
}

@ObjectType('CashierAmounts', {
  simpleResolvers: true,
  description: 'What payers may choose in the cashier in one currency.',
})
export class CashierAmountsRule {
  @Field(() => [DecimalScalar], { description: 'In the order in which they are shown.' })
  denominations!: readonly Money[];

  @Field(() => CashierRange, {
    nullable: true,
    description: 'Other amounts; null: the denominations alone.',
  })
  custom!: { readonly min: Money; readonly max: Money } | null;
}

@ObjectType({ simpleResolvers: true, description: 'A currency of a merchant.' })
export class MerchantCurrency {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field({ description: 'Whether new orders in it are taken.' })
  enabled!: boolean;

  @Field(() => FeeRule, { description: 'Taken from each deposit when it is credited.' })
  depositFee!: FeeRule;

  @Field(() => FeeRule, {
    description: 'Comes on top of each withdrawal: the beneficiary gets the amount in full.',
  })
  withdrawalFee!: FeeRule;

  @Field(() => DecimalScalar, { nullable: true, description: 'The minimum of one deposit.' })
  depositMin!: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'The maximum of one deposit.' })
  depositMax!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The minimum of one withdrawal.',
  })
  withdrawalMin!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The maximum of one withdrawal.',
  })
  withdrawalMax!: Money | null;

  @Field({
    description:
      'Whether the fee of a deposit is held from the balance at its creation, so that the credit is in full; else the credit pays it.',
  })
  prepaid!: boolean;

  @Field(() => CashierAmountsRule, { description: 'What payers may choose in the cashier.' })
  cashierAmounts!: CashierAmounts;
}

@ObjectType({ simpleResolvers: true, description: 'A customer of the platform.' })
export class Merchant {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'Unique; chosen by the operator.' })
  merchantCode!: string;

  @Field({
    description: 'For people; payers see it in the cashier unless the settings name another.',
  })
  name!: string;

  @Field({
    description: 'A disabled merchant may call nothing; its open orders still settle and call back.',
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

  @Field({
    description: 'Whether certificates of its receivers are verified. Always true in production.',
  })
  webhookSslVerify!: boolean;

  @Field({
    description: 'Whether deposit.matched is sent, of orders of a channel that reports it.',
  })
  notifyDepositMatched!: boolean;

  @Field({ description: 'Whether it is answered null for the costs and profits of its orders.' })
  hideCosts!: boolean;

  @Field(() => [String], {
    nullable: true,
    description: 'If set, its signed requests come from these addresses and networks alone.',
  })
  allowedAddresses!: readonly string[] | null;

  @Field({ description: 'Whether deposit.expired is sent.' })
  notifyDepositExpired!: boolean;

  @Field({ description: 'Whether deposit.cancelled is sent.' })
  notifyDepositCancelled!: boolean;

  @Field(() => Int, { description: 'Live PENDING deposits at once; more are refused.' })
  maxOpenDeposits!: number;

  @Field(() => Int, { description: 'Live PENDING deposits of one user_id at once.' })
  maxOpenDepositsPerUser!: number;

  @Field(() => Int, {
    description: 'A cashier session expires this many minutes after its creation.',
  })
  cashierSessionExpireMinutes!: number;

  @Field({
    description:
      'In which its days turn: those of holds and of withdrawals’ counts, and quiet hours that name no zone.',
  })
  timeZone!: string;

  @Field(() => Int, {
    description:
      'Credited deposits stay frozen until so many days of its time zone are over, the day of the credit included; 0: available at once.',
  })
  holdDays!: number;

  @Field(() => LatePaymentEnum, {
    description: 'What becomes of money that comes for an expired order. Expect new values.',
  })
  latePayment!: LatePayment;

  @Field({ description: 'Whether a manual payout that its bank gives back brings its fee back.' })
  returnsPayoutFee!: boolean;

  @Field(() => String, { nullable: true, description: 'What payers read; null: its name.' })
  cashierName!: string | null;

  @Field(() => String, { nullable: true, description: "The picture on the payer's page." })
  cashierLogoUrl!: string | null;

  @Field(() => String, { nullable: true, description: "#rrggbb, of the payer's page." })
  cashierColour!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Where the payer's page leads when it is over.",
  })
  cashierReturnUrl!: string | null;

  @Field({ description: 'When it was added.' })
  createdAt!: Date;

  @Field({ description: 'When its settings last changed.' })
  updatedAt!: Date;
}

@InputType({ description: 'A merchant to add.' })
export class CreateMerchantInput {
  @Field({ description: '1-64 letters, digits, - or _; unique.' })
  merchantCode!: string;

  @Field({
    description: 'For people; payers see it in the cashier unless the settings name another.',
  })
  name!: string;

  @Field(() => [MerchantCurrencyInput], {
    description: 'The currencies that it starts with, and their fees.',
  })
  currencies!: MerchantCurrencyInput[];

  @Field(() => MerchantSettingsInput, {
    nullable: true,
    description: 'Omitted fields take their defaults; null: all defaults.',
  })
  settings?: MerchantSettingsInput | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed change of a merchant.' })
export class MerchantChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => Merchant, { nullable: true, description: 'Null until the change is applied.' })
  merchant!: db.MerchantRow | null;
}

/** The merchant after a change of it is applied. */
async function changed({ loaders }: GraphContext, change: ChangeRow): Promise<MerchantChange> {
  if (change.status !== 'APPLIED') return { change, merchant: null };
  const id = change.subjectId;
  loaders.currencies.clear(id);
  const merchant = await loaders.merchants.clear(id).load(id);
  return { change, merchant: merchant ?? null };
}

@Resolver(() => Merchant)
export class MerchantResolver {
  @Authorized('VIEW')
  @Query(() => Merchant, {
    nullable: true,
    description: 'One merchant, with its keys and balances.',
  })
  async merchant(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.MerchantRow | undefined> {
    return await loaders.merchants.load(id);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => MerchantChange, {
    description: 'Proposes a merchant with its currencies and a zero balance in each.',
  })
  async createMerchant(
    @Arg('input', { description: 'The merchant to add.' }) input: CreateMerchantInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<MerchantChange> {
    const { environment } = context;
    const { merchantCode, name } = input;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(merchantCode))
      throw invalidField('merchantCode', 'must be 1-64 letters, digits, - or _', 'OUT_OF_RANGE');
    if (name.trim() === '') throw invalidField('name', 'must not be empty', 'REQUIRED');
    if (input.currencies.length === 0) throw invalidField('currencies', 'must name at least one', 'REQUIRED');
    const id = uuidv7();
    const settings = settingsOf({
      ...DEFAULT_SETTINGS,
      ...settingsChange(input.settings ?? {}, DEFAULT_SETTINGS, environment),
    });
    await checkedZone(context, settings.timeZone);
    const currencies = input.currencies.map(currencyChange);
    for (const one of currencies) await checkPoolOf(context, one.currencyCode, one.pool?.id ?? null);
    await checkWallets(context, currencies);
    const payload: CreateMerchantPayload = {
      id,
      merchantCode,
      name,
      settings,
      currencies: currencies.map(currencyPayload),
    };
    const change = await propose(context, {
      kind: 'CREATE_MERCHANT',
      subject: { kind: 'merchant', id, name: merchantCode },
      merchantId: id,
      summary: `Add the merchant ${merchantCode}`,
      before: {},
      after: {
        merchantCode,
        name,
        ...settings,
        ...currencyFields(changedCurrencies([], currencies)),
      },
      payload,
      reason,
      evidence,
    });
    return await changed(context, change);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => MerchantChange, {
    description:
      "Proposes a change of a merchant's settings, fee rules and currencies. One that only closes (disables, forbids, lowers caps) needs one person and is applied at once.",
  })
  async updateMerchant(
    @Arg('id', () => ID, { description: 'The id of the merchant.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('settings', () => MerchantSettingsInput, {
      nullable: true,
      description: 'Omitted fields stay unchanged. Null: nothing changes.',
    })
    settings?: MerchantSettingsInput | null,
    @Arg('currencies', () => [MerchantCurrencyInput], {
      nullable: true,
      description: 'Added, or changed where it has them; others stay. Null: nothing changes.',
    })
    currencies?: MerchantCurrencyInput[] | null,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<MerchantChange> {
    const current = await context.loaders.merchants.load(id);
    if (!current) throw notFound('merchant');
    const given = settingsChange(settings ?? {}, current, context.environment);
    if (given.timeZone !== undefined) await checkedZone(context, given.timeZone);
    const named = (currencies ?? []).map(currencyChange);
    for (const one of named) await checkPoolOf(context, one.currencyCode, one.pool?.id ?? null);
    await checkWallets(context, named);
    const payload: UpdateMerchantPayload = {
      id,
      settings: given,
      currencies: named.map(currencyPayload),
    };
    const there = await context.loaders.currencies.load(id);
    const before = { ...settingsOf(current), ...currencyFields(there) };
    const after = { ...before, ...given, ...currencyFields(changedCurrencies(there, named)) };
    const differs = difference(before, after);
    const change = await propose(context, {
      kind: 'UPDATE_MERCHANT',
      subject: { kind: 'merchant', id, name: current.merchantCode },
      merchantId: id,
      summary: `Change ${current.merchantCode}: ${differs.fields.map(words).join(', ')}`,
      before,
      after,
      payload,
      reason,
      evidence,
      alone: closesMerchant(differs.before, differs.after) ? 'CLOSING' : null,
    });
    return await changed(context, change);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [ChangeRequest], {
    description: `Changes that concern it, its keys and balances included: the newest ${CHANGES_SHOWN}.`,
  })
  async changes(@Root() merchant: Merchant, @Ctx() { loaders }: GraphContext): Promise<readonly ChangeRow[]> {
    return await loaders.changesOfMerchants.load(merchant.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Date, {
    nullable: true,
    description:
      'Its withdrawals need a person until then: a key, its review rules, a list of beneficiaries or where its callbacks go has changed lately.',
  })
  async coolingUntil(@Root() merchant: Merchant, @Ctx() { changes, loaders, now }: GraphContext): Promise<Date | null> {
    if (changes.coolingMs === 0) return null;
    const applied = await loaders.appliedChanges.load(merchant.id);
    return coolingUntil(applied, changes.coolingMs, now);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [MerchantCurrency], {
    description: 'The currencies that it may use or once used, with fees and limits.',
  })
  async currencies(
    @Root() merchant: Merchant,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.MerchantCurrencyRules[]> {
    return await loaders.currencies.load(merchant.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [ApiKey], {
    description: 'Newest first; the keys themselves are shown once, when issued.',
  })
  async apiKeys(@Root() merchant: Merchant, @Ctx() { loaders }: GraphContext): Promise<readonly ApiKey[]> {
    return await loaders.apiKeys.load(merchant.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [Balance], {
    description: 'One for each currency in which anything was ever posted.',
  })
  async balances(@Root() merchant: Merchant, @Ctx() { loaders }: GraphContext): Promise<readonly Balance[]> {
    return await loaders.balances.load(merchant.id);
  }
}
