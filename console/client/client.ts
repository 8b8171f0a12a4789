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
import { SessionDocument } from '../generated/operations';
import { failureOf } from './failure';
import { createHold } from './hold';
import { closeSocket, openSocket, reopenSocket } from './live';

const GRAPHQL = '/graphql';

/** A client and how to close it. Each login has its own, so that no cache outlives it. */
export interface Connected {
  readonly client: Client;
  /** The operator whose session ended is logged in again: the pages go on. */
  readonly resume: () => void;
  readonly close: () => void;
}

/** SHA-256 of an operation's text, by its name (docs/graph.md, "Persisted operations"). */
const HASHES: Readonly<Record<string, string>> = hashes;

const nameOf = ({ query }: Pick<Operation, 'query'>): string | undefined =>
  query.definitions.flatMap((definition) =>
    'operation' in definition && definition.name ? [definition.name.value] : [],
  )[0];

/** Names each operation by its hash instead of sending its text. */
const persisted = mapExchange({
  onOperation: (operation) => {
    const name = nameOf(operation);
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
  variables !== undefined && ['password', 'code', 'passkey', 'answer'].some((name) => name in variables);

/** Whether an answer says that the session has ended. */
export const saysEnded = ({ error, operation }: Pick<OperationResult<unknown>, 'error' | 'operation'>): boolean =>
  error !== undefined && failureOf(error).kind === 'ended' && !confirms(operation);

/** The question who is logged in. */
const asksWho = (operation: Operation): boolean => nameOf(operation) === nameOf({ query: SessionDocument });

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
  const hold = createHold(asksWho, saysEnded);
  const ended = (): void => {
    hold.suspend();
    onEnded();
  };
  const socket = live ? openSocket(socketUrl(), ended, hold.over) : null;
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
        onResult: (result) => (lacksRoot(result) ? { ...result, data: undefined } : result),
      }),
      cacheExchange,
      ...(live ? [hold.exchange] : []),
      mapExchange({
        onResult: (result) => {
          if (live && saysEnded(result)) ended();
        },
      }),
      persisted,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: (request) => ({
          subscribe: (sink) => ({
            unsubscribe: socket?.subscribe({ ...request, query: request.query ?? '' }, sink) ?? (() => undefined),
          }),
        }),
      }),
    ],
  });
  return {
    client,
    resume: () => {
      hold.resume();
      if (socket) reopenSocket(socket);
    },
    close: () => {
      if (socket) closeSocket(socket);
    },
  };
}
