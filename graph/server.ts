import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import fastifyExpress from '@fastify/express';
import express from 'express';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type DocumentNode, GraphQLError, visit } from 'graphql';
import { type Logger, newTraceId } from '../log';
import { serveMetrics } from '../metrics-listener';
import type { GraphContext } from './context';
import { errorFormatter } from './errors';
import type { Graph } from './index';
import { requestContext } from './request-context';
import { serveSockets } from './sockets';
import { Totals } from './totals';

const GRAPHQL_PATH = '/graphql';
/** An operator's request is small; what is larger is no operation of ours. */
const BODY_LIMIT = '256kb';

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
        return await requestContext(graph, req, res, traceId);
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

  const endSockets = serveSockets(graph, app.server, GRAPHQL_PATH, log);
  app.addHook('preClose', endSockets);
  app.addHook('onClose', async () => {
    await apollo.stop();
  });
  return await app;
}
