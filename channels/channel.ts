import type { ChannelHealth, MockOutcome } from '../domain/channel';
import type { Contact, DepositAnswer, MockDepositOutcome, MockOpening } from '../domain/channel-deposit';
import type { Money } from '../domain/money';
import type { PayoutAnswer } from '../domain/payout';

/** A payout that a channel is requested to make. */
export interface PayoutRequest extends PayoutQuery {
  /** The channel's own code of the beneficiary's bank. */
  readonly bankCode: string;
  readonly bankBranch: string | null;
  readonly beneficiaryName: string;
  readonly beneficiaryAccount: string;
}

/** Identifies a payout. Its amount and currency reveal an answer about another payout. */
export interface PayoutQuery {
  /** Our reference, unique for ever. */
  readonly reference: string;
  readonly amount: Money;
  readonly currencyCode: string;
}

/** Identifies a deposit. Its amount and currency reveal an answer about another deposit. */
export interface DepositQuery extends PayoutQuery {
  /** Only for a mock channel: what an operator set for this deposit. */
  readonly mockOutcome?: MockDepositOutcome | null;
}

/** A deposit that a channel is requested to take. */
export interface DepositRequest extends DepositQuery {
  readonly contact: Contact;
  /** The managed account that the payer transfers to, if the channel reports on one. */
  readonly account: {
    readonly bankCode: string;
    readonly accountNo: string;
    /** What the payer writes into the memo; null if the amount alone identifies the deposit. */
    readonly remark: string | null;
  } | null;
  readonly expireAt: Date;
}

/** A request to a channel's webhook address. */
export interface Webhook {
  /** By lower-case name; repeated headers are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes. */
  readonly body: Buffer;
  /** The query of the address, after `?`. */
  readonly query?: string;
}

/** The answer that a provider expects to its message. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A channel's own report: a reason to query the channel, not a proof. */
export interface ChannelMessage {
  /** The channel's id of the message; a repetition has the same id. */
  readonly messageId: string;
  readonly reference: string;
  readonly reported: 'ACCEPTED' | 'OPENED' | 'MATCHED' | 'COMPLETED' | 'FAILED' | 'RETURNED';
}

/** A message, or why there is none: not from the channel (`forged`), or not in its form (`malformed`). */
export type WebhookReading =
  | {
      readonly kind: 'message';
      readonly message: ChannelMessage;
      /** For a provider that expects another answer than ours. */
      readonly answer?: WebhookAnswer;
    }
  | { readonly kind: 'forged' | 'malformed'; readonly problem: string };

/** An answer from a channel's list of payouts. NOT_FOUND: it says that it has no payout with this reference. */
export type BookAnswer = PayoutAnswer | { readonly kind: 'NOT_FOUND' };

/** A payout in a channel's list. */
export interface ListedPayout {
  readonly reference: string;
  readonly amount: Money;
  readonly currencyCode: string;
  /** The channel's own status: accepted, completed, failed, returned, refused. */
  readonly status: string;
}

/** The payouts of a channel since a time. NO_LIST: the channel has no such list. */
export type BookList =
  | { readonly kind: 'LISTED'; readonly payouts: readonly ListedPayout[] }
  | { readonly kind: 'NO_LIST' }
  | { readonly kind: 'UNKNOWN'; readonly reason: string };

/** The result of a channel's health check. */
export interface HealthReport {
  readonly health: Exclude<ChannelHealth, 'UNKNOWN'>;
  /** Why it is down. */
  readonly reason: string | null;
}

/**
 * Pays withdrawals and takes deposits. No channel call throws: an unclear result is UNKNOWN. Only an aborted signal
 * throws, and then the outcome of the request is unknown.
 */
export interface Channel {
  /**
   * Why it sends no new order, whatever is asked; null or absent where it does. What it was sent before is still queried.
   */
  readonly stopped?: string | null;
  /** Requests a payout. Call it once: a channel may pay at each request. */
  sendPayout(request: PayoutRequest, signal?: AbortSignal): Promise<PayoutAnswer>;
  /** Queries the outcome of a payout. */
  queryPayout(query: PayoutQuery, signal?: AbortSignal): Promise<PayoutAnswer>;
  /** Queries whether the channel knows a payout. Null: it cannot look payouts up, or cannot have got this one. */
  findPayout(query: PayoutQuery, signal?: AbortSignal): Promise<BookAnswer | null>;
  /** Lists the payouts that it was requested to make at or after a time. Null: it cannot list payouts. */
  listPayouts(since: Date, signal?: AbortSignal): Promise<BookList | null>;
  /** Requests a deposit. Call it once: a channel may open another one at each request. */
  openDeposit(request: DepositRequest, signal?: AbortSignal): Promise<DepositAnswer>;
  /** Queries the state of a deposit. */
  queryDeposit(query: DepositQuery, signal?: AbortSignal): Promise<DepositAnswer>;
  /** The headers that its messages are verified with, in lower case: they are kept beside the bytes. */
  readonly webhookHeaders: readonly string[];
  /**
   * Verifies and reads a request to the channel's webhook address.
   * @param now for its timestamp
   */
  readWebhook(webhook: Webhook, now: Date): WebhookReading;
  /** The balance that the channel holds for us in a currency; null if it does not report it. */
  balance(currencyCode: string, signal?: AbortSignal): Promise<Money | null>;
  health(signal?: AbortSignal): Promise<HealthReport>;
}

/** A stored channel: a mock has an outcome, an HTTP channel an address and a sealed secret. */
export interface StoredChannel {
  readonly id: string;
  readonly mockOutcome: MockOutcome | null;
  readonly mockOpening?: MockOpening | null;
  readonly mockAmounts?: Readonly<Record<string, MockDepositOutcome>> | null;
  readonly baseUrl: string | null;
  readonly keyId: string | null;
  readonly sealedSecret: string | null;
  readonly timeoutSeconds: number;
  /** The channel has a declared mapping instead of our own protocol. */
  readonly mapped?: boolean;
  /** The current mapping, as it is stored. */
  readonly mapping?: unknown;
}
