import type { ChannelHealth, MockOutcome } from '../domain/channel';
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

/** Names a payout; its money lets an answer about another one be noticed. */
export interface PayoutQuery {
  /** Ours, unique for ever. */
  readonly reference: string;
  readonly amount: Money;
  readonly currencyCode: string;
}

/** What came to a channel's webhook address. */
export interface Webhook {
  /** By lower-case name; one that came twice is not there. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes. */
  readonly body: Buffer;
}

/** What a channel tells of its own accord: a reason to ask it, not a proof. */
export interface ChannelMessage {
  /** The channel's name of the message: sent again, it is the same. */
  readonly messageId: string;
  readonly reference: string;
  readonly told: 'ACCEPTED' | 'COMPLETED' | 'FAILED' | 'RETURNED';
}

/** A message, or why it is none: not from the channel (`forged`), or not in its form (`malformed`). */
export type WebhookReading =
  | { readonly kind: 'message'; readonly message: ChannelMessage }
  | { readonly kind: 'forged' | 'malformed'; readonly problem: string };

/** What a check of a channel found. */
export interface HealthReport {
  readonly health: Exclude<ChannelHealth, 'UNKNOWN'>;
  /** Why it is down. */
  readonly reason: string | null;
}

/**
 * A way to pay out. Nothing that a channel does throws: what is not clear is UNKNOWN. A signal that is aborted does,
 * and then it is not known what became of the request.
 */
export interface Channel {
  /** Asks for a payout, once: a channel may pay each time that it is asked. */
  sendPayout(request: PayoutRequest, signal?: AbortSignal): Promise<PayoutAnswer>;
  /** Asks what became of one. */
  queryPayout(query: PayoutQuery, signal?: AbortSignal): Promise<PayoutAnswer>;
  /** Verifies and reads what came to its webhook address. @param now for its timestamp */
  readWebhook(webhook: Webhook, now: Date): WebhookReading;
  /** What it holds for us in a currency; null where it does not say. */
  balance(currencyCode: string, signal?: AbortSignal): Promise<Money | null>;
  health(signal?: AbortSignal): Promise<HealthReport>;
}

/** A channel as it is kept: a mock has an outcome, an HTTP channel an address and a sealed secret. */
export interface StoredChannel {
  readonly id: string;
  readonly mockOutcome: MockOutcome | null;
  readonly baseUrl: string | null;
  readonly keyId: string | null;
  readonly sealedSecret: string | null;
  readonly timeoutSeconds: number;
}
