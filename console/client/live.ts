import { type Client as Socket, createClient } from 'graphql-ws';
import { useSyncExternalStore } from 'react';

/** How the console hears of changes: live; connecting, again or at first; or idle, where nothing is followed. */
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

/** Where the connection for live updates stands. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);

/** Waits longer after each failure, up to half a minute, and never the same as everybody else. */
const patience = async (retries: number): Promise<void> => {
  const wait = Math.min(30_000, 500 * 2 ** retries) * (0.7 + Math.random() * 0.6);
  await new Promise((resolve) => setTimeout(resolve, wait));
};

/** The platform closes a socket with this where there is no session. */
const FORBIDDEN = 4403;

/** Opens the one socket of this page and keeps it. @param onEnded the login has ended */
export function openSocket(url: string, onEnded: () => void): Socket {
  become('connecting');
  return createClient({
    url,
    // At once and always: whether it is open is what the page says of its freshness.
    lazy: false,
    retryAttempts: Infinity,
    retryWait: patience,
    // A platform that restarts, a network that went: whatever closed it, it opens again.
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

/** Nothing is followed any more. */
export function closeSocket(socket: Socket): void {
  void socket.dispose();
  become('idle');
}
