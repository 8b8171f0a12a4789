import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { CatalogueError } from '../domain/errors';
import type { Logger } from '../runtime/log';
import { contentPolicy, PAGE_HEADERS } from '../runtime/page-headers';
import type { Graph } from './index';
import { requestContext } from './request-context';
import { refuse } from '../steps/refuse';

/** The editor writes inline styles; only a sandbox has this page. */
const POLICY = contentPolicy({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'none'",
});

/** The schema as text, printed once. */
function sdlOf(schema: GraphQLSchema): () => string {
  let sdl: string | undefined;
  return () => (sdl ??= `${printSchema(lexicographicSortSchema(schema))}\n`);
}

/** The SDL by GET, for code generators: in production too, with any login. */
function schemaFile(graph: Graph, log: Logger): RequestHandler {
  const sdl = sdlOf(graph.operatorSchema);
  return async (request, response) => {
    try {
      const { actor } = await requestContext(graph, request, response);
      if (actor.kind !== 'operator') throw new CatalogueError('UNAUTHENTICATED', 'log in first');
      response.setHeader('cache-control', 'no-store');
      response.type('text/plain; charset=utf-8').send(sdl());
    } catch (error) {
      const { code, message, status } = refuse(error, log, 'schema.graphql');
      response.status(status).json({ errors: [{ message, extensions: { code } }] });
    }
  };
}

/**
 * Serves GET at the graph's address: the SDL with a login and, in a sandbox, the explorer for a browser. Everything
 * else is passed on to the operations.
 * @param folder the built explorer; if absent, none is served
 */
export function readByHand(graph: Graph, log: Logger, folder: string | null): Router {
  const router = express.Router();
  router.get('/schema.graphql', schemaFile(graph, log));
  const page = folder === null ? null : path.join(folder, 'index.html');
  if (folder === null || page === null || graph.core.environment !== 'sandbox' || !existsSync(page)) return router;
  const html = readFileSync(page, 'utf8');
  router.use((_request, response, next) => {
    response.set(PAGE_HEADERS);
    next();
  });
  router.get('/', (request, response, next) => {
    // Only a browser that opens the address prefers HTML; any other GET is an operation, which is refused as
    // everywhere.
    if (!/^text\/html\b/.test(request.headers.accept ?? '')) {
      next();
      return;
    }
    response.set({ 'content-security-policy': POLICY, 'cache-control': 'no-store' });
    response.type('text/html; charset=utf-8').send(html);
  });
  router.use('/explorer', express.static(folder, { index: false, immutable: true, maxAge: '1y' }));
  return router;
}
