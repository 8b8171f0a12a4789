import { checkCallbackUrl, isHostAllowed, type TargetPolicy } from '../../domain/callback-target';
import type { BlockedReason, CallbackAnswer } from '../../domain/callback-verdict';
import { stopwatch } from '../../runtime/stopwatch';
import { traced, type TracedReceiver, traceparentFor } from '../../runtime/tracing';
import { attempt } from './attempt';
import { type Connection, Connections } from './connections';
import { KEPT_BYTES, KeptBody } from './kept-body';
import { dnsLookup, type Lookup } from './lookup';

/** How a sender treats every receiver. */
export interface CallbackSenderOptions {
  /** Setting webhook_ssl_verify; false accepts any certificate and is refused in production. */
  readonly webhookSslVerify: boolean;
  /** Resolves names to addresses; by default through the system's name servers. */
  readonly lookup?: Lookup;
  /** Certificate authorities to trust besides the public ones, PEM. */
  readonly ca?: readonly string[];
}

/** One attempt, ready to be sent. */
export interface CallbackRequest {
  readonly url: string;
  /** By default POST. */
  readonly method?: 'GET' | 'POST';
  /** All but Host and Content-Length, which the sender adds. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as these UTF-8 bytes. */
  readonly body: string;
  /** The whole attempt, milliseconds (contract, "Callback request": 10 s by default). */
  readonly timeoutMs: number;
  /**
   * From the start until the request is sent, milliseconds: look-up, connect and TLS. By default as long as the
   * attempt.
   */
  readonly connectMs?: number;
  /** How much of the answer is kept, bytes; by default as much as a callback's row keeps. */
  readonly keepBytes?: number;
  /**
   * True for what is only acknowledged, and may come twice: an answer counts by its status line, and a kept connection
   * that closed without a byte of an answer is replaced at once, once. Never for channels: their answers are read in
   * full, and their requests may move money.
   */
  readonly notice?: boolean;
  readonly policy: TargetPolicy;
  /** Who gets our `traceparent`, if the deployment's settings name it (TRACEPARENT_TO). */
  readonly tracedFor?: TracedReceiver;
}

/** Sends callbacks to merchants' servers, and requests to channels. */
export interface CallbackSender {
  /**
   * Makes one attempt. Follows no redirects and uses no proxy.
   * @throws the signal's reason, or if the sender is closed or the request cannot be built; never for what a receiver
   * does
   */
  post(request: CallbackRequest, signal?: AbortSignal): Promise<CallbackAnswer>;
  /** Ends every connection at once. Attempts in flight reject. */
  close(): void;
}

/** Some firewalls answer 403 to requests without these, and a 403 ends a delivery. */
const COURTESY = { accept: '*/*', 'user-agent': 'Causeway' };

/** Contract, "Authentication": masked wherever they might be logged or stored. */
const SECRET_HEADERS = ['x-api-key', 'x-signature'];

/** The sender of callbacks (contract, "Callback request" and "Acknowledgement and retries"). */
export function createCallbackSender(options: CallbackSenderOptions): CallbackSender {
  const connections = new Connections({
    verifyTls: options.webhookSslVerify,
    lookup: options.lookup ?? dnsLookup(),
    ca: options.ca ?? [],
  });
  return {
    async post(request, signal) {
      const { url, method = 'POST', headers, body, timeoutMs, policy } = request;
      const { connectMs = timeoutMs, keepBytes = KEPT_BYTES, tracedFor, notice } = request;
      signal?.throwIfAborted();
      // Checked at each attempt: the merchant's settings may have changed since the order was created.
      const reason = refusal(url, policy);
      if (reason !== null) return { kind: 'blocked', reason };
      const { origin, pathname, search } = new URL(url);
      const kept = new KeptBody(secretsIn(headers), keepBytes);
      const path = pathname + search;
      const words = () =>
        ({
          name: `${method} outside`,
          kind: 'client',
          attributes: { 'url.origin': origin },
        }) as const;
      /** @param spentMs of the attempt's time */
      const send = async (connection: Connection, spentMs: number): Promise<CallbackAnswer> =>
        await attempt(
          connection,
          {
            method,
            path,
            body,
            headers: { ...COURTESY, ...headers, ...traceparentFor(tracedFor) },
            kept,
            timeoutMs: timeoutMs - spentMs,
            connectMs: Math.min(connectMs, timeoutMs - spentMs),
            signal,
          },
          (reusable) => {
            if (reusable) connections.giveBack(connection);
            else connections.end(connection);
          },
        );
      return await traced(words, async () => {
        const spent = stopwatch();
        const use = { notices: notice === true };
        const connection = connections.take(origin, policy, use);
        const answer = await send(connection, 0);
        const spentMs = Math.round(spent());
        if (!closedUnasked(connection, answer) || spentMs >= timeoutMs) return answer;
        const again = await send(connections.take(origin, policy, { ...use, afresh: true }), spentMs);
        return again.kind === 'answered' ? { ...again, durationMs: again.durationMs + spentMs } : again;
      });
    },
    close() {
      connections.close();
    },
  };
}

/** Whether the receiver had closed a kept connection for notices, without a byte of an answer. */
const closedUnasked = ({ head, reused }: Connection, answer: CallbackAnswer): boolean =>
  reused && head?.began === false && answer.kind === 'unreachable' && answer.reason === 'reset';

function refusal(url: string, policy: TargetPolicy): BlockedReason | null {
  const problem = checkCallbackUrl(url, policy);
  if (problem !== 'ok') return problem;
  return isHostAllowed(new URL(url).hostname, policy) ? null : 'host_not_allowed';
}

const secretsIn = (headers: CallbackRequest['headers']): string[] =>
  Object.entries(headers)
    .filter(([name]) => SECRET_HEADERS.includes(name.toLowerCase()))
    .map(([, value]) => value);
