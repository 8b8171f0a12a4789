import { Field, InputType, Int } from 'type-graphql';
import { checkCallbackUrl } from '../../domain/callback-target';
import { CHANNEL_CODE, type ChannelKind, type MockOutcome } from '../../domain/channel';
import type { MockDepositOutcome, MockOpening, WalletKind } from '../../domain/channel-deposit';
import { businessError, invalidField } from '../../domain/errors';
import { formatMoney, type Money } from '../../domain/money';
import type { ChannelBank, ChannelChange } from '../../db/channels/channels';
import type { Environment } from '../../steps/context';
import { FeeRuleInput } from '../merchants/merchant-settings';
import { DecimalScalar } from '../scalars';
import { breakerOf, ChannelBreakerInput } from './channel-breaker';
import {
  ChannelKindEnum,
  MockDepositOutcomeEnum,
  MockOpeningEnum,
  MockOutcomeEnum,
  WalletKindEnum,
} from './channel-enums';
import { type ChannelSetUp, check, sized } from '../../steps/channels/channel-set-up';

@InputType({ description: 'A channel’s code of one of our banks.' })
export class ChannelBankInput implements ChannelBank {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field({ description: 'Our code of it, 1-32 characters.' })
  bankCode!: string;

  @Field({ description: "The channel's, 1-64 characters." })
  channelBankCode!: string;
}

@InputType({ description: 'How an HTTP channel is reached.' })
export class ChannelAddressInput {
  @Field({ description: 'https; in a sandbox http and loopback too. Paths are put below it.' })
  baseUrl!: string;

  @Field({ description: 'The id of the key that signs, in both directions.' })
  keyId!: string;

  @Field({ description: 'The secret of that key, at least 16 characters. It is never shown.' })
  secret!: string;
}

@InputType({ description: 'The outcome of deposits of one amount at a mock channel.' })
export class MockAmountInput {
  @Field(() => DecimalScalar, { description: 'Exactly this amount, such as "1313.01".' })
  amount!: Money;

  @Field(() => MockDepositOutcomeEnum, {
    description: 'The outcome of each deposit of this amount.',
  })
  outcome!: MockDepositOutcome;
}

@InputType({
  description: 'How a channel takes deposits. Omitted fields stay unchanged, or take their defaults at creation.',
})
export class ChannelDepositsInput {
  @Field(() => [String], {
    nullable: true,
    description: 'The currencies of deposits, ISO 4217; none by default.',
  })
  currencies?: string[] | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The minimum of one deposit; 0 is no limit.',
  })
  minAmount?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The maximum of one deposit; 0 is no limit.',
  })
  maxAmount?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The most that it receives in each currency on one day of its time zone; 0 is no limit. Open deposits count as what they ask for, those that end without money do not; what it reports as paid counts, late too.',
  })
  maxDailyAmount?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The most in one month of its time zone, counted alike; 0 is no limit.',
  })
  maxMonthlyAmount?: Money | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The most payments in each currency on one day of its time zone; each open deposit counts as one. 0 is no limit.',
  })
  maxDailyCount?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The most payments in one month of its time zone, counted alike; 0 is no limit.',
  })
  maxMonthlyCount?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: it is tried before the managed accounts. Default false: only if no account takes a deposit.',
  })
  beforeAccounts?: boolean | null;

  @Field(() => FeeRuleInput, { nullable: true, description: 'The cost of a deposit.' })
  cost?: FeeRuleInput | null;

  @Field(() => WalletKindEnum, {
    nullable: true,
    description:
      'Of a mobile wallet, which takes deposits in BDT of merchants that are configured with it. There are two kinds.',
  })
  walletKind?: WalletKind | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Payers' mobile and e-mail, as merchants send them, are forwarded to it; never in BDT. Default false.",
  })
  acceptsContact?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: "The platform's mobile number, forwarded in BDT; an empty string clears it.",
  })
  contactMobile?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The platform's e-mail, forwarded in BDT; an empty string clears it.",
  })
  contactEmail?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The id of a managed account that it reports on: deposits to the account are made known to it, and it takes no others. An empty string clears it.',
  })
  accountId?: string | null;

  @Field(() => MockOpeningEnum, {
    nullable: true,
    description: 'Only for a mock channel: what it does when it is asked to take a deposit.',
  })
  mockOpening?: MockOpening | null;

  @Field(() => [MockAmountInput], {
    nullable: true,
    description:
      'Only for a mock channel, replaces all: it takes deposits of these amounts and no others. An empty list: of any amount.',
  })
  mockAmounts?: MockAmountInput[] | null;
}

@InputType({
  description: 'Settings of a channel. Omitted fields stay unchanged, or take their defaults at creation.',
})
export class ChannelSettingsInput {
  @Field(() => String, { nullable: true, description: 'Its name for operators.' })
  name?: string | null;

  @Field(() => [String], { nullable: true, description: 'The currencies of payouts, ISO 4217.' })
  currencies?: string[] | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The minimum of one payout; 0 is no limit.',
  })
  minAmount?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The maximum of one payout; 0 is no limit.',
  })
  maxAmount?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'A balance at it below this raises the alert LOW_BALANCE; 0: never.',
  })
  lowBalance?: Money | null;

  @Field(() => String, {
    nullable: true,
    description: 'The time zone in which it counts days, such as Asia/Dhaka; UTC unless given.',
  })
  timeZone?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: '0-1000, default 100: the lowest is tried first.',
  })
  priority?: number | null;

  @Field(() => Int, { nullable: true, description: '1-1000, default 1: the share among equals.' })
  weight?: number | null;

  @Field(() => ChannelAddressInput, { nullable: true, description: 'Only for an HTTP channel.' })
  address?: ChannelAddressInput | null;

  @Field(() => [ChannelBankInput], {
    nullable: true,
    description: 'Replaces all. An HTTP channel pays to no bank that it does not name; a mock channel pays to any.',
  })
  banks?: ChannelBankInput[] | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The timeout of one request; 1-60 seconds, default 10.',
  })
  timeoutSeconds?: number | null;

  @Field(() => FeeRuleInput, { nullable: true, description: 'The cost of a payout.' })
  cost?: FeeRuleInput | null;

  @Field(() => ChannelDepositsInput, {
    nullable: true,
    description: 'How it takes deposits; it takes none unless this names a currency.',
  })
  deposits?: ChannelDepositsInput | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'A reported failure is final only after this time, if a query confirms it then; 0-604800 seconds, default 600.',
  })
  failureFinalDelaySeconds?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Without a clear answer for this time a payout waits for an operator; 1-604800 seconds, default 1800.',
  })
  answerWithinSeconds?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether a refusal counts only if a query finds no such payout: for a channel that may refuse and pay. Default false.',
  })
  confirmRefusals?: boolean | null;

  @Field(() => ChannelBreakerInput, {
    nullable: true,
    description: 'When it is passed over because its orders fail; never by default.',
  })
  breaker?: ChannelBreakerInput | null;
}

@InputType({ description: 'A channel to set up.' })
export class CreateChannelInput {
  @Field({
    description: 'Its code, which never changes: 1-32 of a-z, 0-9 and -. Part of its webhook address.',
  })
  channelCode!: string;

  @Field(() => ChannelKindEnum, {
    description: 'How the platform talks to it. Cannot be changed later.',
  })
  kind!: ChannelKind;

  @Field(() => MockOutcomeEnum, {
    nullable: true,
    description: 'Only for a mock channel; default COMPLETED.',
  })
  mockOutcome?: MockOutcome | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Only for an HTTP channel: it uses a declared mapping, and stays disabled until one is in force. Default false: it uses our own protocol.',
  })
  mapped?: boolean | null;

  @Field(() => ChannelSettingsInput, {
    description: 'How it pays, and where it answers. What is left out takes its default.',
  })
  settings!: ChannelSettingsInput;
}
const limit = (given: Money | null | undefined, current: Money | null): Money | null =>
  given ? (given.isZero() ? null : given) : current;
const countLimit = (given: number | null | undefined, current: number | null): number | null =>
  given === 0 ? null : (given ?? current);

/** The settings after a change. @param seal seals a secret for this channel. @throws INVALID_FIELD */
export function setUpOf(
  input: ChannelSettingsInput,
  current: ChannelSetUp,
  environment: Environment,
  seal: (secret: string) => string,
): ChannelSetUp {
  const was = current.change;
  if (input.address) checkAddress(input.address, environment);
  const change: ChannelChange = {
    name: input.name ?? was.name,
    currencies: [...new Set(input.currencies ?? was.currencies)].sort(),
    minAmount: limit(input.minAmount, was.minAmount),
    maxAmount: limit(input.maxAmount, was.maxAmount),
    lowBalance: limit(input.lowBalance, was.lowBalance),
    timeZone: input.timeZone ?? was.timeZone,
    priority: input.priority ?? was.priority,
    weight: input.weight ?? was.weight,
    baseUrl: input.address?.baseUrl ?? was.baseUrl,
    keyId: input.address?.keyId ?? was.keyId,
    sealedSecret: input.address ? seal(input.address.secret) : was.sealedSecret,
    timeoutSeconds: input.timeoutSeconds ?? was.timeoutSeconds,
    cost: {
      percent: input.cost?.percent ?? was.cost.percent,
      fixed: input.cost?.fixed ?? was.cost.fixed,
    },
    failureFinalDelaySeconds: input.failureFinalDelaySeconds ?? was.failureFinalDelaySeconds,
    answerWithinSeconds: input.answerWithinSeconds ?? was.answerWithinSeconds,
    confirmRefusals: input.confirmRefusals ?? was.confirmRefusals,
    ...breakerOf(input.breaker, was),
    ...depositsOf(input.deposits ?? {}, was),
  };
  const banks =
    input.banks?.map(({ currencyCode, bankCode, channelBankCode }) => ({
      currencyCode,
      bankCode,
      channelBankCode,
    })) ?? current.banks;
  check(change, banks);
  return { change, banks };
}

/** A text that an empty one clears. */
const clearable = (given: string | null | undefined, current: string | null): string | null =>
  given === '' ? null : (given ?? current);

/** The settings for deposits after a change. */
function depositsOf(input: ChannelDepositsInput, was: ChannelChange) {
  const { mockAmounts: amounts } = input;
  return {
    depositCurrencies: [...new Set(input.currencies ?? was.depositCurrencies)].sort(),
    depositMin: limit(input.minAmount, was.depositMin),
    depositMax: limit(input.maxAmount, was.depositMax),
    depositLimits: {
      maxDailyAmount: limit(input.maxDailyAmount, was.depositLimits.maxDailyAmount),
      maxMonthlyAmount: limit(input.maxMonthlyAmount, was.depositLimits.maxMonthlyAmount),
      maxDailyCount: countLimit(input.maxDailyCount, was.depositLimits.maxDailyCount),
      maxMonthlyCount: countLimit(input.maxMonthlyCount, was.depositLimits.maxMonthlyCount),
    },
    depositsFirst: input.beforeAccounts ?? was.depositsFirst,
    depositCost: {
      percent: input.cost?.percent ?? was.depositCost.percent,
      fixed: input.cost?.fixed ?? was.depositCost.fixed,
    },
    walletKind: input.walletKind ?? was.walletKind,
    acceptsContact: input.acceptsContact ?? was.acceptsContact,
    contactMobile: clearable(input.contactMobile, was.contactMobile),
    contactEmail: clearable(input.contactEmail, was.contactEmail),
    boundAccountId: clearable(input.accountId, was.boundAccountId),
    mockOpening: input.mockOpening ?? was.mockOpening,
    mockAmounts: amounts
      ? amounts.length === 0
        ? null
        : Object.fromEntries(amounts.map((one) => [formatMoney(one.amount), one.outcome]))
      : was.mockAmounts,
  };
}

function checkAddress({ baseUrl, keyId, secret }: ChannelAddressInput, environment: Environment) {
  const problem = checkCallbackUrl(baseUrl, { allowInsecure: environment === 'sandbox' });
  if (problem !== 'ok' || /[?#]/.test(baseUrl))
    throw invalidField('address.baseUrl', 'must be an https address without a query');
  sized('address.keyId', keyId, 128);
  // Of a mapped channel it may be a private key, or several secrets.
  sized('address.secret', secret, 8_192, 16);
}

/**
 * @throws INVALID_FIELD for settings that only a mock channel has
 */
export function checkNoMock({ deposits }: ChannelSettingsInput): void {
  if (deposits?.mockOpening || deposits?.mockAmounts?.length)
    throw invalidField('deposits', 'mock settings are only for mock channels', 'NOT_ALLOWED');
}

/** The settings that a kind allows. @throws INVALID_FIELD, BUSINESS_ERROR for a mock channel in production */
export function checkKind(
  { channelCode, kind, mockOutcome, mapped, settings }: CreateChannelInput,
  environment: Environment,
): void {
  if (!CHANNEL_CODE.test(channelCode))
    throw invalidField('channelCode', 'must be 1-32 of a-z, 0-9 and -', 'OUT_OF_RANGE');
  if (kind === 'MOCK' && environment === 'production')
    throw businessError('NOT_ENABLED', 'mock channels are available only in a sandbox');
  if (kind === 'HTTP') checkNoMock(settings);
  if (kind === 'MOCK' && mapped === true)
    throw invalidField('mapped', 'is allowed only for HTTP channels', 'NOT_ALLOWED');
  if (kind === 'HTTP' && mockOutcome)
    throw invalidField('mockOutcome', 'is allowed only for mock channels', 'NOT_ALLOWED');
  if ((kind === 'HTTP') !== Boolean(settings.address))
    throw invalidField(
      'settings.address',
      kind === 'HTTP' ? 'is required' : 'is for HTTP channels',
      kind === 'HTTP' ? 'REQUIRED' : 'NOT_ALLOWED',
    );
}
