/**
 * The steps from "request read" to "callback recorded", in the order in which a deposit passes them, and the role that
 * runs each. A test may kill the process at any of them: what was promised before must still hold afterwards.
 * `npm run chaos` fails if a step was never passed, so every new capability adds its steps here.
 */
export const FAILPOINTS = {
  /** A merchant's request is read and parsed; its sender is not yet looked up. */
  'request.read': 'gateway',
  /** The signature is valid. */
  'request.authenticated': 'gateway',
  /** An account is chosen; nothing is written. */
  'deposit.routed': 'gateway',
  /** The order, its number, event and outbox row are about to be committed. */
  'deposit.committing': 'gateway',
  /** They are committed; the merchant does not know. */
  'deposit.committed': 'gateway',
  /** The answer is ready, and no byte of it is sent. */
  'deposit.answering': 'gateway',
  /** The answer is sent. */
  'deposit.answered': 'gateway',

  /** This relay holds the lease on an outbox row; Temporal knows nothing yet. */
  'outbox.claimed': 'worker',
  /** The workflow is started or woken; the row still exists. */
  'outbox.signalled': 'worker',
  /** The rows that Temporal accepted are deleted. */
  'outbox.deleted': 'worker',

  /** A bank notification is read and parsed. */
  'notification.read': 'gateway',
  /** The signature is valid and the nonce is used. */
  'notification.authenticated': 'gateway',
  /** The verdict on the bank credit is known; nothing is written. */
  'transfer.judged': 'gateway',
  /** The bank credit is recorded, posted and matched; the agent does not know. */
  'transfer.committed': 'gateway',
  /** The answer to the agent is ready, and no byte of it is sent. */
  'notification.answering': 'gateway',
  /** The answer to the agent is sent. */
  'notification.answered': 'gateway',

  /** The workflow's activity has read the deposit. */
  'settle.read': 'worker',
  /** The deposit is MATCHED and about to be credited. */
  'settle.crediting': 'worker',
  /** It is credited; the workflow does not know. */
  'settle.credited': 'worker',

  /** A deposit that may have expired is read. */
  'expire.read': 'worker',
  /** It is EXPIRED, or reached another state first; the workflow does not know. */
  'expire.expired': 'worker',

  /** An unfinished callback is read; no attempt is counted. */
  'callback.read': 'worker',
  /** The attempt is counted and leased. */
  'callback.claimed': 'worker',
  /** The request is about to be sent. */
  'callback.sending': 'worker',
  /** The merchant has answered or timed out; nothing is recorded. */
  'callback.answered': 'worker',
  /** The outcome is recorded; Temporal does not know. */
  'callback.recorded': 'worker',
} as const satisfies Record<string, 'gateway' | 'worker'>;

/** The steps of payouts, at which the campaign `payouts` kills; deposits pass none of these. */
export const PAYOUT_FAILPOINTS = {
  /** An approved withdrawal looks for a channel; nothing is written. */
  'payout.routing': 'worker',
  /** An attempt is prepared and about to be marked as sent. */
  'payout.read': 'worker',
  /** It is marked as sent; nothing was sent. */
  'payout.marked': 'worker',
  /** The channel has answered or timed out; nothing is recorded. */
  'payout.answered': 'worker',
  /** The verdict is recorded; Temporal does not know. */
  'payout.recorded': 'worker',
  /** The channel is about to be queried. */
  'payout.asking': 'worker',
  /** It has answered; nothing is recorded. */
  'payout.asked': 'worker',
  /** The verdict is recorded; Temporal does not know. */
  'payout.followed': 'worker',
} as const satisfies Record<string, 'gateway' | 'worker'>;

/** The steps of deposits at channels, at which the campaign `channels` kills; other deposits pass none of these. */
export const CHANNEL_DEPOSIT_FAILPOINTS = {
  /** A deposit looks for a channel; nothing is written. */
  'channel.routing': 'worker',
  /** A try is marked as sent; nothing was sent. */
  'channel.marked': 'worker',
  /** The channel has answered the opening or timed out; nothing is recorded. */
  'channel.answered': 'worker',
  /** The verdict is recorded; Temporal does not know. */
  'channel.recorded': 'worker',
  /** The channel has answered a query; nothing is recorded. */
  'channel.asked': 'worker',
  /** The deposit is paid and about to be credited. */
  'channel.crediting': 'worker',
  /** It is credited; the workflow does not know. */
  'channel.credited': 'worker',
} as const satisfies Record<string, 'gateway' | 'worker'>;

/** The name of a step. */
export type Failpoint =
  keyof typeof FAILPOINTS | keyof typeof PAYOUT_FAILPOINTS | keyof typeof CHANNEL_DEPOSIT_FAILPOINTS;

/** Called at each step that is passed; may kill the process there. */
export interface Armed {
  hit(name: Failpoint, key: string | undefined): Promise<void>;
}

let armed: Armed | undefined;

/** Arms the failpoints of a sandbox that rehearses failures; in every other process they do nothing. */
export function armFailpoints(by: Armed | undefined): void {
  armed = by;
}

/**
 * Marks a step. Unless failpoints are armed, it only reads a variable.
 * @param key names what passes the step: the merchant's number of a create, the bank's reference of a notification, the
 * gateway's number of an order, the id of a workflow
 */
export const failpoint = (name: Failpoint, key?: string | null): Promise<void> | undefined =>
  armed?.hit(name, key ?? undefined);
