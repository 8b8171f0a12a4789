import type { ChannelHealth } from './channel';
import { CHANNEL_HEALTH_REFUSALS, type ChannelHealthRefusal } from './health';
import { type Money, formatMoney } from './money';
import { DAY_REFUSALS, type DayLimits, dayRefusal, type DayUse } from './received-limits';
import type { JsonValue } from './strict-json';

/** The status of an attempt to open a deposit at a channel. SENT: requested, without a clear answer yet. */
export const DEPOSIT_ATTEMPT_STATUSES = ['PREPARED', 'SENT', 'OPEN', 'REFUSED', 'PAID', 'FAILED'] as const;
/** One of DEPOSIT_ATTEMPT_STATUSES. */
export type DepositAttemptStatus = (typeof DEPOSIT_ATTEMPT_STATUSES)[number];

/** The outcome of one deposit at a mock channel, as an operator may set it. */
export const MOCK_ORDER_OUTCOMES = ['MATCHED', 'COMPLETED', 'FAILED'] as const;
/** One of MOCK_ORDER_OUTCOMES. */
export type MockOrderOutcome = (typeof MOCK_ORDER_OUTCOMES)[number];

/** The outcome of a deposit by its amount. REFUSED and SILENT are outcomes of its opening. */
export const MOCK_DEPOSIT_OUTCOMES = ['PENDING', 'MATCHED', 'COMPLETED', 'FAILED', 'REFUSED', 'SILENT'] as const;
/** One of MOCK_DEPOSIT_OUTCOMES. */
export type MockDepositOutcome = (typeof MOCK_DEPOSIT_OUTCOMES)[number];

/** What a mock channel does when a deposit is opened. */
export const MOCK_OPENINGS = ['OPEN', 'REFUSE', 'SILENT'] as const;
/** One of MOCK_OPENINGS. */
export type MockOpening = (typeof MOCK_OPENINGS)[number];

/** The supported mobile wallets of Bangladesh (contract, "BDT rules"). */
export const WALLET_KINDS = ['BKASH', 'NAGAD'] as const;
/** One of WALLET_KINDS. */
export type WalletKind = (typeof WALLET_KINDS)[number];
/** Wallets take deposits only in this currency. */
export const WALLET_CURRENCY = 'BDT';

/** A JSON object from a channel. */
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** A channel's payment details: the URL of its page, or fields to show. */
export interface PaymentDetails {
  readonly paymentUrl: string | null;
  readonly paymentInfo: JsonObject | null;
}

/**
 * A channel's answer about a deposit. REFUSED is definite: the channel has not accepted it, and nobody can pay it
 * there. UNKNOWN is everything else: no answer, an error of the channel, an answer that does not match.
 */
export type DepositAnswer =
  | ({ readonly kind: 'OPENED'; readonly channelOrderNo: string } & PaymentDetails)
  /** The payment is under way: the channel sees it, but has not received it yet. */
  | { readonly kind: 'MATCHED'; readonly channelOrderNo: string }
  | {
      readonly kind: 'COMPLETED';
      readonly channelOrderNo: string;
      /** The channel's charge, in the deposit's currency; null where it does not say. */
      readonly cost: Money | null;
      /** A charge beyond a bound: it is reported, and not booked (channel-cost.ts, and the bound of its mapping). */
      readonly excessiveCost?: Money;
    }
  | { readonly kind: 'REFUSED' | 'FAILED'; readonly reason: string; readonly unsent?: true }
  /** The channel's records have no such deposit. */
  | { readonly kind: 'NOT_FOUND' }
  | { readonly kind: 'UNKNOWN'; readonly reason: string };

/** The facts that decide about an attempt. */
export interface DepositAttemptCase {
  readonly status: DepositAttemptStatus;
  /** When the attempt was marked as sent, just before the request. */
  readonly sentAt: Date;
  /** How long that request may have lasted, seconds. */
  readonly timeoutSeconds: number;
}

/** What follows from an answer. WAIT: query again. */
export type DepositVerdict =
  | { readonly kind: 'OPENED' | 'MATCHED' | 'PAID' }
  | { readonly kind: 'REFUSED' | 'FAILED' | 'WAIT'; readonly reason: string };

/** How long after a request's end the channel's records may still lack its deposit, seconds. */
const BOOKED_WITHIN_SECONDS = 30;

/**
 * What an answer means for an attempt. A deposit that was never opened can still go to the next channel, because no
 * payer has seen it. A failure counts only if a query finds it. @param asked whether this answers a query
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
 * When a channel is queried again after a deposit ended without its money, seconds after the end: it may receive the
 * money later without reporting it. Most late payments come within minutes.
 */
export const DEPOSIT_RECHECK_AFTER_SECONDS = [60, 600, 3_600, 86_400] as const;

/**
 * Why a channel does not take a deposit. NOT_IN_RULE: only in a dry run, for channels that the order's rule does not
 * name.
 */
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

/** The data of a channel that routing of one deposit needs. Amounts in the deposit's currency. */
export interface DepositChannel {
  readonly id: string;
  readonly enabled: boolean;
  readonly depositCurrencies: readonly string[];
  readonly depositMin: Money | null;
  readonly depositMax: Money | null;
  /** What it may receive in each currency. */
  readonly depositLimits: DayLimits;
  /** What counts against these limits now, in the deposit's currency. */
  readonly use: DayUse;
  readonly depositsFirst: boolean;
  readonly walletKind: WalletKind | null;
  readonly boundAccountId: string | null;
  /** Its pools, as `THB pool-id`: a pool has one currency. */
  readonly poolKeys: readonly string[];
  readonly mockAmounts: Readonly<Record<string, MockDepositOutcome>> | null;
  readonly health: ChannelHealth;
  /** Why it is passed over; null: it is not. */
  readonly passedOver: ChannelHealthRefusal | null;
  /** The lowest is tried first. */
  readonly priority: number;
  /** Its share among channels of the same priority. */
  readonly weight: number;
}

/** The deposit that needs a channel. */
export interface DepositToRoute {
  readonly currencyCode: string;
  readonly amount: Money;
  /** The wallet of its merchant in its currency; null: none. */
  readonly walletChannelId: string | null;
  /**
   * The pool of its merchant in its currency; null: the default pool; undefined: pools do not matter, because a rule
   * names the channel.
   */
  readonly poolId: string | null | undefined;
  /** Channels with an earlier attempt of it. */
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
  // A wallet takes only its own merchants' deposits, and these go nowhere else.
  if (walletChannelId === null ? channel.walletKind !== null : channel.id !== walletChannelId) return 'OTHER_WALLET';
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

/** The contact to which a channel may write about a payment. */
export interface Contact {
  readonly mobile: string | null;
  readonly email: string | null;
}

/** The contact that is sent to a channel: in BDT the platform's own; else the merchant's, if the channel accepts it. */
export function contactFor(
  { acceptsContact, contactMobile, contactEmail }: ContactRules,
  currencyCode: string,
  given: Contact,
): Contact {
  if (currencyCode === WALLET_CURRENCY) return { mobile: contactMobile, email: contactEmail };
  return acceptsContact ? given : { mobile: null, email: null };
}

/** A channel's settings about contacts. */
export interface ContactRules {
  readonly acceptsContact: boolean;
  /** The platform's own. */
  readonly contactMobile: string | null;
  readonly contactEmail: string | null;
}

/** Bank details that are copied beside a channel's object (contract, "DepositPaymentInfo"). */
export const MIRRORED_DETAILS = ['bank_code', 'bank_name', 'bank_branch', 'account_no', 'account_holder'] as const;

const textOf = (value: JsonValue): string | null => {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** What the payer is shown of a channel's details, as an object of strings. */
export const snapshotOf = ({ paymentUrl, paymentInfo }: PaymentDetails): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...paymentInfo, payment_url: paymentUrl })
      .map(([key, value]) => [key, textOf(value)] as const)
      .filter((pair): pair is readonly [string, string] => pair[1] !== null),
  );
