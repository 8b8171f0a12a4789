import type { Dispatcher } from 'undici';
import type { CallbackAnswer } from '../../domain/callback-verdict';
import { stopwatch } from '../../runtime/stopwatch';
import type { AnswerHead } from './answer-head';
import type { Connection } from './connections';
import { DeadlineError, failure, isOddAnswer } from './failure';
import type { KeptBody } from './kept-body';

export interface Attempt {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Collects the beginning of the receiver's answer. */
  readonly kept: KeptBody;
  /** From now to the last byte that counts: name, connect, TLS, headers and body; milliseconds. */
  readonly timeoutMs: number;
  /** From now until the request goes out: name, connect, TLS; milliseconds. */
  readonly connectMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends one request over a connection. Once a final status has arrived, the receiver has answered, whatever happens to
 * the body, of which only the beginning is read, and, of a notice, whatever its headers look like.
 * @param release called with whether the connection can serve again
 * @throws the signal's reason when aborted before a status
 */
export async function attempt(
  { client, head }: Connection,
  { method, path, headers, body, kept, timeoutMs, connectMs, signal }: Attempt,
  release: (reusable: boolean) => void,
): Promise<CallbackAnswer> {
  const startedAt = performance.now();
  const exchange = new Exchange(kept, head, stopwatch(), connectMs);
  const timer = setTimeout(() => {
    exchange.fail(new DeadlineError(`${exchange.phase} within ${timeoutMs} ms`));
  }, timeoutMs);
  const connecting = setTimeout(() => {
    if (exchange.phase === 'no connection') exchange.fail(new DeadlineError(`no connection within ${connectMs} ms`));
  }, connectMs);
  const abort = (): void => {
    exchange.fail(signal?.reason);
  };
  signal?.addEventListener('abort', abort);
  let reusable = false;
  try {
    client.dispatch({ method, path, headers, body: method === 'GET' ? null : body }, exchange);
    reusable = await exchange.ended;
  } catch (error) {
    if (exchange.status === null && head && isOddAnswer(error, head)) exchange.status = head.status;
    if (exchange.status === null) {
      signal?.throwIfAborted();
      return failure(error);
    }
  } finally {
    clearTimeout(timer);
    clearTimeout(connecting);
    signal?.removeEventListener('abort', abort);
    release(reusable);
  }
  return {
    kind: 'answered',
    status: exchange.status ?? 0,
    body: kept.text(),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

/** One request and its answer, as undici reports them. The first ending counts. */
class Exchange implements Dispatcher.DispatchHandler {
  status: number | null = null;
  phase: 'no connection' | 'no answer' = 'no connection';
  /** Resolves to whether the connection can be reused; rejects with the error that ended the exchange. */
  readonly ended: Promise<boolean>;
  #end: (reusable: boolean) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  /** @param head starts over when the request goes out @param connectMs nothing goes out later, by the clock */
  constructor(
    private readonly kept: KeptBody,
    private readonly head: AnswerHead | null,
    private readonly sinceStart: () => number,
    private readonly connectMs: number,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
  }

  fail(error: unknown): void {
    this.#fail(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The timers are late if the process stood still meanwhile: the connection may be there before they run.
    if (this.sinceStart() > this.connectMs) {
      controller.abort(new DeadlineError(`no connection within ${this.connectMs} ms`));
      return;
    }
    this.phase = 'no answer';
    this.head?.reset();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    // 1xx only announces the answer.
    if (status >= 200) this.status = status;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.kept.add(chunk)) this.#end(false);
  }

  onResponseEnd(): void {
    this.#end(true);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }
}
