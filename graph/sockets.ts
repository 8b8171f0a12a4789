import type { IncomingMessage, Server } from 'node:http';
import { type ExecutionArgs, GraphQLError, type GraphQLFormattedError } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';
import { namesOneHost, NO_ONE_HOST } from '../runtime/one-host';
import type { SubscriberSocket } from './context';
import { errorFormatter } from './errors';
import type { Guard } from './guard/guard';
import { OPERATION_LIMITS, REQUEST_BYTES } from './guard/limits';
import { type LimitName, type Refusal, tooOften } from './guard/refusal';
import type { Graph } from './index';
import { socketContext } from './request-context';
import { delivered } from './events/delivery';
import { Outlet } from './events/outlet';
import { SharedSubscribe } from './events/shared-subscribe';

/** Our data beside graphql-ws' socket. */
interface Extra extends Record<PropertyKey, unknown> {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  /** Ends the watch of its login. */
  unwatch?: () => void;
  /** Where its events go. */
  outlet?: Outlet;
}

/** An operation, and where its events go. */
interface SocketOperation extends ExecutionArgs {
  readonly id: string;
  readonly outlet: Outlet;
}

/** How long a closing socket may take to read our last message, milliseconds. */
const LEAVE_WITHIN_MS = 1_000;

/** graphql-ws' code for a forbidden socket, and WebSocket's code for "try again later". */
const FORBIDDEN = 4403;
const TRY_AGAIN = 1013;

function end(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  // A client that reads nothing does not read the close frame either.
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

function tooMany(limit: LimitName, message: string): Refusal {
  metrics.operationsRefused.inc({ limit });
  return tooOften(limit, message);
}

/** The errors sent for an operation that is not run. @throws anything but a refusal */
function refusedWith(error: unknown): readonly GraphQLError[] {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.map((one) => {
    if (one instanceof GraphQLError) return one;
    throw one;
  });
}

/**
 * GraphQL over WebSocket. A socket without a login is closed (4403) before its first operation, and one whose login
 * ends before its next event.
 * @returns closes all sockets
 */
export function serveSockets(
  graph: Graph,
  guard: Guard,
  server: Server,
  path: string,
  log: Logger,
): () => Promise<void> {
  const { logins } = graph.core.events;
  const formatted = errorFormatter(log);
  const formatOne = (error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError =>
    error instanceof GraphQLError ? formatted(error.toJSON(), error) : error;
  const shared = new SharedSubscribe(formatOne);
  const sockets = new WebSocketServer({
    server,
    path,
    maxPayload: REQUEST_BYTES,
    // An outlet writes whole frames.
    perMessageDeflate: false,
    verifyClient: ({ req }, done) => {
      done(namesOneHost(req), 400, NO_ONE_HOST);
    },
  });
  const { dispose } = useServer<Record<string, unknown>, Extra>(
    {
      subscribe: async (args) => {
        const begun = await shared.subscribe(args);
        const { id, outlet } = args as SocketOperation;
        return 'events' in begun ? delivered(begun, id, outlet) : begun;
      },
      onSubscribe: async ({ connectionParams, extra, subscriptions }, id, payload) => {
        // Checked again for each operation: the session may have ended meanwhile.
        const context = await socketContext(graph, extra.request, connectionParams, subscriberSocket(extra.socket));
        try {
          if (Object.keys(subscriptions).length > OPERATION_LIMITS.subscriptions)
            throw tooMany('subscriptions', 'too many operations on one socket');
          const admitted = guard.admit(payload, context);
          guard.checkValues(admitted);
          const { document, operationName, variables } = admitted;
          extra.outlet ??= new Outlet(extra.socket, extra.request.socket);
          const operation: SocketOperation = {
            id,
            outlet: extra.outlet,
            schema: graph.operatorSchema,
            document,
            operationName,
            variableValues: variables,
            contextValue: context,
          };
          return operation;
        } catch (error) {
          return refusedWith(error);
        }
      },
      // Of queries; events are sent past it.
      onNext: (_context, _id, _payload, _args, { data, errors }) =>
        errors && { data: data ?? null, errors: errors.map(formatOne) },
      onError: (_context, _id, _payload, errors) => errors.map(formatOne),
      onConnect: async ({ connectionParams, extra }) => {
        const { actor } = await socketContext(graph, extra.request, connectionParams);
        if (actor.kind !== 'operator') return false;
        if (logins.socketsOf(actor.tokenHash) >= OPERATION_LIMITS.sockets) {
          metrics.operationsRefused.inc({ limit: 'sockets' });
          end(extra.socket, TRY_AGAIN, 'too many sockets of one login');
          return false;
        }
        // The client may have left while its login was looked up.
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
    // Each gets 1001, "going away", after which graphql-ws' client reconnects with its subscriptions.
    const left = dispose();
    const late = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
    }, LEAVE_WITHIN_MS);
    await left;
    clearTimeout(late);
  };
}
