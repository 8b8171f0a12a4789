import type { ChannelHealth, MockOutcome } from '../domain/channel';
import type {
  Contact,
  DepositAnswer,
  MockDepositOutcome,
  MockOpening,
} from '../domain/channel-deposit';
import type { Money } from '../domain/money';
import type { PayoutAnswer } from '../domain/payout';

/** A payout that a channel is asked to make. */
export interface PayoutRequest extends PayoutQuery {
  /** The channel's own code of the beneficiary's bank. */
  readonly bankCode: string;
  readonly bankBranch: string | null;
  readonly beneficiaryName: string;
  readonly beneficiaryAccount: string;
}

/** Names a payout. Its amount and currency reveal an answer about another payout. */
export interface PayoutQuery {
  /** Our reference, unique for ever. */
  readonly reference: string;
  readonly amount: Money;
  readonly currencyCode: string;
}

/** Names a deposit. Its amount and currency reveal an answer about another deposit. */
export interface DepositQuery extends PayoutQuery {
  /** Of a mock channel: what an operator set for this deposit. */
  readonly mockOutcome?: MockDepositOutcome | null;
}

/** A deposit that a channel is asked to take. */
export interface DepositRequest extends DepositQuery {
  readonly contact: Contact;
  /** The managed account that the payer transfers to, where the channel reports on one. */
  readonly account: {
    readonly bankCode: string;
    readonly accountNo: string;
    /** What the payer writes into the memo; null where the amount alone tells. */
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
  /** What followed `?` in the address. */
  readonly query?: string;
}

/** What a provider takes for a receipt of its message. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A channel's own report: a reason to ask the channel, not a proof. */
export interface ChannelMessage {
  /** The channel's id of the message; a repetition has the same. */
  readonly messageId: string;
  readonly reference: string;
  readonly reported: 'ACCEPTED' | 'OPENED' | 'MATCHED' | 'COMPLETED' | 'FAILED' | 'RETURNED';
}

/** A message, or why there is none: not from the channel (`forged`), or not in its form (`malformed`). */
export type WebhookReading =
  | {
      readonly kind: 'message';
      readonly message: ChannelMessage;
      /** Of a provider that wants another receipt than ours. */
      readonly answer?: WebhookAnswer;
    }
  | { readonly kind: 'forged' | 'malformed'; readonly problem: string };

/** An answer from a channel's book. NOT_FOUND: it says that it has no payout of this reference. */
export type BookAnswer = PayoutAnswer | { readonly kind: 'NOT_FOUND' };

/** A payout in a channel's list of its book. */
export interface ListedPayout {
  readonly reference: string;
  readonly amount: Money;
  readonly currencyCode: string;
  /** The channel's own word: accepted, completed, failed, returned, refused. */
  readonly status: string;
}

/** What a channel's book has since a time. NO_LIST: the channel has no such list. */
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
 * A way to pay out and to take deposits. No channel call throws: an unclear result is UNKNOWN. Only an aborted signal throws, and then the
 * outcome of the request is unknown.
 */
export interface Channel {
  /** Asks for a payout, once: a channel may pay each time that it is asked. */
  sendPayout(request: PayoutRequest, signal?: AbortSignal): Promise<PayoutAnswer>;
  /** Asks for the outcome of a payout. */
  queryPayout(query: PayoutQuery, signal?: AbortSignal): Promise<PayoutAnswer>;
  /** Asks whether the channel knows a payout. Null: it keeps no book, and cannot say. */
  findPayout(query: PayoutQuery, signal?: AbortSignal): Promise<BookAnswer | null>;
  /** Lists the payouts that it was asked for at or after a time. Null: it keeps no book. */
  listPayouts(since: Date, signal?: AbortSignal): Promise<BookList | null>;
  /** Asks it to take a deposit, once: a channel may open another each time that it is asked. */
  openDeposit(request: DepositRequest, signal?: AbortSignal): Promise<DepositAnswer>;
  /** Asks how a deposit stands. */
  queryDeposit(query: DepositQuery, signal?: AbortSignal): Promise<DepositAnswer>;
  /** The headers that its messages are verified by, in lower case: they are kept beside the bytes. */
  readonly webhookHeaders: readonly string[];
  /**
   * Verifies and reads a request to the channel's webhook address.
   * @param now for its timestamp
   */
  readWebhook(webhook: Webhook, now: Date): WebhookReading;
  /** The balance that the channel holds for us in a currency; null where it does not say. */
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
  /** It speaks by a declared mapping, not by our own protocol. */
  readonly mapped?: boolean;
  /** The mapping in force, as it is stored. */
  readonly mapping?: unknown;
}
