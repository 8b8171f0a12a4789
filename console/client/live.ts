import { type Client as Socket, createClient } from 'graphql-ws';
import { useSyncExternalStore } from 'react';

/** The state of live updates: live; connecting, at first or again; or idle, if the page has no subscription. */
export type Connection = 'live' | 'connecting' | 'idle';

let connection: Connection = 'idle';
const listeners = new Set<() => void>();

function become(next: Connection): void {
  connection = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The state of the connection for live updates. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);

/** Exponential backoff up to 30 s, with jitter. */
const patience = async (retries: number): Promise<void> => {
  const wait = Math.min(30_000, 500 * 2 ** retries) * (0.7 + Math.random() * 0.6);
  await new Promise((resolve) => setTimeout(resolve, wait));
};

/** The platform closes a socket with this code if there is no session. */
const FORBIDDEN = 4403;

/**
 * Opens the page's one socket and reconnects it.
 * @param onEnded the session has ended
 * @param back resolves when somebody is logged in
 */
export function openSocket(url: string, onEnded: () => void, back: () => Promise<void>): Socket {
  become('connecting');
  return createClient({
    url,
    // Connects at once and stays connected: the page shows its state as freshness.
    lazy: false,
    retryAttempts: Infinity,
    retryWait: async (retries) => {
      await patience(retries);
      await back();
    },
    // Reconnects after any close.
    shouldRetry: () => true,
    onNonLazyError: () => undefined,
    on: {
      connecting: () => {
        become('connecting');
      },
      connected: () => {
        become('live');
      },
      closed: (event) => {
        become('connecting');
        if ((event as CloseEvent).code === FORBIDDEN) onEnded();
      },
    },
  });
}

/** Opens the socket again: it belongs to the session in which it was opened. */
export function reopenSocket(socket: Socket): void {
  socket.terminate();
}

/** Ends the subscriptions of the page. */
export function closeSocket(socket: Socket): void {
  // Rejects if the socket closes before it has connected: then nothing is left to close.
  void Promise.resolve(socket.dispose()).catch(() => undefined);
  become('idle');
}
