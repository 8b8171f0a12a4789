import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** What a span says of itself. Never an amount, a name, an account or a key. */
export interface SpanWords {
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
}

/** A span that has ended, as the exporter takes it. Times in milliseconds since 1970. */
export interface EndedSpan extends SpanWords {
  readonly traceId: string;
  readonly spanId: string;
  /** Null: the first of its trace. */
  readonly parentSpanId: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
}

/** OpenTelemetry's numbers of them. */
export const KINDS = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;

/** Where ended spans go. */
export interface SpanSink {
  add(span: EndedSpan): void;
}

/** Where in which trace work is done. */
interface Place {
  readonly traceId: string;
  readonly spanId: string;
}

/** Ids as W3C's traceparent has them; the trace id is the one of the request (newTraceId). */
const TRACE_ID = /^[0-9a-f]{32}$/;
const SHARES = 2 ** 32;

const places = new AsyncLocalStorage<Place>();
let sink: SpanSink | null = null;
let share = SHARES;

/**
 * From now on spans go to the sink; without this call none is made, and nothing is kept. Call before databases are opened.
 * @param ratio which share of the traces is kept, 0 to 1; every process keeps the same ones
 * @returns ends it
 */
export function startTracing(to: SpanSink, ratio = 1): () => void {
  sink = to;
  share = ratio * SHARES;
  return () => {
    sink = null;
  };
}

export const isTracing = (): boolean => sink !== null;

const isKept = (traceId: string): boolean =>
  TRACE_ID.test(traceId) && parseInt(traceId.slice(24), 16) < share;

/** The first span of a trace. Made from the trace id, so that every process knows it without being sent it. */
const rootOf = (traceId: string): Place => ({ traceId, spanId: traceId.slice(0, 16) });

const nowMs = (): number => performance.timeOrigin + performance.now();

const below = ({ traceId }: Place): Place => ({
  traceId,
  spanId: randomBytes(8).toString('hex'),
});

async function run<Result>(
  to: SpanSink,
  place: Place,
  parentSpanId: string | null,
  words: SpanWords,
  work: () => Promise<Result>,
): Promise<Result> {
  const startMs = nowMs();
  let failed = true;
  try {
    const result = await places.run(place, work);
    failed = false;
    return result;
  } finally {
    to.add({ ...words, ...place, parentSpanId, startMs, endMs: nowMs(), failed });
  }
}

/** Does work as a span of the trace, below its first span. @param traceId undefined: of none */
export function inTrace<Result>(
  traceId: string | undefined,
  words: () => SpanWords,
  work: () => Promise<Result>,
): Promise<Result> {
  if (sink === null || traceId === undefined || !isKept(traceId)) return work();
  const root = rootOf(traceId);
  return run(sink, below(root), root.spanId, words(), work);
}

/** Does work as the first span of a trace. */
export function asRoot<Result>(
  traceId: string,
  words: () => SpanWords,
  work: () => Promise<Result>,
): Promise<Result> {
  if (sink === null || !isKept(traceId)) return work();
  return run(sink, rootOf(traceId), null, words(), work);
}

/** Does work as a span below the current one; outside of any trace it is just done. */
export function traced<Result>(
  words: () => SpanWords,
  work: () => Promise<Result>,
): Promise<Result> {
  if (sink === null) return work();
  const place = places.getStore();
  return place === undefined ? work() : run(sink, below(place), place.spanId, words(), work);
}

/** Notes the first span of a trace, when it has ended. @param ms how long it took */
export function rootEnded(
  traceId: string,
  words: () => SpanWords,
  ms: number,
  failed: boolean,
): void {
  if (sink === null || !isKept(traceId)) return;
  const endMs = nowMs();
  const ended = { parentSpanId: null, startMs: endMs - ms, endMs, failed };
  sink.add({ ...words(), ...rootOf(traceId), ...ended });
}
