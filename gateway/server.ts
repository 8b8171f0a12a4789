import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { LIMITS } from '../domain/limits';
import { newTraceId } from '../runtime/log';
import { serveSecurityText } from '../runtime/security-text';
import { demandHttps } from '../runtime/transport-security';
import { limitArrival, REQUEST_WITHIN_MS } from './arrival';
import { BatchWindow } from './batch-window';
import { takeBodiesRaw } from './body';
import { boundedGraph } from './bounded-graph';
import { CashierStreams } from './cashier/stream';
import { closeGracefully } from './closing';
import { Connections } from './connections';
import type { GatewayDeps } from './deps';
import { answerError } from './errors';
import { refuseDoubtfulFraming } from './framing';
import { OWN_LIMITS } from './limits/limits';
import { MerchantRate } from './merchant-rate';
import { refuseUnknownRoutes } from './methods';
import { beginRequest, logRequests } from './request-log';
import { routes } from './routes';
import { PublicRequest } from './upgrade';
import { VALIDATION } from './validation';

export type { GatewayDeps } from './deps';

/** Calls of the graph under way at once, and connections, of all processes of a gateway. Further calls get 503. */
const MOST_CALLS = 1_000;
const MOST_CONNECTIONS = 10_000;

/** Timeouts for slow and silent clients, milliseconds. */
const HEADERS_WITHIN_MS = 5_000;
const SILENCE_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;
/** How often Node checks for slow clients. */
const LOOK_EVERY_MS = 1_000;
/** At least the parser's own limit, so that a long order number is an unknown order, not an unknown route. */
const HEADERS_BYTES = 16 * 1024;

/**
 * The public listener: the merchant API, the payer's page, bank notifications, health. It translates and decides
 * nothing: the graph decides. Built, not listening.
 */
export async function buildGateway(deps: GatewayDeps): Promise<FastifyInstance> {
  const log = deps.log.child({ environment: deps.environment });
  const loggerInstance: FastifyBaseLogger = log;
  const { clientPatience = 1, limits = OWN_LIMITS } = deps;
  const partOf = (most: number): number => Math.floor(most / limits.processes);
  const connections = new Connections(log, partOf(MOST_CONNECTIONS));
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'traceId' }),
    // Never an id from outside: a caller could mix its log lines into another's, or reuse one for ever.
    genReqId: newTraceId,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: REQUEST_WITHIN_MS * clientPatience,
    connectionTimeout: SILENCE_MS * clientPatience,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      IncomingMessage: PublicRequest,
      headersTimeout: HEADERS_WITHIN_MS * clientPatience,
      connectionsCheckingInterval: LOOK_EVERY_MS * Math.min(1, clientPatience),
      maxHeaderSize: HEADERS_BYTES,
      // Node's own refusal would lack the envelope (framing.ts).
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: HEADERS_BYTES },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    ajv: VALIDATION,
    frameworkErrors: (error, request, reply) => {
      // An undecodable URL: no hook runs for it.
      beginRequest(request, reply);
      answerError(error, request, reply);
    },
    clientErrorHandler: connections.onClientError,
  }).withTypeProvider<TypeBoxTypeProvider>();
  connections.watch(app.server);

  app.setErrorHandler(answerError);
  logRequests(app);
  limitArrival(app, connections, clientPatience);
  refuseDoubtfulFraming(app);
  closeGracefully(app, connections);
  demandHttps(app, deps.environment);
  const refuseOtherMethods = refuseUnknownRoutes(app);
  takeBodiesRaw(app);
  const bounded = {
    ...deps,
    log,
    graph: boundedGraph(deps.graph, partOf(MOST_CALLS), deps),
    merchantRate: new MerchantRate(deps.merchantAllowance, limits),
    batchWindow: new BatchWindow(() => deps.graph.areCreditsLate()),
    limits,
  };
  routes(app, bounded);
  serveSecurityText(app, deps.securityContacts ?? [], deps.clock);
  const streams = new CashierStreams(bounded.graph, log, deps.addressOf, limits);
  connections.handOver(app.server, streams.accept);
  app.addHook('preClose', (done) => {
    streams.close();
    done();
  });
  refuseOtherMethods();
  await app.ready();
  return app;
}
