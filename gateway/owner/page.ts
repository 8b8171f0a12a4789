import type { PageAssets } from '../cashier/assets';
import { html } from '../cashier/html';
import { copied, linkPage } from './link-page';

/** The input of the page. */
export interface OwnerPage {
  readonly assets: PageAssets;
  readonly nonce: string;
  /** Where merchants reach the REST API, without a trailing slash. */
  readonly merchantApiUrl: string;
}

/** The page that a link to a secret opens; the script fetches the secret when the button is pressed (cashier/keys.ts). */
export const ownerPage = ({ assets, nonce, merchantApiUrl }: OwnerPage): string =>
  linkPage({
    assets,
    nonce,
    title: 'Your secret',
    body: html`<main id="main" data-api="${merchantApiUrl}">
      <section id="closed">
        <h1>A secret is ready for you</h1>
        <p>
          It is shown once. Have the place ready where you keep it, and press the button when nobody else sees your
          screen.
        </p>
        <button type="button" class="button main" id="take">Show the secret</button>
        <noscript><p>This page needs JavaScript.</p></noscript>
      </section>
      <section id="open" hidden>
        <h1 tabindex="-1" id="title"></h1>
        <p>Keep it now: this link does not open again.</p>
        ${copied('Secret', 'secret')}
        <div id="of-key" hidden>
          ${copied('Base address', 'base')} ${copied('A first signed request (bash, curl, openssl)', 'sample')}
          <p class="light" id="light" role="status" data-on="no">
            <span aria-hidden="true"></span><b id="light-text">No signed request has come yet.</b>
          </p>
          <p>
            An older key that still works signs your callbacks until you create an order with this one, or until it
            retires. So put this key on your server first, for requests and for checking callbacks.
          </p>
        </div>
      </section>
      <section id="ended" hidden>
        <h1>This link does not open</h1>
        <p id="why"></p>
      </section>
    </main>`,
  });
