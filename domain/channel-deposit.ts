import type { ChannelHealth } from './channel';
import { CHANNEL_HEALTH_REFUSALS, type ChannelHealthRefusal } from './health';
import { type Money, formatMoney } from './money';
import { DAY_REFUSALS, type DayLimits, dayRefusal, type DayUse } from './received-limits';
import type { JsonValue } from './strict-json';

/** The status of a try at having a channel take a deposit. SENT: asked, without a clear answer yet. */
export const DEPOSIT_ATTEMPT_STATUSES = [
  'PREPARED',
  'SENT',
  'OPEN',
  'REFUSED',
  'PAID',
  'FAILED',
] as const;
/** One of DEPOSIT_ATTEMPT_STATUSES. */
export type DepositAttemptStatus = (typeof DEPOSIT_ATTEMPT_STATUSES)[number];

/** What becomes of one deposit at a mock channel, as an operator may set it. */
export const MOCK_ORDER_OUTCOMES = ['MATCHED', 'COMPLETED', 'FAILED'] as const;
/** One of MOCK_ORDER_OUTCOMES. */
export type MockOrderOutcome = (typeof MOCK_ORDER_OUTCOMES)[number];

/** What becomes of a deposit by its amount. REFUSED and SILENT: of its opening. */
export const MOCK_DEPOSIT_OUTCOMES = [
  'PENDING',
  'MATCHED',
  'COMPLETED',
  'FAILED',
  'REFUSED',
  'SILENT',
] as const;
/** One of MOCK_DEPOSIT_OUTCOMES. */
export type MockDepositOutcome = (typeof MOCK_DEPOSIT_OUTCOMES)[number];

/** What a mock channel does when it is asked to take a deposit. */
export const MOCK_OPENINGS = ['OPEN', 'REFUSE', 'SILENT'] as const;
/** One of MOCK_OPENINGS. */
export type MockOpening = (typeof MOCK_OPENINGS)[number];

/** The mobile wallets of Bangladesh that are served; there is no third one (contract, "BDT rules"). */
export const WALLET_KINDS = ['BKASH', 'NAGAD'] as const;
/** One of WALLET_KINDS. */
export type WalletKind = (typeof WALLET_KINDS)[number];
/** Wallets take deposits in this currency alone. */
export const WALLET_CURRENCY = 'BDT';

/** A JSON object as a channel gave it. */
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** What a channel gives for the payer: the address of its page, or details to show. */
export interface PaymentDetails {
  readonly paymentUrl: string | null;
  readonly paymentInfo: JsonObject | null;
}

/**
 * A channel's answer about a deposit. REFUSED is definite: it has not taken it and nobody can pay it there. UNKNOWN is
 * everything else: no answer, a fault of the channel, an answer that does not fit.
 */
export type DepositAnswer =
  | ({ readonly kind: 'OPENED'; readonly channelOrderNo: string } & PaymentDetails)
  /** The payer's money is on its way: the channel sees it, and has not got it yet. */
  | { readonly kind: 'MATCHED'; readonly channelOrderNo: string }
  | {
      readonly kind: 'COMPLETED';
      readonly channelOrderNo: string;
      /** The channel's charge, in the deposit's currency; null where it does not say. */
      readonly cost: Money | null;
      /** A charge beyond the bound of its mapping: it is reported, and not booked. */
      readonly excessiveCost?: Money;
    }
  | { readonly kind: 'REFUSED' | 'FAILED'; readonly reason: string }
  /** The channel's book has no such deposit. */
  | { readonly kind: 'NOT_FOUND' }
  | { readonly kind: 'UNKNOWN'; readonly reason: string };

/** The facts by which a try is judged. */
export interface DepositAttemptCase {
  readonly status: DepositAttemptStatus;
  /** When the request was about to be sent. */
  readonly sentAt: Date;
  /** How long that request may have lasted, seconds. */
  readonly timeoutSeconds: number;
}

/** What follows from an answer. WAIT: ask again. */
export type DepositVerdict =
  | { readonly kind: 'OPENED' | 'MATCHED' | 'PAID' }
  | { readonly kind: 'REFUSED' | 'FAILED' | 'WAIT'; readonly reason: string };

/** After a request has ended, so long may what it began be missing in the channel's book, seconds. */
const BOOKED_WITHIN_SECONDS = 30;

/**
 * What an answer means for a try. What was never opened can still go to the next channel: no payer has seen it. A
 * failure counts only where a query finds it.
 * @param asked whether this answers a query
 */
export function verdictOnDeposit(
  { status, sentAt, timeoutSeconds }: DepositAttemptCase,
  answer: DepositAnswer,
  asked: boolean,
  now: Date,
): DepositVerdict {
  const opened = status === 'OPEN';
  switch (answer.kind) {
    case 'OPENED':
    case 'MATCHED':
      return { kind: answer.kind };
    case 'COMPLETED':
      return { kind: 'PAID' };
    case 'REFUSED':
    case 'FAILED':
      if (opened && asked) return { kind: 'FAILED', reason: answer.reason };
      return answer.kind === 'REFUSED' || asked
        ? { kind: 'REFUSED', reason: answer.reason }
        : { kind: 'WAIT', reason: answer.reason };
    case 'NOT_FOUND': {
      const booked = sentAt.getTime() + (timeoutSeconds + BOOKED_WITHIN_SECONDS) * 1000;
      return !opened && booked <= now.getTime()
        ? { kind: 'REFUSED', reason: 'the channel never got it' }
        : { kind: 'WAIT', reason: 'the channel does not know it' };
    }
    case 'UNKNOWN':
      return { kind: 'WAIT', reason: answer.reason };
  }
}

/**
 * When a channel is asked again after a deposit was over without its money, seconds from then: it may receive it later and
 * not report it. Most who pay late do so within minutes.
 */
export const DEPOSIT_RECHECK_AFTER_SECONDS = [60, 600, 3_600, 86_400] as const;

/** Why a channel does not take a deposit. NOT_IN_RULE is said by a dry run alone, of what the order's rule does not name. */
export const DEPOSIT_CHANNEL_REFUSALS = [
  'NOT_IN_RULE',
  'DISABLED',
  'OTHER_CURRENCY',
  'OTHER_WALLET',
  'NOT_IN_POOL',
  'OF_AN_ACCOUNT',
  'BELOW_MINIMUM',
  'ABOVE_MAXIMUM',
  'NOT_ITS_AMOUNT',
  ...DAY_REFUSALS,
  'DOWN',
  ...CHANNEL_HEALTH_REFUSALS,
  'TRIED_BEFORE',
] as const;
/** One of DEPOSIT_CHANNEL_REFUSALS. */
export type DepositChannelRefusal = (typeof DEPOSIT_CHANNEL_REFUSALS)[number];

/** A channel, as far as the choice for one deposit needs it. Amounts in the deposit's currency. */
export interface DepositChannel {
  readonly id: string;
  readonly enabled: boolean;
  readonly depositCurrencies: readonly string[];
  readonly depositMin: Money | null;
  readonly depositMax: Money | null;
  /** What it may receive in each currency. */
  readonly depositLimits: DayLimits;
  /** What counts against them now, in the deposit's currency. */
  readonly use: DayUse;
  readonly depositsFirst: boolean;
  readonly walletKind: WalletKind | null;
  readonly boundAccountId: string | null;
  /** The pools that it is in, as `THB pool-id`: a pool is of one currency. */
  readonly poolKeys: readonly string[];
  readonly mockAmounts: Readonly<Record<string, MockDepositOutcome>> | null;
  readonly health: ChannelHealth;
  /** Why it is passed over, besides; null: it is not. */
  readonly passedOver: ChannelHealthRefusal | null;
  /** The lowest is asked first. */
  readonly priority: number;
  /** Its share among channels of the same priority. */
  readonly weight: number;
}

/** The deposit that looks for a channel. */
export interface DepositToRoute {
  readonly currencyCode: string;
  readonly amount: Money;
  /** The wallet that its merchant is configured with in its currency; null: no wallet. */
  readonly walletChannelId: string | null;
  /**
   * The pool of its merchant in its currency; null: the default one, of what is in none; undefined: pools do not matter, as
   * a rule names the channel.
   */
  readonly poolId: string | null | undefined;
  /** Channels that were asked to take it before. */
  readonly tried: readonly string[];
}

/** Whether a merchant of a pool uses this channel. */
export function isChannelInPool(
  { poolKeys }: Pick<DepositChannel, 'poolKeys'>,
  currencyCode: string,
  poolId: string | null,
): boolean {
  return poolId === null
    ? !poolKeys.some((key) => key.startsWith(`${currencyCode} `))
    : poolKeys.includes(`${currencyCode} ${poolId}`);
}

/** Why this channel does not take this deposit, or null if it does. */
export function depositChannelRefusal(
  channel: DepositChannel,
  { currencyCode, amount, walletChannelId, poolId, tried }: DepositToRoute,
): DepositChannelRefusal | null {
  const { depositMin, depositMax, mockAmounts } = channel;
  if (!channel.enabled) return 'DISABLED';
  if (!channel.depositCurrencies.includes(currencyCode)) return 'OTHER_CURRENCY';
  // A wallet takes its own merchants' deposits alone, and these go nowhere else.
  if (walletChannelId === null ? channel.walletKind !== null : channel.id !== walletChannelId)
    return 'OTHER_WALLET';
  // A wallet is the merchant's own by its configuration.
  const pooled = walletChannelId === null && poolId !== undefined;
  if (pooled && !isChannelInPool(channel, currencyCode, poolId)) return 'NOT_IN_POOL';
  if (channel.boundAccountId !== null) return 'OF_AN_ACCOUNT';
  if (depositMin && amount.lt(depositMin)) return 'BELOW_MINIMUM';
  if (depositMax && amount.gt(depositMax)) return 'ABOVE_MAXIMUM';
  if (mockAmounts && !Object.hasOwn(mockAmounts, formatMoney(amount))) return 'NOT_ITS_AMOUNT';
  if (channel.health === 'DOWN') return 'DOWN';
  if (channel.passedOver) return channel.passedOver;
  if (tried.includes(channel.id)) return 'TRIED_BEFORE';
  return dayRefusal(channel.depositLimits, channel.use, amount);
}

/** Who a channel may write to about a payment. */
export interface Contact {
  readonly mobile: string | null;
  readonly email: string | null;
}

/** The contact that goes to a channel: in BDT the platform's own; else the merchant's, where the channel takes it. */
export function contactFor(
  { acceptsContact, contactMobile, contactEmail }: ContactRules,
  currencyCode: string,
  given: Contact,
): Contact {
  if (currencyCode === WALLET_CURRENCY) return { mobile: contactMobile, email: contactEmail };
  return acceptsContact ? given : { mobile: null, email: null };
}

/** What a channel says of contacts. */
export interface ContactRules {
  readonly acceptsContact: boolean;
  /** The platform's own. */
  readonly contactMobile: string | null;
  readonly contactEmail: string | null;
}

/** Bank details that are mirrored beside a channel's object (contract, "DepositPaymentInfo"). */
export const MIRRORED_DETAILS = [
  'bank_code',
  'bank_name',
  'bank_branch',
  'account_no',
  'account_holder',
] as const;

const textOf = (value: JsonValue): string | null => {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** What the payer is shown of a channel's details, as an object of strings. */
export const snapshotOf = ({
  paymentUrl,
  paymentInfo,
}: PaymentDetails): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...paymentInfo, payment_url: paymentUrl })
      .map(([key, value]) => [key, textOf(value)] as const)
      .filter((pair): pair is readonly [string, string] => pair[1] !== null),
  );
