/** The page on which a merchant's owner fetches a secret: the part of its address behind # is the token of the link. */

/** How often the light is asked about, milliseconds. */
const LIGHT_MS = 4_000;

interface Taken {
  readonly secret: string;
  readonly kind: 'api_key' | 'webhook_secret';
  readonly merchant_code: string;
  readonly webhook_url: string | null;
}

const one = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const token = location.hash.slice(1);

/** @returns null where the link does not open */
async function ask<Data>(path: string): Promise<Data | null> {
  const answer = await fetch(`/cashier/keys/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (answer.status === 401 || answer.status === 422) return null;
  if (!answer.ok) throw new Error(String(answer.status));
  return ((await answer.json()) as { readonly data: Data }).data;
}

function show(id: 'closed' | 'open' | 'ended'): void {
  for (const part of ['closed', 'open', 'ended']) one(part).hidden = part !== id;
}

/** A query of the balance, signed as the contract says; it changes nothing. */
const sampleOf = (base: string, key: string): string =>
  [
    `key='${key}'`,
    'now=$(date +%s)',
    `curl -sS '${base}/balance' \\`,
    '  -H "X-API-Key: $key" -H "X-Timestamp: $now" \\',
    '  -H "X-Signature: $(printf %s "timestamp=$now$key" | openssl md5 -r | cut -c1-32)"',
  ].join('\n');

function watchLight(): void {
  const timer = setInterval(() => {
    ask<{ readonly first_used_at: string | null }>('light').then(
      (light) => {
        if (light && light.first_used_at === null) return;
        clearInterval(timer);
        if (!light) return;
        one('light').dataset['on'] = 'yes';
        one('light-text').textContent = 'The first signed request has come: the key works.';
      },
      // It is asked again.
      () => undefined,
    );
  }, LIGHT_MS);
}

function open({ secret, kind, merchant_code: code, webhook_url: url }: Taken): void {
  one('title').textContent =
    kind === 'api_key' ? `The API key of ${code}` : `The secret of ${url ?? 'your webhook'}`;
  one('secret').textContent = secret;
  show('open');
  // What is used up needs no place in the history.
  history.replaceState(null, '', location.pathname);
  one('title').focus();
  if (kind !== 'api_key') return;
  const base = one('main').dataset['api'] ?? '';
  one('base').textContent = base;
  one('sample').textContent = sampleOf(base, secret);
  one('of-key').hidden = false;
  watchLight();
}

async function take(button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  try {
    const taken = await ask<Taken>('take');
    if (taken) {
      open(taken);
      return;
    }
    one('why').textContent =
      'It was used, has ended, or was replaced by a newer mail. Ask for another one.';
    show('ended');
  } catch {
    one('notice').textContent = 'The platform could not be reached. Try again.';
    one('notice').className = 'note';
    button.disabled = false;
  }
}

addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  if (!button) return;
  const copies = button.dataset['copies'];
  if (button.id === 'take') void take(button);
  else if (copies !== undefined) {
    void navigator.clipboard.writeText(one(copies).textContent).then(() => {
      one('notice').textContent = 'Copied.';
    });
  }
});
