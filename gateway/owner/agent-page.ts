import type { PageAssets } from '../cashier/assets';
import { html } from '../cashier/html';
import { copied, linkPage } from './link-page';

/** The page that a link to enrol an agent opens; the script enrols the key that is given (cashier/agents.ts). */
export const agentPage = (page: {
  readonly assets: PageAssets;
  readonly nonce: string;
  /** Where agents report, such as `https://api.example/bank-notifications`. */
  readonly reportUrl: string;
}): string =>
  linkPage({
    assets: page.assets,
    nonce: page.nonce,
    title: 'Enrol an agent',
    body: html`<main id="main" data-api="${page.reportUrl}">
      <section id="closed">
        <h1>Enrol an agent</h1>
        <p>
          An agent may report what arrives on bank accounts. You give it a key pair of its own; the private key stays
          where the agent runs.
        </p>
        <button type="button" class="button main" id="take">Show the agent</button>
        <noscript><p>This page needs JavaScript.</p></noscript>
      </section>
      <section id="open" hidden>
        <h1 tabindex="-1" id="title"></h1>
        <dl class="facts" id="facts"></dl>
        ${copied('Make the key pair where the agent runs', 'sample')}
        <form id="enrol">
          <label for="public-key">Public key, as the last command prints it</label>
          <textarea
            id="public-key"
            rows="3"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            aria-describedby="problem"
            required
          ></textarea>
          <p class="problem" id="problem" role="alert"></p>
          <button type="submit" class="button main">Enrol this key</button>
        </form>
      </section>
      <section id="done" hidden>
        <h1 tabindex="-1" id="done-title"></h1>
        <p>The agent may report now. This link does not open again.</p>
        ${copied('X-Agent-Key', 'key-id')} ${copied('Where it reports', 'report-url')}
      </section>
      <section id="ended" hidden>
        <h1>This link does not open</h1>
        <p id="why"></p>
      </section>
    </main>`,
  });
