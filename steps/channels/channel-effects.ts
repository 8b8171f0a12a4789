import type { ChannelKind, MockOutcome } from '../../domain/channel';
import type { Settings } from '../../domain/change-request';
import type { MockDepositOutcome, MockOpening, WalletKind } from '../../domain/channel-deposit';
import { businessError, notFound } from '../../domain/errors';
import type { FeeRule } from '../../domain/fees';
import type { BreakerSettings } from '../../domain/health';
import { money } from '../../domain/money';
import * as db from '../../db/channels/channels';
import type { Transaction } from '../../db/client';
import { effect } from '../changes/change-effect';
import { breakerIn, type ChannelSetUp, NEW_BREAKER, NEW_CHANNEL, setUpOfRow } from './channel-set-up';

/** A channel's settings in a proposal. */
export type ChannelPayload = Readonly<{
  name: string;
  currencies: readonly string[];
  minAmount: string | null;
  maxAmount: string | null;
  /** Absent in older proposals. */
  lowBalance?: string | null;
  /** Absent in older proposals. */
  timeZone?: string;
  priority: number;
  weight: number;
  baseUrl: string | null;
  keyId: string | null;
  sealedSecret: string | null;
  timeoutSeconds: number;
  cost: Readonly<{ percent: string; fixed: string }>;
  failureFinalDelaySeconds: number;
  answerWithinSeconds: number;
  /** Absent in older proposals. */
  confirmRefusals?: boolean;
  /** Absent in older proposals. */
  breaker?: Pick<BreakerSettings, keyof BreakerSettings>;
  /** Absent in older proposals. */
  deposits?: KeptDeposits;
  banks: readonly Readonly<{ currencyCode: string; bankCode: string; channelBankCode: string }>[];
}>;

/** A channel's settings for deposits, in a proposal. */
type KeptDeposits = Readonly<{
  depositCurrencies: readonly string[];
  depositMin: string | null;
  depositMax: string | null;
  /** Absent in older proposals. */
  depositMaxDailyAmount?: string | null;
  depositMaxMonthlyAmount?: string | null;
  depositMaxDailyCount?: number | null;
  depositMaxMonthlyCount?: number | null;
  depositsFirst: boolean;
  depositCost: Readonly<{ percent: string; fixed: string }>;
  walletKind: WalletKind | null;
  acceptsContact: boolean;
  contactMobile: string | null;
  contactEmail: string | null;
  boundAccountId: string | null;
  mockOpening: MockOpening | null;
  mockAmounts: Readonly<Record<string, MockDepositOutcome>> | null;
}>;

/** A new channel in a proposal. */
export type CreateChannelPayload = Readonly<{
  id: string;
  channelCode: string;
  kind: ChannelKind;
  mockOutcome: MockOutcome | null;
  /** Absent in older proposals. */
  mapped?: boolean;
  setUp: ChannelPayload;
}>;

/** A channel's changes in a proposal. */
export type UpdateChannelPayload = Readonly<{ id: string; setUp: ChannelPayload }>;

/** Whether a channel gets payouts, in a proposal. */
export type ChannelEnabledPayload = Readonly<{ id: string; enabled: boolean }>;

const keptDeposits = (change: db.ChannelChange): KeptDeposits => ({
  depositCurrencies: change.depositCurrencies,
  depositMin: change.depositMin?.toFixed() ?? null,
  depositMax: change.depositMax?.toFixed() ?? null,
  depositMaxDailyAmount: change.depositLimits.maxDailyAmount?.toFixed() ?? null,
  depositMaxMonthlyAmount: change.depositLimits.maxMonthlyAmount?.toFixed() ?? null,
  depositMaxDailyCount: change.depositLimits.maxDailyCount,
  depositMaxMonthlyCount: change.depositLimits.maxMonthlyCount,
  depositsFirst: change.depositsFirst,
  depositCost: keptCost(change.depositCost),
  walletKind: change.walletKind,
  acceptsContact: change.acceptsContact,
  contactMobile: change.contactMobile,
  contactEmail: change.contactEmail,
  boundAccountId: change.boundAccountId,
  mockOpening: change.mockOpening,
  mockAmounts: change.mockAmounts,
});

const keptCost = ({ percent, fixed }: FeeRule) => ({
  percent: percent.toFixed(),
  fixed: fixed.toFixed(),
});

/** In the form that a proposal stores. */
export const payloadOf = ({ change, banks }: ChannelSetUp): ChannelPayload => ({
  name: change.name,
  currencies: change.currencies,
  minAmount: change.minAmount?.toFixed() ?? null,
  maxAmount: change.maxAmount?.toFixed() ?? null,
  lowBalance: change.lowBalance?.toFixed() ?? null,
  timeZone: change.timeZone,
  priority: change.priority,
  weight: change.weight,
  baseUrl: change.baseUrl,
  keyId: change.keyId,
  sealedSecret: change.sealedSecret,
  timeoutSeconds: change.timeoutSeconds,
  cost: keptCost(change.cost),
  failureFinalDelaySeconds: change.failureFinalDelaySeconds,
  answerWithinSeconds: change.answerWithinSeconds,
  confirmRefusals: change.confirmRefusals,
  breaker: breakerIn(change),
  deposits: keptDeposits(change),
  banks: banks.map((bank) => ({ ...bank })),
});

/** In the form that people compare: without the secret, whose key is named. */
export const shownOf = (setUp: ChannelSetUp): Settings => {
  const { sealedSecret: _, banks, deposits, breaker, ...shown } = payloadOf(setUp);
  return {
    ...shown,
    ...deposits,
    ...breaker,
    banks: banks.map((b) => `${b.currencyCode} ${b.bankCode} → ${b.channelBankCode}`),
  };
};

const optionalMoney = (text: string | null) => (text === null ? null : money(text));

const costOf = ({ percent, fixed }: Readonly<{ percent: string; fixed: string }>): FeeRule => ({
  percent: money(percent),
  fixed: money(fixed),
});

const changeOf = ({ banks: _, deposits, breaker, ...kept }: ChannelPayload): db.ChannelChange => {
  const { depositMin, depositMax, depositCost, ...others } = deposits ?? keptDeposits(NEW_CHANNEL.change);
  const { depositMaxDailyAmount = null, depositMaxMonthlyAmount = null, ...more } = others;
  const { depositMaxDailyCount = null, depositMaxMonthlyCount = null, ...rest } = more;
  return {
    ...kept,
    ...rest,
    depositLimits: {
      maxDailyAmount: optionalMoney(depositMaxDailyAmount),
      maxMonthlyAmount: optionalMoney(depositMaxMonthlyAmount),
      maxDailyCount: depositMaxDailyCount,
      maxMonthlyCount: depositMaxMonthlyCount,
    },
    ...breakerIn(breaker ?? NEW_BREAKER),
    minAmount: optionalMoney(kept.minAmount),
    maxAmount: optionalMoney(kept.maxAmount),
    lowBalance: optionalMoney(kept.lowBalance ?? null),
    timeZone: kept.timeZone ?? 'UTC',
    confirmRefusals: kept.confirmRefusals ?? false,
    cost: costOf(kept.cost),
    depositMin: optionalMoney(depositMin),
    depositMax: optionalMoney(depositMax),
    depositCost: costOf(depositCost),
  };
};

const basis = async (tx: Transaction, { id }: Readonly<{ id: string }>): Promise<Settings | null> => {
  const channel = await db.lockChannel(tx, id);
  if (!channel) return null;
  const setUp = setUpOfRow(channel, await db.findChannelBanks(tx, [id]));
  return { ...shownOf(setUp), enabled: channel.enabled };
};

/** Sets up a channel that gets payouts. */
export const createChannel = effect<CreateChannelPayload>({
  apply: async (tx, { setUp, mapped = false, ...channel }, { now }) => {
    await db.insertChannel(tx, { ...channel, mapped, ...changeOf(setUp) }, now);
    await db.replaceChannelBanks(tx, channel.id, setUp.banks);
  },
});

/** Changes a channel's settings and banks; payouts under way go on with the new ones. */
export const updateChannel = effect<UpdateChannelPayload>({
  basis,
  apply: async (tx, { id, setUp }, { now }) => {
    if (!(await db.updateChannel(tx, id, changeOf(setUp), now))) throw notFound('channel');
    await db.replaceChannelBanks(tx, id, setUp.banks);
  },
});

/** Enables or disables a channel for new payouts. */
export const setChannelEnabled = effect<ChannelEnabledPayload>({
  basis,
  apply: async (tx, { id, enabled }, { now }) => {
    if (await db.setChannelEnabled(tx, id, enabled, now)) return;
    if (!(await db.lockChannel(tx, id))) throw notFound('channel');
    throw businessError('WRONG_STATE', 'the conformance kit has not passed for its mapping');
  },
});
