import type { CallbackUrlProblem } from './callback-target';

/** Why a target was refused before a socket was opened. */
export type BlockedReason = CallbackUrlProblem | 'host_not_allowed' | 'address_not_allowed';

/** Why no complete status line and headers came back. */
export type UnreachableReason = 'timeout' | 'dns' | 'tls' | 'refused' | 'reset' | 'protocol' | 'network';

/**
 * The result of one attempt to deliver a callback. `answered`: the receiver's status arrived, whatever became of the
 * body, and of a callback's headers; `body` is its beginning as text; `durationMs` is milliseconds. `detail` is for people
 * and holds no secret.
 */
export type CallbackAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: string;
      readonly durationMs: number;
    }
  | { readonly kind: 'blocked'; readonly reason: BlockedReason }
  | { readonly kind: 'unreachable'; readonly reason: UnreachableReason; readonly detail: string };

/** What an attempt means for the delivery: acknowledged, ended, or to be retried. */
export type CallbackVerdict = 'SUCCESS' | 'FAILED' | 'RETRY';

/**
 * What an answer means for the delivery (contract, "Acknowledgement and retries"): any 2xx acknowledges it; 3xx, 4xx
 * and a blocked target end it; everything else is retried.
 */
export function verdict(answer: CallbackAnswer): CallbackVerdict {
  switch (answer.kind) {
    case 'blocked':
      return 'FAILED';
    case 'unreachable':
      return 'RETRY';
    case 'answered':
      if (answer.status >= 200 && answer.status < 300) return 'SUCCESS';
      return answer.status >= 300 && answer.status < 500 ? 'FAILED' : 'RETRY';
  }
}
