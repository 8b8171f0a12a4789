import { tell } from './tell';

/** Without a socket the page asks this often, milliseconds. */
const POLL_MS = 8_000;
/** Beside a live socket it asks seldom: nothing depends on one way alone. */
const CHECK_MS = 60_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 20_000;
/** The server says something every 25 s; a socket that is silent for longer is dead, whatever it says of itself. */
const SILENCE_MS = 60_000;
/** Who has had no answer after this will have none. */
const ANSWER_WITHIN_MS = 10_000;

const main = (): HTMLElement => document.getElementById('main') as HTMLElement;

/** The main part of a page's text; the rest, whose nonces are not of this page, is not even parsed. */
function mainOf(page: string): HTMLElement | null {
  const text = page.slice(page.indexOf('<main'), page.lastIndexOf('</main>') + '</main>'.length);
  const found = new DOMParser().parseFromString(text, 'text/html').getElementById('main');
  return found && document.adoptNode(found);
}

/**
 * Keeps the page as things are: a socket says when something changed, the page is then fetched anew and its main part
 * put in place of the old one. Without a socket it asks now and then; and at once when the payer comes back to it,
 * when the network does, and when the time is up.
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

  /** Whether something may still happen: `poll` where no session is known to listen to. */
  const live = (): string => main().dataset['live'] ?? 'no';

  const replace = (next: HTMLElement): void => {
    const old = main();
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(next);
    onChanged();
    const heading = next.querySelector<HTMLElement>('h1');
    if (hadFocus) heading?.focus();
    const lead = next.querySelector('.verdict p')?.textContent ?? '';
    tell(`${heading?.textContent ?? ''}. ${lead}`);
  };

  const ask = async (): Promise<void> => {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    lastAsked = Date.now();
    try {
      // A form that is being filled in is another page of the same path.
      const answer = await fetch(location.pathname.replace(/\/$/, '') + location.search, {
        headers: { accept: 'text/html' },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      showOffline(false);
      // Trouble passes; what is shown stays.
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
      // Something changed while the answer was on its way: it may have been of before.
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
    const opened = new WebSocket(
      `${location.protocol.replace('http', 'ws')}//${location.host}${path}`,
    );
    socket = opened;
    lastHeard = Date.now();
    opened.addEventListener('message', ({ data }) => {
      retryMs = FIRST_RETRY_MS;
      lastHeard = Date.now();
      const { state, changed } = JSON.parse(String(data)) as { state?: string; changed?: true };
      // A form of the same state is another page of it.
      const missed = state !== undefined && !main().dataset['state']?.startsWith(state);
      if (missed || changed) void ask();
    });
    opened.addEventListener('close', () => {
      if (socket !== opened) return;
      socket = null;
      // Not all at the same moment, when a server has gone.
      retry = setTimeout(connect, retryMs * (0.5 + Math.random()));
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    });
  };

  /** Somebody looks again: what was missed meanwhile is asked for, and a socket that died unheard is replaced. */
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
