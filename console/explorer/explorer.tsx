import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createClient } from 'graphql-ws';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
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

/** One array, because GraphiQL opens the pane again when it gets another one. */
const PLUGINS = [collection];

/** The explorer of a sandbox: a login, then the schema, the ready operations and an editor. */
export function Explorer(): ReactNode {
  const [loggedIn, setLoggedIn] = useState<LoggedIn | null>(null);
  const fetcher = useMemo(() => loggedIn && fetcherOf(loggedIn.token), [loggedIn]);
  // GraphiQL chooses its pane only after it has decided whether to show one, but keeps the choice: mounted again, it shows
  // the pane, which lies outside of the window otherwise.
  const [mount, setMount] = useState('first');
  const mountWithPane = useCallback((pane: unknown) => {
    if (pane) setMount('with its pane');
  }, []);
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
        key={mount}
        fetcher={fetcher}
        plugins={PLUGINS}
        visiblePlugin={collection.title}
        onTogglePluginVisibility={mountWithPane}
        defaultQuery={'query Me {\n  me {\n    login\n    roles\n  }\n}\n'}
      />
    </div>
  );
}
