/** The page on which a merchant's owner fetches a secret: the part of its address behind # is the token of the link. */

import { ask, copies, end, one, pressed, show } from './link';

/** How often the light is asked about, milliseconds. */
const LIGHT_MS = 4_000;

interface Taken {
  readonly secret: string;
  readonly kind: 'api_key' | 'webhook_secret';
  readonly merchant_code: string;
  readonly webhook_url: string | null;
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
    ask<{ readonly first_used_at: string | null }>('/cashier/keys/light').then(
      (light) => {
        const lit = light !== null && 'data' in light ? light.data : null;
        if (lit && lit.first_used_at === null) return;
        clearInterval(timer);
        if (!lit) return;
        one('light').dataset['on'] = 'yes';
        one('light-text').textContent = 'The first signed request has come: the key works.';
      },
      // It is asked again.
      () => undefined,
    );
  }, LIGHT_MS);
}

function open({ secret, kind, merchant_code: code, webhook_url: url }: Taken): void {
  one('title').textContent = kind === 'api_key' ? `The API key of ${code}` : `The secret of ${url ?? 'your webhook'}`;
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

const button = one('take') as HTMLButtonElement;
button.addEventListener('click', () => {
  void pressed(button, async () => {
    const taken = await ask<Taken>('/cashier/keys/take');
    if (taken !== null && 'data' in taken) open(taken.data);
    else end();
  });
});
copies();
