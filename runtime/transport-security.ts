import type { FastifyInstance } from 'fastify';

/** Two years. Not of subdomains: they may be others'. */
const POLICY = 'max-age=63072000';

/**
 * In production each answer says that this host is reached by https alone (HSTS): a browser that has seen one sends
 * nothing in clear any more. A sandbox is also reached over http, so it says nothing.
 */
export function demandHttps(app: FastifyInstance, environment: 'sandbox' | 'production'): void {
  if (environment !== 'production') return;
  // Before any handler, so that answers that no hook of Fastify sees have it too.
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('strict-transport-security', POLICY);
  });
}
