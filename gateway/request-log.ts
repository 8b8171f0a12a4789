import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { metrics } from '../runtime/metrics';

/** What is known of a request when it is answered. Never a key, a signature or an account number. */
export interface Told {
  /** The envelope's code. */
  code: string;
  /** Why it was refused, where no word of that is the caller's. */
  refusal?: string;
  orderNo?: string;
  /** The cashier session. */
  sessionId?: string;
  merchantCode?: string;
  /** The id of the agent's key, which is no secret. */
  agent?: string;
  /** The bank transfer that a notification recorded. */
  transferId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    told: Told;
  }
}

/**
 * Tells the request's name (X-Request-Id is its trace id) and sees to it that its end is logged and counted, be it
 * an answer or a client that leaves. Answers about money are kept by nobody on the way.
 */
export function beginRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.told = { code: 'SUCCESS' };
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
  metrics.requestsInFlight.inc();
  const { socket } = request.raw;
  let open = true;
  const end = (): void => {
    if (!open) return;
    open = false;
    socket.off('close', end);
    metrics.requestsInFlight.dec();
    endRequest(request, reply);
  };
  reply.raw.on('close', end);
  // Of an answer that stands behind another one on its connection Node never says that it is over.
  socket.on('close', end);
}

/** Logs one line and counts. The route stands for the path, whose query may hold what is nobody's business. */
function endRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { method, routeOptions, told } = request;
  const route = routeOptions.url ?? 'unknown';
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  if (!reply.raw.writableFinished) {
    // What it asked for may still happen; the graph's lines tell.
    metrics.requests.inc({ route, code: 'CLIENT_LEFT' });
    request.log.info({ method, route, ...told, code: 'CLIENT_LEFT', ms }, 'client left');
    return;
  }
  metrics.requests.inc({ route, code: told.code });
  metrics.requestSeconds.observe({ route, code: told.code }, reply.elapsedTime / 1000);
  request.log.info({ method, route, status: reply.statusCode, ...told, ms }, 'request answered');
}

/** Has every request logged and counted. */
export function logRequests(app: FastifyInstance): void {
  // Set as each request begins.
  app.decorateRequest('told');
  app.addHook('onRequest', (request, reply, done) => {
    beginRequest(request, reply);
    done();
  });
}
