import { CHANNEL_HEALTH_REFUSALS, type ChannelHealthRefusal } from './health';
import type { Money } from './money';

/** MOCK: built in, for sandboxes. HTTP: an upstream reached over signed HTTP. */
export const CHANNEL_KINDS = ['MOCK', 'HTTP'] as const;
/** One of CHANNEL_KINDS. */
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** The outcome that a mock channel gives its payouts (contract, "Environments"). */
export const MOCK_OUTCOMES = ['PENDING', 'COMPLETED', 'FAILED'] as const;
/** One of MOCK_OUTCOMES. */
export type MockOutcome = (typeof MOCK_OUTCOMES)[number];

/** The result of the last check; UNKNOWN before the first. */
export const CHANNEL_HEALTHS = ['UNKNOWN', 'UP', 'DOWN'] as const;
/** One of CHANNEL_HEALTHS. */
export type ChannelHealth = (typeof CHANNEL_HEALTHS)[number];

/** A channel's name in addresses and settings. */
export const CHANNEL_CODE = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** Why a channel does not get a payout. */
export const PAYOUT_REFUSALS = [
  'DISABLED',
  'OTHER_CURRENCY',
  'BELOW_MINIMUM',
  'ABOVE_MAXIMUM',
  'BANK_NOT_SERVED',
  'DOWN',
  ...CHANNEL_HEALTH_REFUSALS,
  'LOW_BALANCE',
  'TRIED_BEFORE',
] as const;
/** One of PAYOUT_REFUSALS. */
export type PayoutRefusal = (typeof PAYOUT_REFUSALS)[number];

/** The data of a channel that routing of one payout needs. Amounts in the payout's currency. */
export interface PayableChannel {
  readonly id: string;
  readonly enabled: boolean;
  readonly currencies: readonly string[];
  readonly minAmount: Money | null;
  readonly maxAmount: Money | null;
  readonly health: ChannelHealth;
  /** Why it is passed over; null: it is not. */
  readonly passedOver: ChannelHealthRefusal | null;
  /** The lowest is tried first. */
  readonly priority: number;
  /** Its share among channels of the same priority. */
  readonly weight: number;
  /** The channel's own code of the beneficiary's bank; null where it does not serve the bank. */
  readonly bankCode: string | null;
  /** The balance that it holds for us; null if unknown: then the channel itself refuses what it cannot pay. */
  readonly balance: Money | null;
  /** Whether this payout was sent to it before. */
  readonly tried: boolean;
}

/** The currencies in which a channel pays out or takes deposits, ISO 4217. */
export const currenciesOf = ({
  currencies,
  depositCurrencies,
}: {
  readonly currencies: readonly string[];
  readonly depositCurrencies: readonly string[];
}): readonly string[] => [...new Set([...currencies, ...depositCurrencies])];

/** The payout that needs a channel. */
export interface PayoutOrder {
  readonly currencyCode: string;
  readonly amount: Money;
}

/** Why this channel cannot take this payout, or null if it can. */
export function payoutRefusal(channel: PayableChannel, { currencyCode, amount }: PayoutOrder): PayoutRefusal | null {
  const { minAmount, maxAmount, balance } = channel;
  if (!channel.enabled) return 'DISABLED';
  if (!channel.currencies.includes(currencyCode)) return 'OTHER_CURRENCY';
  if (minAmount && amount.lt(minAmount)) return 'BELOW_MINIMUM';
  if (maxAmount && amount.gt(maxAmount)) return 'ABOVE_MAXIMUM';
  if (channel.bankCode === null) return 'BANK_NOT_SERVED';
  if (channel.health === 'DOWN') return 'DOWN';
  if (channel.passedOver) return channel.passedOver;
  if (balance && balance.lt(amount)) return 'LOW_BALANCE';
  return channel.tried ? 'TRIED_BEFORE' : null;
}
