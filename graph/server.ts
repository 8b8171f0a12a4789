import { ApolloServer, type ApolloServerOptions } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import fastifyExpress from '@fastify/express';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { drainable } from '../runtime/draining';
import type { Logger } from '../runtime/log';
import { serveMetrics } from '../runtime/metrics-listener';
import { demandOneHost } from '../runtime/one-host';
import { serveSecurityText } from '../runtime/security-text';
import { demandHttps } from '../runtime/transport-security';
import { serveConsole } from './console-files';
import type { GraphContext } from './context';
import { errorFormatter } from './errors';
import { readByHand } from './explorer';
import { exportStreams } from './exports/stream';
import { Guard } from './guard/guard';
import { contextOf, guarded } from './guard/http';
import { loadManifest, readPersisted } from './guard/persisted';
import type { Graph } from './index';
import { healthInWords } from './platform/platform-health';
import { serveSockets } from './sockets';
import { Totals } from '../steps/ledger/totals';

const GRAPHQL_PATH = '/graphql';
/** Operations that carry a file. */
const FILES_PATH = `${GRAPHQL_PATH}/files`;

/** Exports of whole lists. */
const EXPORTS_PATH = `${GRAPHQL_PATH}/exports`;

/** Timeouts for slow and silent clients, milliseconds. */
const HEADERS_WITHIN_MS = 5_000;
const REQUEST_WITHIN_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;
/** How often Node checks them, milliseconds. */
const LOOK_EVERY_MS = 1_000;
const HEADERS_BYTES = 16 * 1024;
const MOST_CONNECTIONS = 10_000;

type DocumentStore = NonNullable<ApolloServerOptions<GraphContext>['documentStore']>;

/** Apollo takes documents from here: the guard has parsed each one. */
const readBy = (guard: Guard): DocumentStore => ({
  // The key ends with the hash of the text.
  get: async (key) => await Promise.resolve(guard.find(key.slice(-64))),
  set: async () => {
    await Promise.resolve();
  },
  delete: async () => await Promise.resolve(false),
});

/**
 * The internal listener: GraphQL over HTTP and WebSocket, the console, metrics, health. Only operators and their tools
 * reach it; it is never exposed to the public.
 * @param consoleFolder the built console; if absent, none is served
 * @param explorerFolder the built explorer of the schema, for a sandbox; if absent, none is served
 * @param servesMetrics /metrics needs no login; false if it has its own listener
 * @param securityContacts where to report vulnerabilities; if empty, no security.txt is served
 */
export async function buildGraphServer(
  graph: Graph,
  log: Logger,
  consoleFolder?: string,
  explorerFolder: string | null = null,
  servesMetrics = true,
  securityContacts: readonly string[] = [],
): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log;
  const logController = new LogController({ disableRequestLogging: true });
  const app = Fastify({
    loggerInstance,
    logController,
    requestTimeout: REQUEST_WITHIN_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      headersTimeout: HEADERS_WITHIN_MS,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      maxHeaderSize: HEADERS_BYTES,
      requireHostHeader: false,
    },
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  drainable(app);
  demandHttps(app, graph.core.environment);
  demandOneHost(app);
  const persisted = readPersisted(graph.operatorSchema, loadManifest());
  const guard = new Guard(graph.operatorSchema, graph.core.environment, persisted);
  const apollo = new ApolloServer<GraphContext>({
    schema: graph.operatorSchema,
    formatError: errorFormatter(log),
    // The guard decides who may see the schema.
    introspection: true,
    // The role stops it, after it has drained.
    stopOnTerminationSignals: false,
    documentStore: readBy(guard),
    includeStacktraceInErrorResponses: false,
    plugins: [ApolloServerPluginLandingPageDisabled()],
    logger: log,
  });
  await apollo.start();

  await app.register(fastifyExpress);
  const serve = expressMiddleware(apollo, {
    context: async ({ req }) => await Promise.resolve(contextOf(req)),
  });
  app.use(GRAPHQL_PATH, readByHand(graph, log, explorerFolder));
  app.use(EXPORTS_PATH, exportStreams(graph, guard, log));
  app.use(FILES_PATH, guarded(graph, guard, log, serve, true));
  app.use(GRAPHQL_PATH, guarded(graph, guard, log, serve));

  const totals = new Totals(graph.core);
  if (servesMetrics) serveMetrics(app, log, [async () => await totals.text()]);
  serveSecurityText(app, securityContacts, graph.core.clock);
  app.get('/health/live', () => ({ live: true }));
  app.get('/health/ready', async (_request, reply) => {
    const ready = !app.isDraining() && (await graph.ready());
    await reply.code(ready ? 200 : 503).send({ ready });
  });
  app.get('/health/platform', async (_request, reply) => {
    const health = healthInWords(await graph.core.platformWatch.now());
    const works = health.state === 'WORKING' || health.state === 'IMPAIRED';
    await reply.code(works ? 200 : 503).send(health);
  });

  if (consoleFolder !== undefined && !serveConsole(app, consoleFolder, graph.core))
    log.warn({ consoleFolder }, 'the console is not built');

  const endSockets = serveSockets(graph, guard, app.server, GRAPHQL_PATH, log);
  app.addHook('preClose', endSockets);
  app.addHook('onClose', async () => {
    await apollo.stop();
  });
  return await app;
}
