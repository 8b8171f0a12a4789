/**
 * The steps between "request read" and "callback recorded", in the order in which a deposit passes them, and the role
 * whose process does. At each one a test may end the process: what was promised before must come true after.
 * `npm run chaos` fails where one of them was never passed, so a new capability names its steps here.
 */
export const FAILPOINTS = {
  /** A merchant's request is here whole and parsed; nobody has been asked whose it is. */
  'request.read': 'gateway',
  /** Its signature holds. */
  'request.authenticated': 'gateway',
  /** An account is chosen; nothing is written. */
  'deposit.routed': 'gateway',
  /** The order, its number, event and outbox row are about to be written. */
  'deposit.committing': 'gateway',
  /** They are; the merchant does not know. */
  'deposit.committed': 'gateway',
  /** The answer is ready, not a byte of it sent. */
  'deposit.answering': 'gateway',
  /** The answer is sent. */
  'deposit.answered': 'gateway',

  /** An outbox row is this relay's for as long as its lease lasts; Temporal has heard nothing. */
  'outbox.claimed': 'worker',
  /** The workflow is started or woken; the row is still there. */
  'outbox.told': 'worker',
  /** The rows that Temporal took are gone. */
  'outbox.deleted': 'worker',

  /** A bank notification is here whole and parsed. */
  'notification.read': 'gateway',
  /** Its signature holds and its nonce is used up. */
  'notification.authenticated': 'gateway',
  /** What is to become of the transfer is known; nothing is written. */
  'transfer.judged': 'gateway',
  /** It is recorded, posted and matched; the agent does not know. */
  'transfer.committed': 'gateway',
  /** The answer to the agent is ready, not a byte of it sent. */
  'notification.answering': 'gateway',
  /** The answer to the agent is sent. */
  'notification.answered': 'gateway',

  /** The workflow's activity has read the deposit. */
  'settle.read': 'worker',
  /** It is MATCHED and is about to be credited. */
  'settle.crediting': 'worker',
  /** It is credited; the workflow does not know. */
  'settle.credited': 'worker',

  /** A deposit whose time may have come is read. */
  'expire.read': 'worker',
  /** It is EXPIRED, or something else came first; the workflow does not know. */
  'expire.expired': 'worker',

  /** A callback that has not ended is read; no attempt is counted. */
  'callback.read': 'worker',
  /** The attempt is counted and leased. */
  'callback.claimed': 'worker',
  /** The request is about to be sent. */
  'callback.sending': 'worker',
  /** The merchant has answered, or not in time; nothing of it is recorded. */
  'callback.answered': 'worker',
  /** The outcome is recorded; Temporal does not know. */
  'callback.recorded': 'worker',
} as const satisfies Record<string, 'gateway' | 'worker'>;

/** The steps of payouts, which the campaign `payouts` kills at; orders of deposits pass none of them. */
export const PAYOUT_FAILPOINTS = {
  /** An approved withdrawal looks for a channel; nothing is written. */
  'payout.routing': 'worker',
  /** A try is prepared and about to be marked. */
  'payout.read': 'worker',
  /** It is marked as sent; nothing was sent. */
  'payout.marked': 'worker',
  /** The channel has answered, or not in time; nothing of it is recorded. */
  'payout.answered': 'worker',
  /** What followed is recorded; Temporal does not know. */
  'payout.recorded': 'worker',
  /** The channel is about to be asked. */
  'payout.asking': 'worker',
  /** It was asked; nothing of what it said is recorded. */
  'payout.asked': 'worker',
  /** What followed is recorded; Temporal does not know. */
  'payout.followed': 'worker',
} as const satisfies Record<string, 'gateway' | 'worker'>;

/** The name of a step. */
export type Failpoint = keyof typeof FAILPOINTS | keyof typeof PAYOUT_FAILPOINTS;

/** What is told of each step that is passed, and may end the process there. */
export interface Armed {
  hit(name: Failpoint, key: string | undefined): Promise<void>;
}

let armed: Armed | undefined;

/** For a sandbox whose failures are rehearsed; every other process passes its steps without a look. */
export function armFailpoints(by: Armed | undefined): void {
  armed = by;
}

/**
 * Marks a step. It costs one look at a variable unless failpoints are armed.
 * @param key names what passes it: the merchant's number of a create, the bank's reference of a notification, the
 * gateway's number of an order, the id of a workflow
 */
export const failpoint = (name: Failpoint, key?: string | null): Promise<void> | undefined =>
  armed?.hit(name, key ?? undefined);
