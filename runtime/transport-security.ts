import type { FastifyInstance } from 'fastify';

/** Two years. Without subdomains: others may own them. */
const POLICY = 'max-age=63072000';

/**
 * In production each answer has the HSTS header: a browser that has seen it uses only https for this host. A sandbox is
 * also reached over http, so it sends none.
 */
export function demandHttps(app: FastifyInstance, environment: 'sandbox' | 'production'): void {
  if (environment !== 'production') return;
  // Before any handler, so that answers without Fastify's hooks have it too.
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('strict-transport-security', POLICY);
  });
}
