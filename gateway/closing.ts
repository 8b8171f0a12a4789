import type { FastifyInstance } from 'fastify';
import { CatalogueError } from '../domain/errors';
import type { Connections } from './connections';

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on it is not ready, and each answer ends its connection: clients come back elsewhere, none is cut. */
    drain: () => void;
    /** Whether it drains or closes. */
    isDraining: () => boolean;
  }
}

/**
 * Finishes the requests under way before the listener closes, and refuses those that still arrive on their connections.
 * Every request has a deadline, so closing has one too.
 */
export function closeGracefully(app: FastifyInstance, connections: Connections): void {
  let draining = false;
  let closing = false;
  app.decorate('drain', () => {
    draining = true;
  });
  app.decorate('isDraining', () => draining);
  app.addHook('preClose', (done) => {
    draining = closing = true;
    connections.endIdle();
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const refused = closing && request.routeOptions.url !== '/health/live';
    done(refused ? new CatalogueError('SERVICE_UNAVAILABLE', 'closing') : undefined);
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) reply.header('connection', 'close');
    done();
  });
}
