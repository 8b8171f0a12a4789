import { announce } from './announce';

/** Poll interval without a socket, milliseconds. */
const POLL_MS = 8_000;
/** Poll interval beside a live socket, as a fallback. */
const CHECK_MS = 60_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 20_000;
/** The server sends something every 25 s; a socket silent for longer is dead. */
const SILENCE_MS = 60_000;
/** Timeout of a request. */
const ANSWER_WITHIN_MS = 10_000;

const main = (): HTMLElement => document.getElementById('main') as HTMLElement;

/** Cuts the main part out of a page's text; the rest has other nonces and is not parsed. */
function mainOf(page: string): HTMLElement | null {
  const text = page.slice(page.indexOf('<main'), page.lastIndexOf('</main>') + '</main>'.length);
  const found = new DOMParser().parseFromString(text, 'text/html').getElementById('main');
  return found && document.adoptNode(found);
}

/**
 * Keeps the page up to date: a socket reports each change; the page is then fetched again and its main part replaced.
 * Without a socket it polls. It also fetches at once when the payer or the network returns, and when the time is up.
 * @param onChanged the main part is another one
 */
export function stayInTouch(onChanged: () => void): void {
  let socket: WebSocket | null = null;
  let retryMs = FIRST_RETRY_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let lastAsked = Date.now();
  let lastHeard = 0;
  let asking = false;
  let again = false;

  const showOffline = (offline: boolean): void => {
    const note = document.getElementById('offline');
    if (!note || note.hidden === !offline) return;
    note.hidden = !offline;
    note.textContent = offline ? (note.dataset['text'] ?? '') : '';
  };

  /** Whether the state may still change: `poll` if there is no session to listen to. */
  const live = (): string => main().dataset['live'] ?? 'no';

  const replace = (next: HTMLElement): void => {
    const old = main();
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(next);
    onChanged();
    const heading = next.querySelector<HTMLElement>('h1');
    if (hadFocus) heading?.focus();
    const lead = next.querySelector('.verdict p')?.textContent ?? '';
    announce(`${heading?.textContent ?? ''}. ${lead}`);
  };

  const ask = async (): Promise<void> => {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    lastAsked = Date.now();
    try {
      // A form being filled in is another page of the same path.
      const answer = await fetch(location.pathname.replace(/\/$/, '') + location.search, {
        headers: { accept: 'text/html' },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      showOffline(false);
      // The failure is temporary: keep what is shown.
      if (answer.status >= 500 || answer.status === 429) return;
      const next = mainOf(await answer.text());
      if (!next) return;
      if (next.dataset['state'] !== main().dataset['state']) {
        replace(next);
      } else {
        const left = next.querySelector<HTMLElement>('[data-left]')?.dataset['left'];
        const timer = main().querySelector<HTMLElement>('[data-left]');
        if (timer && left !== undefined) timer.dataset['left'] = left;
        onChanged();
      }
    } catch {
      showOffline(true);
    } finally {
      asking = false;
      // Something changed during the request: the answer may be stale.
      if (again) {
        again = false;
        void ask();
      }
    }
  };

  const connect = (): void => {
    clearTimeout(retry);
    if (socket || live() !== 'yes') return;
    const path = `${main().dataset['path'] ?? ''}/stream`;
    const opened = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}${path}`);
    socket = opened;
    lastHeard = Date.now();
    opened.addEventListener('message', ({ data }) => {
      retryMs = FIRST_RETRY_MS;
      lastHeard = Date.now();
      const { state, changed } = JSON.parse(String(data)) as { state?: string; changed?: true };
      // The state of a claim form begins with the state of its page.
      const missed = state !== undefined && !main().dataset['state']?.startsWith(state);
      if (missed || changed) void ask();
    });
    opened.addEventListener('close', () => {
      if (socket !== opened) return;
      socket = null;
      // Jitter, so that pages do not all reconnect at once.
      retry = setTimeout(connect, retryMs * (0.5 + Math.random()));
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    });
  };

  /** The payer is back: reload, and replace a dead socket. */
  const wake = (): void => {
    if (document.visibilityState === 'hidden') return;
    if (live() !== 'no') void ask();
    socket?.close();
    socket = null;
    retryMs = FIRST_RETRY_MS;
    connect();
  };

  setInterval(() => {
    if (live() === 'no') {
      socket?.close();
      return;
    }
    if (document.visibilityState === 'hidden') return;
    if (socket && Date.now() - lastHeard > SILENCE_MS) {
      wake();
      return;
    }
    const every = socket?.readyState === WebSocket.OPEN ? CHECK_MS : POLL_MS;
    if (Date.now() - lastAsked >= every) void ask();
  }, 1_000);
  addEventListener('timeisup', () => {
    if (live() !== 'no' && Date.now() - lastAsked > 2_000) void ask();
  });
  document.addEventListener('visibilitychange', wake);
  addEventListener('online', wake);
  addEventListener('offline', () => {
    showOffline(true);
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) wake();
  });
  connect();
}
