import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as OTLP's JSON has it; only what is printed. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  /** Absent if there are none: a collector leaves them out. */
  readonly attributes?: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly doubleValue?: number };
  }[];
  readonly status?: { readonly code?: number };
  /** The service that sent it. */
  readonly service: string;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: NonNullable<ReceivedSpan['attributes']> };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'service'>[] }[];
  }[];
}

/** A receiver of traces on this machine, for a person who wants to see one. */
export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  private constructor(private readonly server: Server) {}

  /** @param port 0: any free one */
  static async listen(port: number): Promise<TraceReceiver> {
    const server = createServer((request, response) => {
      text(request)
        .then((body) => {
          receiver.take(JSON.parse(body) as Export);
          response.setHeader('content-type', 'application/json').end('{}');
        })
        .catch(() => {
          response.writeHead(400).end();
        });
    });
    const receiver = new TraceReceiver(server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes[0]?.value.stringValue ?? '';
      for (const { spans } of scopeSpans) this.spans.push(...spans.map((span) => ({ ...span, service })));
    }
  }
}

const millis = (nanos: string): number => Number(BigInt(nanos) / 1_000n) / 1_000;
const byStart = (one: ReceivedSpan, other: ReceivedSpan): number =>
  millis(one.startTimeUnixNano) - millis(other.startTimeUnixNano);

/** A trace as lines, each span below the one that it belongs to: when it began and how long it took, in milliseconds. */
export function traceLines(spans: readonly ReceivedSpan[]): string[] {
  const sorted = [...spans].sort(byStart);
  const known = new Set(sorted.map(({ spanId }) => spanId));
  const began = millis(sorted[0]?.startTimeUnixNano ?? '0');
  const below = (parent: string | undefined, depth: number): string[] =>
    sorted
      .filter(({ parentSpanId: of }) => (parent === undefined ? of === undefined || !known.has(of) : of === parent))
      .flatMap((span) => [lineOf(span, began, depth), ...below(span.spanId, depth + 1)]);
  return below(undefined, 0);
}

function lineOf(span: ReceivedSpan, began: number, depth: number): string {
  const start = millis(span.startTimeUnixNano);
  const took = millis(span.endTimeUnixNano) - start;
  const said = (span.attributes ?? [])
    .map(({ key, value }) => `${key}=${String(value.stringValue ?? value.doubleValue)}`)
    .join(' ');
  const at = `${(start - began).toFixed(1).padStart(9)} ${took.toFixed(1).padStart(8)}`;
  const failed = span.status?.code === 2 ? ' FAILED' : '';
  const name = `${'  '.repeat(depth)}${span.name}${failed}`;
  return `${at}  ${span.service.padEnd(16)}  ${name}  ${said}`.slice(0, 200).trimEnd();
}
