import type { PageAssets } from '../cashier/assets';
import { palettes } from '../cashier/colours';
import { type Html, html } from '../cashier/html';
import { ICONS } from '../cashier/icons';

/** The input of a page that a link in a mail opens. */
export interface LinkPage {
  readonly assets: PageAssets;
  readonly nonce: string;
  readonly title: string;
  /** Its sections; the script shows one of them. */
  readonly body: Html;
}

/** A text with a button that copies it. */
export const copied = (label: string, id: string): Html =>
  html`<div class="shown">
    <h2>${label}</h2>
    <pre id="${id}"></pre>
    <button type="button" class="copy" data-copies="${id}">${ICONS.copy}<span>Copy</span></button>
  </div>`;

/**
 * A page that a link in a mail opens. The link's token is behind the #, which no server and no log sees. A GET shows a
 * button and nothing else, so that what follows links in mails uses nothing up.
 */
export function linkPage({ assets, nonce, title, body }: LinkPage): string {
  const { light, dark } = palettes(null);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex,nofollow" />
        <title>${title}</title>
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
        <div class="sheet">${body}</div>
        <p class="unseen" id="notice" role="status"></p>
      </body>
    </html>`.text;
}
