import { Extensions, Field, ID, InputType, Int, registerEnumType } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import type { CashierAmounts } from '../../domain/cashier';
import { LATE_PAYMENTS, type LatePayment } from '../../domain/deposit';
import { invalidField } from '../../domain/errors';
import { checkFeeRule, type FeeRule } from '../../domain/fees';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, formatMoney, type Money, ZERO } from '../../domain/money';
import type * as db from '../../db/merchants/merchants';
import type { Environment } from '../../steps/context';
import { NAMED_ID } from '../ids';
import { DecimalScalar, enumOf } from '../scalars';
import { checkSettings } from '../../steps/merchants/check-settings';

export const LatePaymentEnum = enumOf(LATE_PAYMENTS);
registerEnumType(LatePaymentEnum, {
  name: 'LatePayment',
  description: 'What becomes of money that comes for an expired order.',
  valuesConfig: {
    OFF: { description: 'It waits: two people credit it, or send it back.' },
    REOPEN: {
      description: "A person's match completes the order after all, with its callback; an automatic match never does.",
    },
  },
});

@InputType({ description: 'A fee rule; both parts default to zero.' })
export class FeeRuleInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Percent of the amount, 0 up to 100, at most four decimal places: "1.5" is 1.5 %. Zero if null.',
  })
  percent?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Zero or more, in the currency itself; zero if null.',
  })
  fixed?: Money | null;
}

@InputType({ description: 'What one deposit may be; null is no limit.' })
export class DepositLimitsInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The minimum of one deposit; null: no limit.',
  })
  min?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The maximum of one deposit; null: no limit.',
  })
  max?: Money | null;
}

@InputType({ description: 'What one withdrawal may be; null is no limit.' })
export class WithdrawalLimitsInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The minimum of one withdrawal; null: no limit.',
  })
  min?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The maximum of one withdrawal; null: no limit.',
  })
  max?: Money | null;
}

@InputType({
  description: 'The amounts that payers may choose in the cashier. Neither: the cashier is closed.',
})
export class CashierAmountsInput {
  @Field(() => [DecimalScalar], {
    nullable: true,
    description: `Shown as they are ordered here; none unless given, at most ${LIMITS.cashierDenominations}.`,
  })
  denominations?: Money[] | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The least of any other amount; with `customMax`.',
  })
  customMin?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The greatest of any other amount; with `customMin`.',
  })
  customMax?: Money | null;
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

  @Field(() => FeeRuleInput, {
    nullable: true,
    description: 'On top of each withdrawal. Left as it is unless given; a new currency has none.',
  })
  withdrawalFee?: FeeRuleInput | null;

  @Field(() => WithdrawalLimitsInput, {
    nullable: true,
    description: 'Left as they are unless given; a new currency has none.',
  })
  withdrawalLimits?: WithdrawalLimitsInput | null;

  @Extensions(NAMED_ID)
  @Field(() => ID, {
    nullable: true,
    description:
      'The pool whose accounts and channels it uses in this currency; "" is the default one. Left as it is unless given.',
  })
  poolId?: string | null;

  @Field(() => DepositLimitsInput, {
    nullable: true,
    description: 'Left as they are unless given; a new currency has none.',
  })
  depositLimits?: DepositLimitsInput | null;

  @Field(() => CashierAmountsInput, {
    nullable: true,
    description: 'Left as they are unless given; a new currency has none.',
  })
  cashierAmounts?: CashierAmountsInput | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Of BDT: the id of the mobile wallet channel that takes its deposits, instead of everything else. Left as it is unless given; an empty string clears it.',
  })
  walletChannelId?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the fee of a deposit is held from the balance at its creation, so that the credit is in full. Left as it is unless given; a new currency does without.',
  })
  prepaid?: boolean | null;
}

@InputType({
  description: 'Settings of a merchant. Omitted fields stay unchanged, or take their defaults at creation.',
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

  @Field(() => Boolean, {
    nullable: true,
    description: 'Default true; false accepts any certificate, and is refused in production.',
  })
  webhookSslVerify?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Default false.' })
  notifyDepositMatched?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Default false; true answers null for the costs and profits of its orders.',
  })
  hideCosts?: boolean | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Addresses and networks, such as 203.0.113.7 or 2001:db8::/32; an empty list clears it.',
  })
  allowedAddresses?: string[] | null;

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

  @Field(() => Int, {
    nullable: true,
    description: '1-1440 minutes, default 15: of a cashier session, apart from its deposit.',
  })
  cashierSessionExpireMinutes?: number | null;

  @Field(() => String, {
    nullable: true,
    description: "What payers read for the merchant's name; an empty string clears it.",
  })
  cashierName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "An https picture for the payer's page; an empty string clears it.",
  })
  cashierLogoUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "#rrggbb, dark enough to be read on white: the payer's page; an empty string clears it.",
  })
  cashierColour?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Where the payer's page leads when it is over: https, or http where allowInsecureCallbacks is on. An empty string clears it.",
  })
  cashierReturnUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'In which its days turn, such as Asia/Bangkok: those of holds and of withdrawals’ counts, and quiet hours that name no zone. Default UTC.',
  })
  timeZone?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `0-${LIMITS.holdDays.max}, default 0: credited deposits are available only when so many days of its time zone are over.`,
  })
  holdDays?: number | null;

  @Field(() => LatePaymentEnum, {
    nullable: true,
    description: 'What becomes of money that comes for an expired order; OFF by default.',
  })
  latePayment?: LatePayment | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether a manual payout that its bank gives back brings its fee back; false by default.',
  })
  returnsPayoutFee?: boolean | null;
}

/** Settings that an empty string clears. */
const CLEARABLE = ['defaultCallbackUrl', 'cashierName', 'cashierLogoUrl', 'cashierColour', 'cashierReturnUrl'] as const;

/**
 * The settings that an input changes, checked as they will be after it; null and absent change nothing. @throws
 * INVALID_FIELD
 */
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
    ...Object.fromEntries(CLEARABLE.filter((field) => given[field] === '').map((field) => [field, null])),
    ...(given.cashierColour && { cashierColour: given.cashierColour.toLowerCase() }),
    ...(given.callbackHosts?.length === 0 && { callbackHosts: null }),
    ...(given.allowedAddresses?.length === 0 && { allowedAddresses: null }),
  };
  checkSettings({ ...current, ...change }, environment);
  return change;
}

/** The amounts that payers may choose, checked. @throws INVALID_FIELD */
function cashierAmountsOf(
  { denominations, customMin, customMax }: CashierAmountsInput,
  decimals: number,
): CashierAmounts {
  const amounts = denominations ?? [];
  const given = [...amounts, customMin, customMax].filter((amount) => amount != null);
  if (given.some((amount) => !amount.isPositive() || amount.isZero()))
    throw invalidField('cashierAmounts', 'must be greater than 0', 'OUT_OF_RANGE');
  if (given.some((amount) => amount.decimalPlaces() > decimals))
    throw invalidField('cashierAmounts', `must have at most ${decimals} decimal places`, 'OUT_OF_RANGE');
  if (amounts.length > LIMITS.cashierDenominations)
    throw invalidField('denominations', `must be at most ${LIMITS.cashierDenominations}`, 'OUT_OF_RANGE');
  if (new Set(amounts.map(formatMoney)).size < amounts.length)
    throw invalidField('denominations', 'must differ from each other', 'DUPLICATE');
  if ((customMin == null) !== (customMax == null)) throw invalidField('customMin', 'requires customMax', 'NOT_ALLOWED');
  if (customMin == null || customMax == null) return { denominations: amounts, custom: null };
  if (customMin.gt(customMax)) throw invalidField('customMin', 'must not be above customMax', 'OUT_OF_RANGE');
  return { denominations: amounts, custom: { min: customMin, max: customMax } };
}

/** @throws INVALID_FIELD */
function feeRule(input: FeeRuleInput | null | undefined, decimals: number): FeeRule | null {
  if (!input) return null;
  const { percent, fixed } = { percent: input.percent ?? ZERO, fixed: input.fixed ?? ZERO };
  checkFeeRule({ percent, fixed }, decimals);
  return { percent, fixed };
}

/** @throws INVALID_FIELD */
function orderLimits(
  field: 'depositLimits' | 'withdrawalLimits',
  input: DepositLimitsInput | WithdrawalLimitsInput | null | undefined,
  decimals: number,
): db.OrderLimits | null {
  if (!input) return null;
  const { min, max } = { min: input.min ?? null, max: input.max ?? null };
  for (const limit of [min, max])
    if (limit && (!limit.gt(0) || limit.decimalPlaces() > decimals))
      throw invalidField(field, `must be more than 0, with at most ${decimals} decimal places`, 'OUT_OF_RANGE');
  if (min && max && min.gt(max))
    throw invalidField(field, 'allow no amount: the minimum is above the maximum', 'OUT_OF_RANGE');
  return { min, max };
}

/** A currency's change, checked. @throws INVALID_FIELD */
export function currencyChange(input: MerchantCurrencyInput): db.CurrencyChange {
  const decimals = currencyDecimals(input.currencyCode);
  if (decimals === undefined)
    throw invalidField('currencyCode', `${input.currencyCode} is not an ISO 4217 currency`, 'UNKNOWN_VALUE');
  return {
    currencyCode: input.currencyCode,
    enabled: input.enabled ?? true,
    depositFee: feeRule(input.depositFee, decimals),
    withdrawalFee: feeRule(input.withdrawalFee, decimals),
    pool: input.poolId == null ? null : { id: input.poolId === '' ? null : input.poolId },
    depositLimits: orderLimits('depositLimits', input.depositLimits, decimals),
    withdrawalLimits: orderLimits('withdrawalLimits', input.withdrawalLimits, decimals),
    cashierAmounts: input.cashierAmounts ? cashierAmountsOf(input.cashierAmounts, decimals) : null,
    walletChannelId: input.walletChannelId === '' ? null : (input.walletChannelId ?? undefined),
    prepaid: input.prepaid ?? null,
    balanceId: uuidv7(),
  };
}
