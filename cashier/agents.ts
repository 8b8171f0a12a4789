/** The page on which the owner of an agent enrols the agent's public key, once. */
import { ask, copies, end, one, pressed, show } from './link';

interface Agent {
  readonly key_id: string;
  readonly label: string;
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  readonly currency_code: string | null;
  readonly max_transfer_amount: string | null;
  readonly max_daily_amount: string | null;
}

const MAKE = [
  'openssl genpkey -algorithm ed25519 -out agent.pem',
  'openssl pkey -in agent.pem -pubout -outform DER | base64',
].join('\n');

const ceiling = (amount: string | null, currency: string | null): string =>
  amount === null ? 'no ceiling' : `${amount} ${currency ?? ''}`.trim();

function fact(name: string, texts: readonly string[]): void {
  const term = document.createElement('dt');
  term.textContent = name;
  one('facts').append(term);
  for (const text of texts) {
    const value = document.createElement('dd');
    value.textContent = text;
    one('facts').append(value);
  }
}

function open(agent: Agent): void {
  one('title').textContent = `The agent ${agent.label}`;
  one('facts').textContent = '';
  fact(
    'Reports on',
    agent.accounts.map(({ id, name }) => `${name} (account_id ${id})`),
  );
  fact('Ceiling of one transfer', [ceiling(agent.max_transfer_amount, agent.currency_code)]);
  fact('Ceiling of 24 hours', [ceiling(agent.max_daily_amount, agent.currency_code)]);
  one('sample').textContent = MAKE;
  show('open');
  one('title').focus();
}

function enrolled({ label, key_id: keyId }: Agent): void {
  one('done-title').textContent = `The agent ${label} is enrolled`;
  one('key-id').textContent = keyId;
  one('report-url').textContent = one('main').dataset['api'] ?? '';
  show('done');
  // What is used up needs no place in the history.
  history.replaceState(null, '', location.pathname);
  one('done-title').focus();
}

const take = one('take') as HTMLButtonElement;
take.addEventListener('click', () => {
  void pressed(take, async () => {
    const agent = await ask<Agent>('/cashier/agents/show');
    if (agent !== null && 'data' in agent) open(agent.data);
    else end();
  });
});

const form = one('enrol') as HTMLFormElement;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const button = form.querySelector('button') as HTMLButtonElement;
  void pressed(button, async () => {
    const given = (one('public-key') as HTMLTextAreaElement).value;
    // A private key must not leave this page, even by mistake.
    if (/PRIVATE|MC4CAQ/.test(given)) {
      one('problem').textContent =
        'This is a private key: nothing was sent. Paste the public key, and make a new pair if others saw this one.';
      return;
    }
    const agent = await ask<Agent>('/cashier/agents/enrol', { public_key: given });
    if (agent === null) end();
    else if ('refused' in agent) one('problem').textContent = agent.refused;
    else enrolled(agent.data);
  });
});
copies();
