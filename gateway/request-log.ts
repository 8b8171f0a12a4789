import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { metrics } from '../metrics';

/** What is known of a request when it is answered. Never a key, a signature or an account number. */
export interface Told {
  /** The envelope's code. */
  code: string;
  orderNo?: string;
  /** The merchant's code. */
  merchant?: string;
  /** The id of the agent's key, which is no secret. */
  agent?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    told: Told;
  }
}

/** Gives each request its name (X-Request-Id). Answers about money are kept by nobody on the way. */
export function beginRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.told = { code: 'SUCCESS' };
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
}

/** Logs one line and counts. The route stands for the path, whose query may hold what is nobody's business. */
export function endRequest(request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'unknown';
  metrics.requests.inc({ route, code: request.told.code });
  const line = {
    method: request.method,
    route,
    status: reply.statusCode,
    ...request.told,
    ms: Math.round(reply.elapsedTime * 10) / 10,
  };
  request.log.info(line, 'request answered');
}

export function logRequests(app: FastifyInstance): void {
  // Set as each request begins.
  app.decorateRequest('told');
  app.addHook('onRequest', (request, reply, done) => {
    beginRequest(request, reply);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    endRequest(request, reply);
    done();
  });
}
