import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * From now on it is not ready, and each answer closes its connection: clients reconnect elsewhere, and no request
     * is interrupted.
     */
    drain: () => void;
    /** Whether it is draining or closing. */
    isDraining: () => boolean;
  }
}

/**
 * Closes a listener with WebSockets without interrupting a request. Closing also drains, and ends connections that have
 * sent no request, for which Node would wait.
 */
export function drainable(app: FastifyInstance): void {
  let draining = false;
  /** The latest answer under way of each connection. */
  const latest = new Map<Socket, ServerResponse>();
  const silent = new Set<Socket>();

  app.decorate('isDraining', () => draining);
  app.decorate('drain', () => {
    draining = true;
    // Node sends `Connection: close` if the headers have not been sent yet.
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
