import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { metrics } from '../runtime/metrics';
import { callerOf, rootEnded } from '../runtime/tracing';

/** The fields of a request's log line, collected while it is served. Never a key, a signature or an account number. */
export interface LogFields {
  /** The envelope's code. */
  code: string;
  /** The reason of a refusal, if the message does not quote the caller. */
  refusal?: string;
  orderNo?: string;
  /** The cashier session. */
  sessionId?: string;
  merchantCode?: string;
  /** The id of the agent's key, which is no secret. */
  agent?: string;
  /** The bank credit or debit that a notification recorded. */
  transferId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    logFields: LogFields;
  }
}

/**
 * Sends the request's trace id (X-Request-Id), and ensures that its end is logged and counted, also if the client
 * leaves before the answer. Answers about money must not be cached.
 */
export function beginRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.logFields = { code: 'SUCCESS' };
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
  // Node never reports the end of an answer that is queued behind another on its connection.
  socket.on('close', end);
}

/** Logs one line and counts. The line names the route, not the path, whose query may hold private data. */
function endRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { method, routeOptions, logFields } = request;
  const route = routeOptions.url ?? 'unknown';
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  const status = reply.raw.writableFinished ? reply.statusCode : undefined;
  const link = callerOf(request.headers['traceparent']);
  rootEnded(
    request.id,
    () => ({
      name: `${method} ${route}`,
      kind: 'server',
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'causeway.code': logFields.code,
        'causeway.order': logFields.orderNo,
      },
      ...(link && { link }),
    }),
    ms,
    status === undefined || status >= 500,
  );
  if (!reply.raw.writableFinished) {
    // The request may still take effect: see the graph's log lines.
    metrics.requests.inc({ route, code: 'CLIENT_LEFT' });
    request.log.info({ method, route, ...logFields, code: 'CLIENT_LEFT', ms }, 'client left');
    return;
  }
  metrics.requests.inc({ route, code: logFields.code });
  metrics.requestSeconds.observe({ route, code: logFields.code }, reply.elapsedTime / 1000);
  request.log.info({ method, route, status: reply.statusCode, ...logFields, ms }, 'request answered');
}

/** Logs and counts every request. */
export function logRequests(app: FastifyInstance): void {
  // Set as each request begins.
  app.decorateRequest('logFields');
  app.addHook('onRequest', (request, reply, done) => {
    beginRequest(request, reply);
    done();
  });
}
