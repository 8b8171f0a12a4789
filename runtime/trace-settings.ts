import { Type } from 'typebox';
import { type Propagation, TRACED_RECEIVERS, type TracedReceiver } from './tracing';

/** The settings of traces, by OpenTelemetry's own names. */
export const TRACE_SETTINGS = {
  /** A collector's address for OTLP over HTTP, such as http://collector:4318. Without it no trace is made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Headers for the collector: `name=value`, comma-separated. */
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(Type.String({ minLength: 1 })),
  /** The share of traces to keep, 0 to 1. Every process keeps the same ones. */
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ minimum: 0, maximum: 1, default: 1 }),
  /**
   * Whether a request's trace is linked to the span that the caller's `traceparent` (W3C) names. Only where proxies set
   * that header or remove a stranger's.
   */
  TRACEPARENT_FROM_CALLERS: Type.Boolean({ default: false }),
  /** Who gets our `traceparent` with each request: channels, merchants, comma-separated. By default nobody. */
  TRACEPARENT_TO: Type.Optional(Type.String({ minLength: 1 })),
};

/** The settings, as read. */
interface Given {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
  readonly TRACEPARENT_FROM_CALLERS: boolean;
  readonly TRACEPARENT_TO?: string;
}

/** Where traces go; null: none is made. */
export interface TraceSettings {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ratio: number;
  readonly propagation: Propagation;
}

const isReceiver = (name: string): name is TracedReceiver => (TRACED_RECEIVERS as readonly string[]).includes(name);

/** @throws if one is unknown */
function receiversOf(text: string | undefined): readonly TracedReceiver[] {
  return (text?.split(',') ?? []).map((name) => {
    const receiver = name.trim();
    if (!isReceiver(receiver))
      throw new Error(`TRACEPARENT_TO must be of ${TRACED_RECEIVERS.join(', ')}, comma-separated`);
    return receiver;
  });
}

/** @throws if a header is not `name=value`, or a receiver is unknown */
export function traceSettingsOf(s: Given): TraceSettings | null {
  if (s.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const headers = (s.OTEL_EXPORTER_OTLP_HEADERS?.split(',') ?? []).map((header) => {
    const [, name, value] = /^\s*([\w-]+)=(.*?)\s*$/.exec(header) ?? [];
    if (name === undefined || value === undefined)
      throw new Error('OTEL_EXPORTER_OTLP_HEADERS must be name=value, comma-separated');
    return [name.toLowerCase(), decodeURIComponent(value)];
  });
  return {
    endpoint: s.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ratio: s.OTEL_TRACES_SAMPLER_ARG,
    propagation: {
      fromCallers: s.TRACEPARENT_FROM_CALLERS,
      to: receiversOf(s.TRACEPARENT_TO),
    },
  };
}
