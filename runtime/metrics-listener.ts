import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from './log';
import { metrics, registry } from './metrics';
import { demandOneHost } from './one-host';

/** More metrics, read only at a scrape, as Prometheus' text. Should answer within seconds. */
export type MetricsSource = () => Promise<string>;

/**
 * Adds GET /metrics to an internal listener. A source that fails is left out, counted and logged.
 * @param own the metrics of this process, or of all processes of its role
 */
export function serveMetrics(
  app: FastifyInstance,
  log: Logger,
  sources: readonly MetricsSource[] = [],
  own: MetricsSource = async () => await registry.metrics(),
): void {
  app.get('/metrics', async (_request, reply) => {
    const more = await Promise.all(
      sources.map(async (source) => {
        try {
          return await source();
        } catch (error) {
          metrics.sourceFailures.inc();
          log.warn({ err: error }, 'metrics are incomplete');
          return '';
        }
      }),
    );
    const text = [await own(), ...more].join('\n');
    await reply.type(registry.contentType).send(text);
  });
}

/**
 * The internal listener of a role: metrics, liveness, and whether the role serves. Never reachable through the public
 * listener.
 */
export function buildMetricsServer(
  log: Logger,
  sources: readonly MetricsSource[] = [],
  own?: MetricsSource,
): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log;
  const logController = new LogController({ disableRequestLogging: true });
  const app = Fastify({ loggerInstance, logController, http: { requireHostHeader: false } });
  demandOneHost(app);
  serveMetrics(app, log, sources, own);
  app.get('/health/live', () => ({ live: true }));
  app.get('/health/ready', async (_request, reply) => {
    const { values } = await metrics.ready.get();
    const ready = values.some(({ value }) => value === 1);
    await reply.code(ready ? 200 : 503).send({ ready });
  });
  return app;
}
