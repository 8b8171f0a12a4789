import type { MetricsSource } from '../runtime/metrics-listener';

const ANSWERED_WITHIN_MS = 1_000;

/** The metrics of Temporal's SDK (task slots, polls, caches, requests), read from its runtime's address: host:port. */
export const sdkMetrics =
  (address: string): MetricsSource =>
  async () => {
    const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    const response = await fetch(`http://${address}/metrics`, { signal });
    if (!response.ok) throw new Error(`the SDK's metrics: HTTP ${response.status}`);
    return await response.text();
  };
