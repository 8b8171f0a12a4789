import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on it is not ready, and each answer ends its connection: clients come back elsewhere, none is cut. */
    drain: () => void;
    /** Whether it drains or closes. */
    isDraining: () => boolean;
  }
}

/**
 * Lets a listener with WebSockets end without cutting a request. Closing drains, too, and ends connections that have
 * sent no request: Node would wait for them.
 */
export function drainable(app: FastifyInstance): void {
  let draining = false;
  /** The latest answer of each connection that has one under way. */
  const latest = new Map<Socket, ServerResponse>();
  const silent = new Set<Socket>();

  app.decorate('isDraining', () => draining);
  app.decorate('drain', () => {
    draining = true;
    // Node says `Connection: close` where the headers have not left yet.
    for (const response of latest.values()) response.shouldKeepAlive = false;
  });
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => {
      silent.delete(socket);
      latest.delete(socket);
    });
  });
  app.server.prependListener('upgrade', ({ socket }) => silent.delete(socket));
  app.server.prependListener('request', ({ socket }, response) => {
    silent.delete(socket);
    if (draining) response.shouldKeepAlive = false;
    if (draining || socket.destroyed) return;
    latest.set(socket, response);
    response.once('close', () => {
      if (latest.get(socket) === response) latest.delete(socket);
    });
  });
  app.addHook('preClose', (done) => {
    app.drain();
    for (const socket of silent) socket.destroy();
    done();
  });
}
