import { buildMetricsServer, type MetricsSource } from '../runtime/metrics-listener';
import type { Role, Stop } from './role';

/** Serves the metrics of a role that has no other internal listener. */
export async function serveOwnMetrics(
  { log }: Role,
  where: { readonly host: string; readonly port: number },
  sources: readonly MetricsSource[] = [],
): Promise<Stop> {
  const app = buildMetricsServer(log, sources);
  log.info({ url: `${await app.listen(where)}/metrics` }, 'metrics are served');
  return async () => {
    await app.close();
  };
}
