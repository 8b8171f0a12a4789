import type { BreakerSettings } from '../../domain/health';
import { WALLET_CURRENCY } from '../../domain/channel-deposit';
import { invalidField } from '../../domain/errors';
import { currencyDecimals, ZERO } from '../../domain/money';
import { countsDays, NO_DAY_LIMITS, problemOfDayLimits } from '../../domain/received-limits';
import type { ChannelBank, ChannelChange, ChannelRow } from '../../db/channels/channels';

/** The breaker's settings of a channel, and of a proposal. */
export const breakerIn = ({
  breakerPercent,
  breakerFailures,
  breakerOrders,
  breakerMinutes,
  breakerPause,
}: BreakerSettings): BreakerSettings => ({
  breakerPercent,
  breakerFailures,
  breakerOrders,
  breakerMinutes,
  breakerPause,
});

/** The default breaker of a channel. */
export const NEW_BREAKER: BreakerSettings = {
  breakerPercent: null,
  breakerFailures: null,
  breakerOrders: 10,
  breakerMinutes: 10,
  breakerPause: 60,
};

/** A channel's settings and banks after a change. */
export interface ChannelSetUp {
  readonly change: ChannelChange;
  readonly banks: readonly ChannelBank[];
}

/** The present settings and banks of a channel. */
export function setUpOfRow(row: ChannelRow, banks: readonly ChannelBank[]): ChannelSetUp {
  const { name, currencies, minAmount, maxAmount, lowBalance, priority, weight } = row;
  const { baseUrl, keyId } = row;
  const { sealedSecret, timeoutSeconds, cost, failureFinalDelaySeconds, answerWithinSeconds } = row;
  const { depositCurrencies, depositMin, depositMax, depositsFirst, depositCost } = row;
  const { depositLimits } = row;
  const { walletKind, acceptsContact, contactMobile, contactEmail, boundAccountId } = row;
  const { confirmRefusals, mockOpening, mockAmounts, timeZone } = row;
  return {
    change: {
      depositCurrencies,
      depositMin,
      depositMax,
      depositsFirst,
      depositCost,
      depositLimits,
      walletKind,
      acceptsContact,
      contactMobile,
      contactEmail,
      boundAccountId,
      confirmRefusals,
      mockOpening,
      mockAmounts,
      timeZone,
      ...breakerIn(row),
      name,
      currencies,
      minAmount,
      maxAmount,
      lowBalance,
      priority,
      weight,
      baseUrl,
      keyId,
      sealedSecret,
      timeoutSeconds,
      cost,
      failureFinalDelaySeconds,
      answerWithinSeconds,
    },
    banks: banks.map(({ currencyCode, bankCode, channelBankCode }) => ({
      currencyCode,
      bankCode,
      channelBankCode,
    })),
  };
}

/** The defaults of a new channel. */
export const NEW_CHANNEL: ChannelSetUp = {
  change: {
    name: '',
    currencies: [],
    minAmount: null,
    maxAmount: null,
    lowBalance: null,
    timeZone: 'UTC',
    priority: 100,
    weight: 1,
    baseUrl: null,
    keyId: null,
    sealedSecret: null,
    timeoutSeconds: 10,
    cost: { percent: ZERO, fixed: ZERO },
    failureFinalDelaySeconds: 600,
    answerWithinSeconds: 1_800,
    confirmRefusals: false,
    ...NEW_BREAKER,
    depositCurrencies: [],
    depositMin: null,
    depositMax: null,
    depositsFirst: false,
    depositLimits: NO_DAY_LIMITS,
    depositCost: { percent: ZERO, fixed: ZERO },
    walletKind: null,
    acceptsContact: false,
    contactMobile: null,
    contactEmail: null,
    boundAccountId: null,
    mockOpening: null,
    mockAmounts: null,
  },
  banks: [],
};

const within = (field: string, value: number, min: number, max: number): void => {
  if (value < min || value > max) throw invalidField(field, `must be ${min}-${max}`, 'OUT_OF_RANGE');
};

export const sized = (field: string, text: string, max: number, min = 1): void => {
  const { length } = Array.from(text.trim());
  if (length < min || length > max) throw invalidField(field, `must be ${min}-${max} characters`, 'OUT_OF_RANGE');
};

function checkDeposits(change: ChannelChange): void {
  const { depositCurrencies, depositMin, depositMax, depositCost } = change;
  for (const code of depositCurrencies)
    if (currencyDecimals(code) === undefined)
      throw invalidField('deposits.currencies', `${code} is not in ISO 4217`, 'UNKNOWN_VALUE');
  if (depositMin?.isNegative()) throw invalidField('deposits.minAmount', 'must not be negative', 'OUT_OF_RANGE');
  if (depositMax?.lt(depositMin ?? ZERO))
    throw invalidField('deposits.maxAmount', 'is below minAmount', 'OUT_OF_RANGE');
  const decimals = Math.min(...depositCurrencies.map((code) => currencyDecimals(code) ?? 0), 4);
  const problem = problemOfDayLimits(change.depositLimits, decimals);
  if (problem) throw invalidField('deposits', problem);
  if (change.boundAccountId !== null && countsDays(change.depositLimits))
    throw invalidField('deposits.accountId', 'the limits are those of the account', 'NOT_ALLOWED');
  const { percent, fixed } = depositCost;
  if (percent.isNegative() || percent.gte(100) || fixed.isNegative())
    throw invalidField('deposits.cost', 'must be 0 or more, and the percentage below 100', 'OUT_OF_RANGE');
  if (change.contactMobile !== null) sized('deposits.contactMobile', change.contactMobile, 32);
  if (change.contactEmail !== null) sized('deposits.contactEmail', change.contactEmail, 255);
  if (change.walletKind === null) return;
  if (depositCurrencies.some((code) => code !== WALLET_CURRENCY))
    throw invalidField('deposits.currencies', `a wallet takes ${WALLET_CURRENCY} alone`, 'NOT_ALLOWED');
  if (change.boundAccountId !== null) throw invalidField('deposits.accountId', 'is not for wallets', 'NOT_ALLOWED');
}

export function check(change: ChannelChange, banks: readonly ChannelBank[]): void {
  sized('name', change.name, 128);
  checkDeposits(change);
  if (change.currencies.length + change.depositCurrencies.length === 0)
    throw invalidField('currencies', 'must name at least one', 'REQUIRED');
  for (const code of change.currencies)
    if (currencyDecimals(code) === undefined)
      throw invalidField('currencies', `${code} is not an ISO 4217 currency`, 'UNKNOWN_VALUE');
  const { minAmount, maxAmount, cost } = change;
  if (change.lowBalance?.isNegative()) throw invalidField('lowBalance', 'must not be negative', 'OUT_OF_RANGE');
  if (minAmount?.isNegative()) throw invalidField('minAmount', 'must not be negative', 'OUT_OF_RANGE');
  if (maxAmount?.lt(minAmount ?? ZERO)) throw invalidField('maxAmount', 'is below minAmount', 'OUT_OF_RANGE');
  if (cost.percent.isNegative() || cost.percent.gte(100) || cost.fixed.isNegative())
    throw invalidField('cost', 'must be 0 or more, and the percentage below 100', 'OUT_OF_RANGE');
  within('priority', change.priority, 0, 1_000);
  within('weight', change.weight, 1, 1_000);
  within('timeoutSeconds', change.timeoutSeconds, 1, 60);
  within('failureFinalDelaySeconds', change.failureFinalDelaySeconds, 0, 604_800);
  within('answerWithinSeconds', change.answerWithinSeconds, 1, 604_800);
  const named = new Set<string>();
  for (const { currencyCode, bankCode, channelBankCode } of banks) {
    sized('banks.bankCode', bankCode, 32);
    sized('banks.channelBankCode', channelBankCode, 64);
    if (!change.currencies.includes(currencyCode))
      throw invalidField(
        'banks.currencyCode',
        `${currencyCode} is not one of the channel's currencies`,
        'UNKNOWN_VALUE',
      );
    if (named.has(`${currencyCode} ${bankCode}`))
      throw invalidField('banks', `${currencyCode} ${bankCode} appears twice`, 'DUPLICATE');
    named.add(`${currencyCode} ${bankCode}`);
  }
}
