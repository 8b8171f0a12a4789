import { Field, InputType, Int } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { CALLBACK_URL_PROBLEMS, checkCallbackUrl, isHostAllowed } from '../domain/callback-target';
import { invalidField } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { currencyDecimals, type Money, ZERO } from '../domain/money';
import type * as db from '../db/merchants';
import { type Environment } from './context';
import { DecimalScalar } from './scalars';

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

  @Field(() => Int, {
    nullable: true,
    description: 'Live PENDING deposits at once; default 10000.',
  })
  maxOpenDeposits?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Live PENDING deposits of one user_id at once; default 1000.',
  })
  maxOpenDepositsPerUser?: number | null;
}

/** What a new merchant has unless it is said. */
export const DEFAULT_SETTINGS: db.MerchantSettings = {
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
  maxOpenDeposits: LIMITS.openDeposits.merchant,
  maxOpenDepositsPerUser: LIMITS.openDeposits.user,
};

/** A host alone: no scheme, port or path. */
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

function between(field: string, value: number, { min, max }: { min: number; max: number }): void {
  if (value < min || value > max) throw invalidField(field, `must be ${min}-${max}`);
}

/** The settings that an input changes, checked as they will stand; null and absent change nothing. @throws INVALID_FIELD */
export function settingsChange(
  input: MerchantSettingsInput,
  current: db.MerchantSettings,
  environment: Environment,
): Partial<db.MerchantSettings> {
  const given = Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<db.MerchantSettings>;
  const change = {
    ...given,
    ...(given.defaultCallbackUrl === '' && { defaultCallbackUrl: null }),
    ...(given.callbackHosts?.length === 0 && { callbackHosts: null }),
  };
  check({ ...current, ...change }, environment);
  return change;
}

function check(settings: db.MerchantSettings, environment: Environment): void {
  const { allowInsecureCallbacks, callbackHosts, defaultCallbackUrl } = settings;
  between('depositExpireMinutes', settings.depositExpireMinutes, LIMITS.depositExpireMinutes);
  between('callbackTimeoutSeconds', settings.callbackTimeoutSeconds, LIMITS.callbackTimeoutSeconds);
  between('maxOpenDeposits', settings.maxOpenDeposits, LIMITS.openDeposits);
  between('maxOpenDepositsPerUser', settings.maxOpenDepositsPerUser, LIMITS.openDeposits);
  if (allowInsecureCallbacks && environment === 'production')
    throw invalidField('allowInsecureCallbacks', 'is for sandboxes');
  if (defaultCallbackUrl !== null) {
    const problem = checkCallbackUrl(defaultCallbackUrl, { allowInsecure: allowInsecureCallbacks });
    if (problem !== 'ok') throw invalidField('defaultCallbackUrl', CALLBACK_URL_PROBLEMS[problem]);
  }
  if (
    defaultCallbackUrl !== null &&
    !isHostAllowed(new URL(defaultCallbackUrl).hostname, { allowedHosts: callbackHosts })
  )
    throw invalidField('defaultCallbackUrl', 'its host must be one of callbackHosts');
  for (const host of callbackHosts ?? [])
    if (!HOST.test(host))
      throw invalidField('callbackHosts', `${host} is no plain host name, such as pay.example.com`);
}

/** A currency's change, checked. @throws INVALID_FIELD */
export function currencyChange(input: MerchantCurrencyInput): db.CurrencyChange {
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
