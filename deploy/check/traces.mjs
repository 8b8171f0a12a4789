// Sends the traces of all roles to a real OpenTelemetry collector, and looks for the demo's deposit in what comes out of it:
// one trace from the request to the callback, over the processes.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { built, onPlatform, start } from './platform.mjs';

const REQUEST = 'POST /api/v1/merchant/orders/deposit';
/** The path of each span that the deposit's trace must have, and the process that made it. */
const EXPECTED = [
  ['causeway-gateway', REQUEST],
  ['causeway-gateway', `${REQUEST} > graph CreateDeposit`],
  ['causeway-gateway', / > graph CreateDeposit > .*sql \w+/],
  ['causeway-worker', `${REQUEST} > temporal wake deposit`],
  ['causeway-worker', `${REQUEST} > step settleDeposit`],
  ['causeway-worker', / > step settleDeposit > .*sql \w+/],
  ['causeway-worker', / > POST outside$/],
];
const SEEN_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 500;

/** It takes OTLP over HTTP as roles send it, and passes it on. */
const configOf = (port, to) => ({
  receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
  exporters: { otlp_http: { endpoint: to, encoding: 'json', compression: 'none' } },
  service: {
    telemetry: { metrics: { level: 'none' } },
    pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } },
  },
});

/** The trace of the deposit; undefined until it came. */
function traceOf(spans) {
  const first = spans.find(({ name }) => name === REQUEST);
  return first && spans.filter(({ traceId }) => traceId === first.traceId);
}

/** @returns what is not in the trace */
function missingIn(trace) {
  const above = (span) => {
    const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? span.name : `${above(parent)} > ${span.name}`;
  };
  const found = trace.map((span) => [span.service, above(span)]);
  const fits = (path_, wanted) => (wanted instanceof RegExp ? wanted.test(path_) : path_ === wanted);
  return EXPECTED.filter(
    ([service, wanted]) => !found.some(([by, path_]) => by === service && fits(path_, wanted)),
  ).map(([service, wanted]) => `${service}: ${wanted}`);
}

/** @throws with the first fault */
export async function checkTraces(collector, say) {
  const { TraceReceiver, traceLines } = built('local/trace.js');
  const receiver = await TraceReceiver.listen(0);
  const prepare = async ({ folder, programs, freePort }) => {
    const port = await freePort();
    const file = path.join(folder, 'collector.json');
    writeFileSync(file, JSON.stringify(configOf(port, receiver.url)));
    programs.push(start('the collector', collector, ['--config', file], process.env));
    return () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  };
  const play = async ({ runDemo }) => {
    await runDemo();
    const since = performance.now();
    let missing = ['everything'];
    let trace;
    while (missing.length > 0) {
      if (performance.now() - since > SEEN_WITHIN_MS)
        throw new Error(`not in the deposit's trace: ${missing.join('; ')}`);
      await sleep(LOOK_EVERY_MS);
      trace = traceOf(receiver.spans);
      missing = trace === undefined ? missing : missingIn(trace);
    }
    for (const line of traceLines(trace)) say(line);
    say(`a collector of OpenTelemetry passed on a deposit's trace: ${trace.length} spans`);
  };
  try {
    await onPlatform('traces', { prepare, play }, say);
  } finally {
    await receiver.close();
  }
}
