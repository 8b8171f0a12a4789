import { metrics } from '../runtime/metrics';
import { OtlpExporter } from '../runtime/otlp';
import type { TraceSettings } from '../runtime/trace-settings';
import { startTracing } from '../runtime/tracing';
import type { Stop } from './role';

/** Sends this process's spans to the collector, if one is set. Before the database is opened. @returns sends the last ones */
export function exportTraces(role: string, settings: TraceSettings | null): Stop {
  if (settings === null)
    return async () => {
      await Promise.resolve();
    };
  const { endpoint, headers, ratio, propagation } = settings;
  const exporter = new OtlpExporter({
    endpoint,
    headers,
    service: `causeway-${role}`,
    onLost: (spans) => {
      metrics.spansLost.inc(spans);
    },
  });
  const end = startTracing(exporter, ratio, propagation);
  return async () => {
    end();
    await exporter.stop();
  };
}
