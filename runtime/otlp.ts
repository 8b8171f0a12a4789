import { type EndedSpan, KINDS, type SpanSink } from './tracing';

/** Where spans are sent. */
export interface OtlpTarget {
  /** The collector's address for OTLP over HTTP, such as http://collector:4318. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The service's name. */
  readonly service: string;
  /** Called when spans are lost, with their number. */
  readonly onLost: (spans: number) => void;
}

/** Spans that wait for the next sending; beyond that they are lost. A dead collector costs no more memory. */
const MOST_WAITING = 4_096;
/** Spans of one request. */
const BATCH = 512;
const EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;

const nanos = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

const attributesOf = (attributes: EndedSpan['attributes'] = {}) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [
          {
            key,
            value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
          },
        ],
  );

/** OTLP's JSON of a span. */
const spanOf = (span: EndedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId !== null && { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanos(span.startMs),
  endTimeUnixNano: nanos(span.endMs),
  attributes: attributesOf(span.attributes),
  ...(span.link && { links: [span.link] }),
  status: span.failed ? { code: 2 } : {},
});

/** Sends spans to an OpenTelemetry collector, by OTLP over HTTP in JSON, each second. */
export class OtlpExporter implements SpanSink {
  private waiting: EndedSpan[] = [];
  private sending: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly target: OtlpTarget) {
    this.timer = setInterval(() => {
      this.send();
    }, EVERY_MS).unref();
  }

  add(span: EndedSpan): void {
    if (this.waiting.length >= MOST_WAITING) this.target.onLost(1);
    else this.waiting.push(span);
  }

  /** Sends the waiting spans, and ends. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.sending;
    this.send();
    await this.sending;
  }

  private send(): void {
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined;
    });
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, BATCH);
      this.waiting = this.waiting.slice(BATCH);
      try {
        await this.post(batch);
      } catch {
        // A failure neither delays anything nor fills the log: the metric counts it.
        this.target.onLost(batch.length);
      }
    }
  }

  /** @throws if the collector does not take them */
  private async post(spans: readonly EndedSpan[]): Promise<void> {
    const { endpoint, headers, service } = this.target;
    const response = await fetch(`${endpoint.replace(/\/$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: attributesOf({ 'service.name': service }) },
            scopeSpans: [{ scope: { name: 'causeway' }, spans: spans.map(spanOf) }],
          },
        ],
      }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
  }
}
