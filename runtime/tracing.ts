import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** The attributes of a span. Never an amount, a name, an account or a key. */
export interface SpanWords {
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  /** The span of another trace that caused this one. */
  readonly link?: Place;
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

/** A span of a trace. */
export interface Place {
  readonly traceId: string;
  readonly spanId: string;
}

/** Receivers that may get our `traceparent`. */
export const TRACED_RECEIVERS = ['channels', 'merchants'] as const;
/** One of TRACED_RECEIVERS. */
export type TracedReceiver = (typeof TRACED_RECEIVERS)[number];

/** What of traces crosses our border, as `traceparent` (W3C Trace Context). */
export interface Propagation {
  /** A request is linked to the span that its caller names. */
  readonly fromCallers: boolean;
  /** Who gets the span of our request. */
  readonly to: readonly TracedReceiver[];
}

/** Ids as in W3C's traceparent; the trace id is that of the request (newTraceId). */
const TRACE_ID = /^[0-9a-f]{32}$/;
const SHARES = 2 ** 32;
/** Ids of zeros and version ff are invalid; only versions after 00 may have more fields. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const NO_PROPAGATION: Propagation = { fromCallers: false, to: [] };

const places = new AsyncLocalStorage<Place>();
let sink: SpanSink | null = null;
let share = SHARES;
let propagated = NO_PROPAGATION;

/**
 * From now on spans go to the sink; without this call none is made. Call before databases are opened.
 * @param ratio the share of traces to keep, 0 to 1; every process keeps the same ones
 * @returns ends it
 */
export function startTracing(to: SpanSink, ratio = 1, propagation: Propagation = NO_PROPAGATION): () => void {
  sink = to;
  share = ratio * SHARES;
  propagated = propagation;
  return () => {
    sink = null;
  };
}

export const isTracing = (): boolean => sink !== null;

const isKept = (traceId: string): boolean => TRACE_ID.test(traceId) && parseInt(traceId.slice(24), 16) < share;

/** The first span of a trace. Derived from the trace id, so that every process knows it. */
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

/** Runs work as a span of the trace, below its first span. @param traceId undefined: no trace */
export function inTrace<Result>(
  traceId: string | undefined,
  words: () => SpanWords,
  work: () => Promise<Result>,
): Promise<Result> {
  if (sink === null || traceId === undefined || !isKept(traceId)) return work();
  const root = rootOf(traceId);
  return run(sink, below(root), root.spanId, words(), work);
}

/** Runs work as the first span of a trace. */
export function asRoot<Result>(traceId: string, words: () => SpanWords, work: () => Promise<Result>): Promise<Result> {
  if (sink === null || !isKept(traceId)) return work();
  return run(sink, rootOf(traceId), null, words(), work);
}

/** Runs work as a span below the current one; outside of a trace it just runs. */
export function traced<Result>(words: () => SpanWords, work: () => Promise<Result>): Promise<Result> {
  if (sink === null) return work();
  const place = places.getStore();
  return place === undefined ? work() : run(sink, below(place), place.spanId, words(), work);
}

/** Records the first span of a trace, after its end. @param ms its duration */
export function rootEnded(traceId: string, words: () => SpanWords, ms: number, failed: boolean): void {
  if (sink === null || !isKept(traceId)) return;
  const endMs = nowMs();
  const ended = { parentSpanId: null, startMs: endMs - ms, endMs, failed };
  sink.add({ ...words(), ...rootOf(traceId), ...ended });
}

/**
 * The span that a caller names, to link ours to it; undefined if none is accepted, or it is invalid. The caller's trace
 * never becomes ours: one trace id would then name several requests, and a stranger could choose it.
 * @param traceparent the header
 */
export function callerOf(traceparent: string | string[] | undefined): Place | undefined {
  if (sink === null || !propagated.fromCallers || typeof traceparent !== 'string') return undefined;
  const [, version, traceId, spanId, more] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return version === '00' && more !== undefined ? undefined : { traceId, spanId };
}

/** The header that names the current span to a receiver; none outside of a trace, or if the receiver gets none. */
export function traceparentFor(receiver: TracedReceiver | undefined): Readonly<Record<string, string>> {
  const place = places.getStore();
  if (sink === null || place === undefined) return {};
  if (receiver === undefined || !propagated.to.includes(receiver)) return {};
  return { traceparent: `00-${place.traceId}-${place.spanId}-01` };
}
