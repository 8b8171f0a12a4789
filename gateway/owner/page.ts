import type { PageAssets } from '../cashier/assets';
import { palettes } from '../cashier/colours';
import { type Html, html } from '../cashier/html';
import { ICONS } from '../cashier/icons';

/** The input of the page. */
export interface OwnerPage {
  readonly assets: PageAssets;
  readonly nonce: string;
  /** Where merchants reach the REST API, without a trailing slash. */
  readonly merchantApiUrl: string;
}

const copied = (label: string, id: string): Html =>
  html`<div class="shown">
    <h2>${label}</h2>
    <pre id="${id}"></pre>
    <button type="button" class="copy" data-copies="${id}">${ICONS.copy}<span>Copy</span></button>
  </div>`;

/**
 * The page that a link to a secret opens. Its token is behind the #, which no server and no log sees. A GET shows a
 * button and nothing else, so that what follows links in mails uses nothing up; the script fetches the secret when the
 * button is pressed (cashier/keys.ts).
 */
export function ownerPage({ assets, nonce, merchantApiUrl }: OwnerPage): string {
  const { light, dark } = palettes(null);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex,nofollow" />
        <title>Your secret</title>
        <link rel="stylesheet" href="${assets.style}" nonce="${nonce}" />
        <style nonce="${nonce}">
          :root {
            --brand: ${light.brand};
            --on-brand: ${light.onBrand};
            --tint: ${light.tint};
          }
          @media (prefers-color-scheme: dark) {
            :root {
              --brand: ${dark.brand};
              --on-brand: ${dark.onBrand};
              --tint: ${dark.tint};
            }
          }
        </style>
        <link rel="icon" href="data:," />
        <script type="module" src="${assets.script}" nonce="${nonce}"></script>
      </head>
      <body class="owner">
        <div class="sheet">
          <main id="main" data-api="${merchantApiUrl}">
            <section id="closed">
              <h1>A secret is ready for you</h1>
              <p>
                It is shown once. Have the place ready where you keep it, and press the button when
                nobody else sees your screen.
              </p>
              <button type="button" class="button main" id="take">Show the secret</button>
              <noscript><p>This page needs JavaScript.</p></noscript>
            </section>
            <section id="open" hidden>
              <h1 tabindex="-1" id="title"></h1>
              <p>Keep it now: this link does not open again.</p>
              ${copied('Secret', 'secret')}
              <div id="of-key" hidden>
                ${copied('Base address', 'base')}
                ${copied('A first signed request (bash, curl, openssl)', 'sample')}
                <p class="light" id="light" role="status" data-on="no">
                  <span aria-hidden="true"></span
                  ><b id="light-text">No signed request has come yet.</b>
                </p>
              </div>
            </section>
            <section id="ended" hidden>
              <h1>This link does not open</h1>
              <p id="why"></p>
            </section>
          </main>
        </div>
        <p class="unseen" id="notice" role="status"></p>
      </body>
    </html>`.text;
}
