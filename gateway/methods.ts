import { METHODS } from 'node:http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { CatalogueError, notFound } from '../domain/errors';

/** Every method that Node can read. CONNECT never becomes a request. */
const ALL_METHODS = METHODS.filter((method) => method !== 'CONNECT');

/** The methods that Fastify knows by default. */
const KNOWN: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
]);

/**
 * Collects the routes registered after it. Call the returned function when all are registered: the other methods of
 * each path then answer 405 with Allow, and unknown paths 404, both before any byte of the body is read.
 */
export function refuseUnknownRoutes(app: FastifyInstance): () => void {
  const allowed = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const methods = allowed.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    allowed.set(url, methods);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? notFound('route') : undefined);
  });
  app.setNotFoundHandler(() => {
    throw notFound('route');
  });
  for (const method of ALL_METHODS) if (!KNOWN.has(method)) app.addHttpMethod(method);

  return () => {
    for (const [url, methods] of [...allowed]) {
      const allow = [...methods].join(', ');
      app.route({
        url,
        method: ALL_METHODS.filter((method) => !methods.has(method)),
        schema: { hide: true },
        onRequest: (_request, reply, done) => {
          reply.header('allow', allow);
          done(new CatalogueError('METHOD_NOT_ALLOWED', `the method must be ${allow}`));
        },
        handler: () => undefined,
      });
    }
  };
}
