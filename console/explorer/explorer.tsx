import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createClient } from 'graphql-ws';
import { type ReactNode, useMemo, useState } from 'react';
import { collection } from './collection';
import { GRAPHQL, type LoggedIn, LoginBar } from './login';

/** Sends operations with the login's token; subscriptions use a separate socket. */
function fetcherOf(token: string) {
  const authorization = `Bearer ${token}`;
  const url = new URL(GRAPHQL, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return createGraphiQLFetcher({
    url: GRAPHQL,
    headers: { authorization },
    wsClient: createClient({ url: url.href, connectionParams: { authorization } }),
  });
}

/** The explorer of a sandbox: a login, then the schema, the ready operations and an editor. */
export function Explorer(): ReactNode {
  const [loggedIn, setLoggedIn] = useState<LoggedIn | null>(null);
  const fetcher = useMemo(() => loggedIn && fetcherOf(loggedIn.token), [loggedIn]);
  if (!loggedIn || !fetcher) return <LoginBar onLogin={setLoggedIn} />;
  return (
    <div className="explorer">
      <div className="login">
        <strong>Causeway</strong>
        <span>{loggedIn.login}</span>
        <button
          type="button"
          onClick={() => {
            setLoggedIn(null);
          }}
        >
          Forget the login
        </button>
      </div>
      <GraphiQL
        fetcher={fetcher}
        plugins={[collection]}
        visiblePlugin={collection.title}
        defaultQuery={'query Me {\n  me {\n    login\n    roles\n  }\n}\n'}
      />
    </div>
  );
}
