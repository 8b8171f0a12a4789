import type { CallbackAnswer } from '../domain/callback-verdict';

/** Sends to a channel, protected against addresses of our own network like callbacks. */
export type Post = (
  request: {
    readonly url: string;
    /** By default POST. */
    readonly method?: 'GET' | 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly timeoutMs: number;
  },
  signal?: AbortSignal,
) => Promise<CallbackAnswer>;

/** The dependencies of HTTP channels. */
export interface HttpChannelDeps {
  readonly post: Post;
  readonly clock: () => Date;
}

/** Failures before any byte of the request was sent. */
const NEVER_SENT: ReadonlySet<string> = new Set(['refused', 'dns']);

/** Whether no byte of the request can have arrived. */
export const isNeverSent = (answer: CallbackAnswer): boolean =>
  answer.kind === 'blocked' || (answer.kind === 'unreachable' && NEVER_SENT.has(answer.reason));

/** Why an answer is ignored, whatever it says; null if it counts. A refusal is in the body, whatever the status. */
export function problemOf(answer: CallbackAnswer): string | null {
  if (answer.kind === 'blocked') return `address refused: ${answer.reason}`;
  if (answer.kind === 'unreachable') return `no answer: ${answer.reason}`;
  return answer.status >= 500 || answer.status < 200 ? `HTTP ${answer.status}` : null;
}

/** The longest texts accepted from a channel, and the longest address of a payment page. */
export const MOST_TEXT = 128;
export const MOST_URL = 2_048;
