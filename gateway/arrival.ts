import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Connections } from './connections';

/** How long a request's body may take to arrive, milliseconds. */
const BODY_WITHIN_MS = 5_000;
/** The same for one whose sender is known and who sends a picture: 2.8 MB at 20 kB/s are 140 s. */
const LARGE_BODY_WITHIN_MS = 150_000;
/** Longer than any request may take to arrive, milliseconds: Node's own limit for all of them. */
export const REQUEST_WITHIN_MS = LARGE_BODY_WITHIN_MS + 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives the body of this request, a large one, more time to arrive. */
    awaitLargeBody: () => void;
  }
}

/**
 * Ends a request whose body arrives too slowly. Node has one limit for all requests; this one is short until a route
 * knows the sender.
 * @param patience so many times as long
 */
export function limitArrival(
  app: FastifyInstance,
  connections: Connections,
  patience: number,
): void {
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

function endAfter(
  request: FastifyRequest,
  connections: Connections,
  ms: number,
): NodeJS.Timeout | undefined {
  if (!hasBody(request)) return undefined;
  const { raw } = request;
  return setTimeout(() => {
    if (!raw.complete) connections.onTooSlow(raw.socket);
  }, ms).unref();
}
