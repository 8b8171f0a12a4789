import { setTimeout as sleep } from 'node:timers/promises';
import { parsePort } from './ports';
import { TraceReceiver, traceLines } from './trace';

/** OpenTelemetry's port for OTLP over HTTP. */
const PORT = 4318;
/** A trace is printed once nothing was added to it for this long, milliseconds. */
const QUIET_MS = 3_000;
const LOOK_EVERY_MS = 500;

/** `npm run trace`: prints the traces of orders that roles send here, until Ctrl-C. */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const receiver = await TraceReceiver.listen(parsePort('TRACE_PORT', env['TRACE_PORT'], PORT));
  console.log(`OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.url}`);
  const known = new Map<string, { size: number; since: number; isPrinted: boolean }>();
  for (;;) {
    for (const traceId of new Set(receiver.spans.map((span) => span.traceId))) {
      const spans = receiver.spans.filter((span) => span.traceId === traceId);
      const last = known.get(traceId);
      const now = performance.now();
      if (last?.size !== spans.length) known.set(traceId, { size: spans.length, since: now, isPrinted: false });
      else if (!last.isPrinted && now - last.since > QUIET_MS) {
        last.isPrinted = true;
        // Of an order: others, such as a page of the console, have no step.
        if (spans.some(({ name }) => name.startsWith('step ')))
          console.log([`\ntrace ${traceId}`, ...traceLines(spans)].join('\n'));
      }
    }
    await sleep(LOOK_EVERY_MS);
  }
}

void main(process.env);
