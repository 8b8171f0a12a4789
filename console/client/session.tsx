import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { Provider } from 'urql';
import {
  BeginPasskeySignInDocument,
  LogoutDocument,
  type PasskeyAnswerInput,
  type PasskeyRequestFragment,
  SessionDocument,
  type SessionQuery,
  SignInDocument,
} from '../generated/operations';
import { connect } from './client';
import { type Failure, failureOf } from './failure';

/** The operator who is logged in. */
export type Me = SessionQuery['me'];

/** The session and its actions. */
export interface Session {
  readonly me: Me;
  readonly logout: () => Promise<void>;
  /** The platform ended the session with the last mutation. */
  readonly leave: (why: LeftBecause) => void;
}

/** Why the login page is shown; `first`: nobody was logged in before. */
export type LeftBecause = 'first' | 'ended' | 'left' | 'password';

/** The state of a login; `ended`: the page waits for its operator's next login. */
type State =
  | { readonly at: 'looking' }
  | { readonly at: 'out'; readonly why: LeftBecause }
  | { readonly at: 'unreachable'; readonly failure: Failure }
  | { readonly at: 'in' | 'ended'; readonly me: Me };

/** The login page's input. */
export interface Credentials {
  readonly login: string;
  readonly password: string;
  /** From the authenticator app, or a recovery code; null until a code is needed. */
  readonly code: string | null;
  /** A passkey's answer to the challenge, instead of a code. */
  readonly passkey?: PasskeyAnswerInput | null;
}

interface Gate {
  readonly state: State;
  readonly login: (credentials: Credentials) => Promise<Failure | null>;
  /** The challenge for the operator's passkeys; null if there are none for this address. */
  readonly passkeyFor: (credentials: Pick<Credentials, 'login' | 'password'>) => Promise<PasskeyRequestFragment | null>;
  readonly retry: () => void;
}

/** The console's first page. */
const HOME = '/console/';

const SessionContext = createContext<Session | null>(null);
const GateContext = createContext<Gate | null>(null);

/** The current session. Only inside the shell. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('no operator is logged in');
  return session;
}

/** For pages that need no login. */
export function useGate(): Gate {
  const gate = use(GateContext);
  if (!gate) throw new Error('used outside of SessionProvider');
  return gate;
}

/** Provides the session to everything below. */
export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const [state, setState] = useState<State>({ at: 'looking' });
  // Rises with each check of the session.
  const [looks, setLooks] = useState(0);
  const live = state.at === 'in' || state.at === 'ended';

  const connected = useMemo(
    () =>
      connect(live, () => {
        setState((now) => (now.at === 'in' ? { ...now, at: 'ended' } : now));
      }),
    [live],
  );
  useEffect(() => connected.close, [connected]);

  const ask = useCallback(
    async () => await connected.client.query(SessionDocument, {}, { requestPolicy: 'network-only' }),
    [connected],
  );
  const looking = state.at === 'looking';
  useEffect(() => {
    if (!looking) return;
    let current = true;
    void ask().then(({ data, error }) => {
      if (!current) return;
      const failure = error && failureOf(error);
      if (data) setState({ at: 'in', me: data.me });
      else if (failure?.kind === 'ended') setState({ at: 'out', why: 'first' });
      else if (failure) setState({ at: 'unreachable', failure });
    });
    return () => {
      current = false;
    };
  }, [ask, looking, looks]);

  const left = state.at === 'ended' ? state.me.id : null;
  /** Goes on with the page if its own operator is logged in; another operator gets a new page, and nothing of this one. */
  const goOn = useCallback(async (): Promise<Failure | null> => {
    const { data, error } = await ask();
    if (!data) return error ? failureOf(error) : null;
    if (data.me.id === left) {
      setState({ at: 'in', me: data.me });
      connected.resume();
    } else window.location.replace(HOME);
    return null;
  }, [ask, connected, left]);
  useEffect(() => {
    if (left === null) return;
    // The operator may have logged in in another tab.
    const look = (): void => void goOn();
    window.addEventListener('focus', look);
    return () => {
      window.removeEventListener('focus', look);
    };
  }, [left, goOn]);

  const look = useCallback(() => {
    setState({ at: 'looking' });
    setLooks((n) => n + 1);
  }, []);
  const gate = useMemo<Gate>(
    () => ({
      state,
      retry: look,
      login: async (credentials) => {
        const { error } = await connected.client.mutation(SignInDocument, {
          passkey: null,
          ...credentials,
        });
        if (error) return failureOf(error);
        if (left !== null) return await goOn();
        look();
        return null;
      },
      passkeyFor: async ({ login, password }) => {
        const asked = { login, password };
        const { data } = await connected.client.mutation(BeginPasskeySignInDocument, asked);
        return data?.beginPasskeySignIn.passkey ?? null;
      },
    }),
    [connected, state, look, left, goOn],
  );
  const session = useMemo<Session | null>(
    () =>
      state.at === 'in' || state.at === 'ended'
        ? {
            me: state.me,
            logout: async () => {
              await connected.client.mutation(LogoutDocument, {});
              setState({ at: 'out', why: 'left' });
            },
            leave: (why) => {
              setState({ at: 'out', why });
            },
          }
        : null,
    [state, connected],
  );
  return (
    <GateContext value={gate}>
      <SessionContext value={session}>
        <Provider value={connected.client}>{children}</Provider>
      </SessionContext>
    </GateContext>
  );
}
