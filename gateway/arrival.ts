import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Connections } from './connections';

/** How long a request's body may take to arrive, milliseconds. */
const BODY_WITHIN_MS = 5_000;
/** The same for a known sender that sends a picture: 2.8 MB at 20 kB/s take 140 s. */
const LARGE_BODY_WITHIN_MS = 150_000;
/** Node's own limit for all requests, milliseconds: longer than any of the limits above. */
export const REQUEST_WITHIN_MS = LARGE_BODY_WITHIN_MS + 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Extends the time for this request's body, a large one. */
    awaitLargeBody: () => void;
  }
}

/**
 * Ends a request whose body arrives too slowly. Node has one limit for all requests; this one is short until a route
 * knows the sender.
 * @param patience factor by which the limits are extended
 */
export function limitArrival(app: FastifyInstance, connections: Connections, patience: number): void {
  app.decorateRequest('awaitLargeBody');
  app.addHook('onRequest', (request, _reply, done) => {
    let timer = endAfter(request, connections, BODY_WITHIN_MS * patience);
    const clear = (): void => {
      clearTimeout(timer);
    };
    request.raw.once('end', clear).once('close', clear);
    request.awaitLargeBody = () => {
      clear();
      timer = endAfter(request, connections, LARGE_BODY_WITHIN_MS * patience);
    };
    done();
  });
}

const hasBody = ({ raw: { headers } }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function endAfter(request: FastifyRequest, connections: Connections, ms: number): NodeJS.Timeout | undefined {
  if (!hasBody(request)) return undefined;
  const { raw } = request;
  return setTimeout(() => {
    if (!raw.complete) connections.onTooSlow(raw.socket);
  }, ms).unref();
}
