import {
  type Client,
  createClient,
  cacheExchange,
  fetchExchange,
  makeOperation,
  mapExchange,
  type Operation,
  type OperationResult,
  subscriptionExchange,
} from 'urql';
import hashes from '../generated/hashes.json';
import { closeSocket, openSocket } from './live';
import { failureOf } from './failure';

const GRAPHQL = '/graphql';

/** A client and how to close it. Each login has its own, so that no cache outlives it. */
export interface Connected {
  readonly client: Client;
  readonly close: () => void;
}

/** SHA-256 of an operation's text, by its name (docs/graph.md, "Persisted operations"). */
const HASHES: Readonly<Record<string, string>> = hashes;

/** Names each operation by its hash instead of sending its text. */
const persisted = mapExchange({
  onOperation: (operation) => {
    const [name] = operation.query.definitions.flatMap((definition) =>
      'operation' in definition && definition.name ? [definition.name.value] : [],
    );
    const sha256Hash = name === undefined ? undefined : HASHES[name];
    if (sha256Hash === undefined) return operation;
    return makeOperation(operation.kind, {
      ...operation,
      extensions: { ...operation.extensions, persistedQuery: { version: 1, sha256Hash } },
    });
  },
});

/** A wrong password or code here is refused like a login, but the session continues. */
const confirms = ({ variables }: Operation<unknown>): boolean =>
  variables !== undefined &&
  ['password', 'code', 'passkey', 'answer'].some((name) => name in variables);

/** An answer without a root that failed: the page shows the refusal, so the generated types have no null there. */
const lacksRoot = ({ data, error }: OperationResult<unknown>): boolean =>
  error !== undefined && Object.values(data ?? {}).includes(null);

const socketUrl = (): string => {
  const url = new URL(GRAPHQL, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
};

/**
 * The session is in a cookie that scripts cannot read; the header proves that our own page asks (docs/operators.md).
 * @param live whether an operator is logged in, so that the page can subscribe to changes
 * @param onEnded called when the platform has ended the session
 */
export function connect(live: boolean, onEnded: () => void): Connected {
  const socket = live ? openSocket(socketUrl(), onEnded) : null;
  const client = createClient({
    url: GRAPHQL,
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: {
      credentials: 'same-origin',
      headers: { 'X-Causeway-Console': '1' },
      cache: 'no-store',
    },
    exchanges: [
      mapExchange({
        onError: (error, operation) => {
          if (live && failureOf(error).kind === 'ended' && !confirms(operation)) onEnded();
        },
        onResult: (result) => (lacksRoot(result) ? { ...result, data: undefined } : result),
      }),
      cacheExchange,
      persisted,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: (request) => ({
          subscribe: (sink) => ({
            unsubscribe:
              socket?.subscribe({ ...request, query: request.query ?? '' }, sink) ??
              (() => undefined),
          }),
        }),
      }),
    ],
  });
  return {
    client,
    close: () => {
      if (socket) closeSocket(socket);
    },
  };
}
