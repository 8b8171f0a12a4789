import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** Metrics as a registry describes them. */
type Measured = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Metrics of our own that a parent sets itself; of its others, only Node's mean something. */
const OF_PARENT =
  /^(causeway_role_ready|causeway_gateway_processes|causeway_metrics_source_failures_total|(?!causeway_).*)$/;

/** One text of the metrics of a parent and its processes, which differ in a label. */
export async function mergedMetrics(parent: Measured, of: readonly Measured[]): Promise<string> {
  const all = [parent.filter(({ name }) => OF_PARENT.test(name)), ...of];
  const summed = all.map((one) =>
    one.map((metric) => ({
      ...metric,
      // A process that has just started has means of nothing.
      values: metric.values.filter(({ value }) => !Number.isNaN(value)),
      // No two series have the same labels, so the sum is each of them.
      aggregator: 'sum' as const,
    })),
  );
  return await AggregatorRegistry.aggregate(summed).metrics();
}
