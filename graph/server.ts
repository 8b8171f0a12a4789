import type { Server } from 'node:http';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import fastifyExpress from '@fastify/express';
import express from 'express';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type DocumentNode, GraphQLError, type GraphQLFormattedError, visit } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { type Logger, newTraceId } from '../log';
import { serveMetrics } from '../metrics-listener';
import type { GraphContext } from './context';
import { errorFormatter, refuse } from './errors';
import { contextFor, type Graph } from './index';
import { actorOfBearer } from './session';
import { Totals } from './totals';

const GRAPHQL_PATH = '/graphql';
/** An operator's request is small; what is larger is no operation of ours. */
const BODY_LIMIT = '256kb';

/** `authorization` or `Authorization`: `Bearer …`, as in the HTTP header. */
type ConnectionParams = Record<string, unknown>;

const bearerOf = (params: Readonly<ConnectionParams> | undefined): unknown =>
  params?.['authorization'] ?? params?.['Authorization'];

/** One request's context, for whoever its bearer token names. @throws with the HTTP status of what is down */
async function contextOf(
  { core }: Graph,
  authorization: unknown,
  traceId = newTraceId(),
): Promise<GraphContext> {
  const log = core.log.child({ traceId });
  try {
    return contextFor(core, await actorOfBearer(core, authorization), log, traceId);
  } catch (error) {
    const refusal = refuse(error, log, 'login look-up');
    const { message, status } = refusal;
    throw new GraphQLError(message, { originalError: refusal, extensions: { http: { status } } });
  }
}

/** GraphQL over WebSocket. A socket without a login is closed (4403) before it may ask anything. */
function serveSubscriptions(graph: Graph, server: Server, log: Logger): () => Promise<void> {
  const formatted = errorFormatter(log);
  const formatOne = (error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError =>
    error instanceof GraphQLError ? formatted(error.toJSON(), error) : error;
  const sockets = new WebSocketServer({ server, path: GRAPHQL_PATH, maxPayload: 256 * 1024 });
  const { dispose } = useServer<ConnectionParams>(
    {
      schema: graph.schema,
      onNext: (_context, _id, _payload, _args, { data, errors }) =>
        errors && { data: data ?? null, errors: errors.map(formatOne) },
      onError: (_context, _id, _payload, errors) => errors.map(formatOne),
      onConnect: async ({ connectionParams }) => {
        const { actor } = await contextOf(graph, bearerOf(connectionParams));
        return actor.kind !== 'anonymous';
      },
      // Asked again for each operation: a session may have ended meanwhile.
      context: async ({ connectionParams }) => await contextOf(graph, bearerOf(connectionParams)),
    },
    sockets,
  );
  return async () => {
    await dispose();
  };
}

/** Whether the schema is asked for, at whatever depth: also a fragment may do so. */
function asksForSchema(document: DocumentNode): boolean {
  let asked = false;
  visit(document, {
    Field: ({ name }) => {
      asked ||= name.value === '__schema' || name.value === '__type';
    },
  });
  return asked;
}

/** The schema, too, is for those who are logged in. */
const introspectionNeedsLogin: ApolloServerPlugin<GraphContext> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ document, contextValue }) => {
        if (contextValue.actor.kind === 'anonymous' && asksForSchema(document))
          throw new GraphQLError('log in first', {
            extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } },
          });
        return Promise.resolve();
      },
    }),
};

/**
 * The internal listener: GraphQL over HTTP and WebSocket, metrics, health. Operators and their tools alone reach
 * it; it is never exposed beside the public one.
 */
export async function buildGraphServer(graph: Graph, log: Logger): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log;
  const logController = new LogController({ disableRequestLogging: true });
  const app = Fastify({ loggerInstance, logController });
  const apollo = new ApolloServer<GraphContext>({
    schema: graph.schema,
    formatError: errorFormatter(log),
    introspection: graph.core.environment === 'sandbox',
    includeStacktraceInErrorResponses: false,
    plugins: [ApolloServerPluginLandingPageDisabled(), introspectionNeedsLogin],
    logger: log,
  });
  await apollo.start();

  await app.register(fastifyExpress);
  const router = express.Router();
  router.use(express.json({ limit: BODY_LIMIT }));
  router.use(
    expressMiddleware(apollo, {
      context: async ({ req, res }) => {
        const traceId = newTraceId();
        res.setHeader('x-request-id', traceId);
        return await contextOf(graph, req.headers.authorization, traceId);
      },
    }),
  );
  app.use(GRAPHQL_PATH, router);

  const totals = new Totals(graph.core);
  serveMetrics(app, log, [async () => await totals.text()]);
  app.get('/health/live', () => ({ live: true }));
  app.get('/health/ready', async (_request, reply) => {
    const ready = await graph.ready();
    await reply.code(ready ? 200 : 503).send({ ready });
  });

  const endSubscriptions = serveSubscriptions(graph, app.server, log);
  app.addHook('preClose', endSubscriptions);
  app.addHook('onClose', async () => {
    await apollo.stop();
  });
  return await app;
}
