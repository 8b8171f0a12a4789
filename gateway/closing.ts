import type { FastifyInstance } from 'fastify';
import { CatalogueError } from '../domain/errors';
import { drainable } from '../runtime/draining';
import type { Connections } from './connections';

/**
 * Finishes the requests under way before the listener closes, and refuses new ones on their connections. Every request
 * has a deadline, so closing has one too.
 */
export function closeGracefully(app: FastifyInstance, connections: Connections): void {
  drainable(app);
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    connections.endIdle();
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const refused = closing && request.routeOptions.url !== '/health/live';
    done(refused ? new CatalogueError('SERVICE_UNAVAILABLE', 'closing') : undefined);
  });
}
