import type { IncomingMessage, Server } from 'node:http';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Logger } from '../log';
import { metrics } from '../metrics';
import type { SubscriberSocket } from './context';
import { Documents } from './documents';
import { errorFormatter } from './errors';
import type { Graph } from './index';
import { socketContext } from './request-context';
import { SharedSubscribe } from './shared-subscribe';

/** What graphql-ws keeps beside a socket. */
interface Extra extends Record<PropertyKey, unknown> {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  /** Its login is watched until this is called. */
  unwatch?: () => void;
}

/** A message of ours to be taken is waited for so long once the socket was told to go, milliseconds. */
const LEAVE_WITHIN_MS = 1_000;

/** graphql-ws' code for who may not be here, and WebSocket's own for "try again later". */
const FORBIDDEN = 4403;
const TRY_AGAIN = 1013;

function end(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  // Whoever reads nothing reads no good-bye either.
  setTimeout(() => {
    socket.terminate();
  }, LEAVE_WITHIN_MS).unref();
}

const subscriberSocket = (socket: WebSocket): SubscriberSocket => ({
  dropSlow: () => {
    metrics.subscribersDropped.inc();
    end(socket, TRY_AGAIN, 'too slow: come back with the last number seen');
  },
});

/**
 * GraphQL over WebSocket. A socket without a login is closed (4403) before it may ask anything, and one whose login
 * ends is closed before it hears anything more.
 * @returns ends all of them
 */
export function serveSockets(
  graph: Graph,
  server: Server,
  path: string,
  log: Logger,
): () => Promise<void> {
  const { logins } = graph.core.events;
  const { subscribe } = new SharedSubscribe();
  const documents = new Documents(graph.schema);
  const formatted = errorFormatter(log);
  const formatOne = (error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError =>
    error instanceof GraphQLError ? formatted(error.toJSON(), error) : error;
  const sockets = new WebSocketServer({ server, path, maxPayload: 256 * 1024 });
  const { dispose } = useServer<Record<string, unknown>, Extra>(
    {
      subscribe,
      onSubscribe: async (
        { connectionParams, extra },
        _id,
        { query, operationName, variables },
      ) => {
        const read = documents.read(query);
        if ('errors' in read) return read.errors;
        return {
          schema: graph.schema,
          document: read.document,
          operationName: operationName ?? null,
          variableValues: variables ?? null,
          // Asked again for each operation: a session may have ended meanwhile.
          contextValue: await socketContext(
            graph,
            extra.request,
            connectionParams,
            subscriberSocket(extra.socket),
          ),
        };
      },
      onNext: (_context, _id, _payload, _args, { data, errors }) =>
        errors && { data: data ?? null, errors: errors.map(formatOne) },
      onError: (_context, _id, _payload, errors) => errors.map(formatOne),
      onConnect: async ({ connectionParams, extra }) => {
        const { actor } = await socketContext(graph, extra.request, connectionParams);
        if (actor.kind !== 'operator') return false;
        // It may have left while its login was looked up.
        if (extra.socket.readyState !== extra.socket.OPEN) return false;
        metrics.sockets.inc();
        const unwatch = logins.watch(actor, () => {
          end(extra.socket, FORBIDDEN, 'log in again');
        });
        extra.unwatch = () => {
          unwatch();
          metrics.sockets.dec();
        };
        return true;
      },
      onClose: ({ extra }) => {
        extra.unwatch?.();
      },
    },
    sockets,
  );
  return async () => {
    await dispose();
  };
}
