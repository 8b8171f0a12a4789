import type { PageAssets } from './assets';
import { palettes } from './colours';
import { type Html, html } from './html';
import { ICONS } from './icons';
import { problemNote, type Scenery, verdict } from './parts';
import { deadlineOf, isWaiting, mayClaim, type Scene, sceneOf, stateOf } from './scene';
import { choose, chooseCard } from './scenes/choose';
import { claimPage } from './scenes/claim';
import { completed, confirming, lost, over, preparing } from './scenes/ends';
import { pay, redirect } from './scenes/pay';
import { type Language, LANGUAGES } from './texts';
import type { Texts } from './texts/texts';
import type { CashierView } from './view';

/** Reload interval of a waiting page without a script, seconds. */
const RELOAD_SECONDS = 20;

/** The input of every page. */
interface Shell {
  readonly language: Language;
  readonly path: string;
  readonly nonce: string;
  readonly assets: PageAssets;
}

/** The input of a session's page. */
export interface CashierPage extends Shell {
  readonly view: CashierView;
  readonly problem: Scenery['problem'];
  /** Whether the claim form replaces the scene. */
  readonly claiming: boolean;
}

function sceneHtml(scenery: Scenery, scene: Scene): Html {
  const { order } = scenery.view;
  switch (scene) {
    case 'choose':
      return choose(scenery);
    case 'card':
      return order ? chooseCard(scenery, order) : preparing(scenery);
    case 'session-expired':
      return over(scenery);
    case 'preparing':
      return preparing(scenery);
    case 'confirming':
      return confirming(scenery);
    case 'expired':
    case 'cancelled':
    case 'failed':
      return lost(scenery, scene);
    case 'pay':
      return order ? pay(scenery, order) : preparing(scenery);
    case 'redirect':
      return order ? redirect(scenery, order) : preparing(scenery);
    case 'completed':
      return order ? completed(scenery, order) : preparing(scenery);
  }
}

/** The step of each scene. The steps are decorative: the headings say the same. */
const STEP_OF: Partial<Record<Scene, number>> = {
  choose: 0,
  card: 0,
  pay: 1,
  redirect: 1,
  preparing: 1,
  confirming: 1,
  completed: 3,
};

function steps(scene: Scene, { steps: { choose, pay, done } }: Texts): Html | null {
  const now = STEP_OF[scene];
  if (now === undefined) return null;
  return html`<ol class="steps" aria-hidden="true">
    ${[choose, pay, done].map(
      (label, n) => html`<li class="${n < now ? 'past' : n === now ? 'now' : 'next'}">${label}</li>`,
    )}
  </ol>`;
}

/** Time left in minutes and seconds; from an hour on in hours, too. */
function clockText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const minutes = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds < 3600 ? minutes : `${Math.floor(seconds / 3600)}:${minutes}`;
}

/** Counted by the server's clock: the script gets the time that is left, not the end. */
function countdown(view: CashierView, { timeLeft }: Texts): Html | null {
  const deadline = deadlineOf(view);
  if (deadline === null) return null;
  const left = Date.parse(deadline) - Date.parse(view.serverTime);
  return html`<p class="countdown">
    ${ICONS.clock}<span>${timeLeft}</span>
    <span role="timer" aria-live="off" data-left="${Math.max(0, left)}">${clockText(left)}</span>
  </p>`;
}

const languageMenu = (language: Language, path: string, texts: Texts): Html =>
  html` <details class="languages">
    <summary aria-label="${texts.language}: ${texts.name} (${language.toUpperCase()})">
      ${ICONS.globe}<span>${language.toUpperCase()}</span>${ICONS.chevron}
    </summary>
    <ul>
      ${Object.entries(LANGUAGES).map(
        ([tag, { name, locale }]) =>
          html`<li>
            <a
              href="${path}?lang=${tag}"
              lang="${locale}"
              hreflang="${locale}"
              ${tag === language && html`aria-current="true"`}
              >${name}${tag === language && ICONS.check}</a
            >
          </li>`,
      )}
    </ul>
  </details>`;

/** The first letter, for a merchant without a logo. */
const monogram = (name: string): string => (name.trim().match(/\p{L}|\p{N}/u)?.[0] ?? '•').toUpperCase();

const merchantMark = ({ name, logoUrl }: CashierView['merchant']): Html =>
  logoUrl !== null && /^https:\/\//i.test(logoUrl)
    ? html`<span class="mark logo"
        ><img src="${logoUrl}" alt="" width="44" height="44" referrerpolicy="no-referrer" decoding="async"
      /></span>`
    : html`<span class="mark" aria-hidden="true">${monogram(name)}</span>`;

/** The only inline style: the merchant's colours. */
function colours(colour: string | null, nonce: string): Html {
  const { light, dark } = palettes(colour);
  return html`<style nonce="${nonce}">
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
  </style>`;
}

interface Document extends Shell {
  readonly title: string;
  readonly colour: string | null;
  readonly reloads: boolean;
  readonly body: Html;
}

function documentOf({ language, title, colour, reloads, nonce, assets, path, body }: Document): string {
  const { locale, dir } = LANGUAGES[language];
  return html`<!doctype html>
    <html lang="${locale}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f4f5f8" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0e1116" media="(prefers-color-scheme: dark)" />
        <meta name="format-detection" content="telephone=no" />
        <meta name="robots" content="noindex,nofollow" />
        <title>${title}</title>
        <link rel="stylesheet" href="${assets.style}" nonce="${nonce}" />
        ${colours(colour, nonce)}
        <link rel="icon" href="data:," />
        <script type="module" src="${assets.script}" nonce="${nonce}"></script>
        ${reloads && html`<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}; url=${path}" /></noscript>`}
      </head>
      <body>
        ${body}
      </body>
    </html>`.text;
}

/** The page of a session, as one document. */
export function cashierPage(page: CashierPage): string {
  const { view, language, path } = page;
  const texts = LANGUAGES[language];
  const scenery: Scenery = { view, texts, path, problem: page.problem };
  const scene = sceneOf(view);
  const claiming = page.claiming && mayClaim(view) && scene !== 'expired';
  const inForm = scene === 'choose' || scene === 'card' || claiming;
  const content = claiming ? claimPage(scenery) : sceneHtml(scenery, scene);
  const main = html` <main
    id="main"
    data-state="${stateOf(view)}${claiming ? '.claiming' : ''}"
    data-path="${path}"
    data-live="${isWaiting(scene) ? 'yes' : 'no'}"
  >
    ${steps(scene, texts)} ${countdown(view, texts)}
    ${!inForm && scene !== 'expired' && scene !== 'cancelled' && scene !== 'failed' ? problemNote(scenery) : null}
    ${content}
  </main>`;
  const body = html` ${view.sandbox && html`<aside class="sandbox"><strong>${texts.sandbox.title}</strong> ${texts.sandbox.lead}</aside>`}
    <div class="sheet">
      <header>
        ${merchantMark(view.merchant)}
        <div class="who"><strong>${view.merchant.name}</strong><span>${ICONS.lock}${texts.secure}</span></div>
        ${languageMenu(language, path, texts)}
      </header>
      ${main}
    </div>
    <footer>
      <p>${ICONS.lock}${texts.neverAsk}</p>
      ${view.order && scene !== 'completed' && html`<p>${texts.orderNo} <bdi>${view.order.orderNo}</bdi></p>`}
    </footer>
    <p class="offline" id="offline" role="alert" hidden data-text="${texts.offline}"></p>
    <p class="unseen" id="notice" role="status" data-copied="${texts.copied}"></p>`;
  return documentOf({
    ...page,
    title: `${view.merchant.name} · ${texts.secure}`,
    colour: view.merchant.colour,
    reloads: isWaiting(scene) && !inForm,
    body,
  });
}

/** A page without a session: a dead link, or a failure. */
export function noticePage(shell: Shell, notice: 'invalid' | 'unavailable'): string {
  const texts = LANGUAGES[shell.language];
  const { title, lead } = texts[notice];
  const unavailable = notice === 'unavailable';
  return documentOf({
    ...shell,
    title,
    colour: null,
    reloads: unavailable,
    body: html` <div class="sheet">
        <header>
          <span class="mark plain" aria-hidden="true">${ICONS.lock}</span>
          <div class="who"><strong>${texts.secure}</strong></div>
          ${languageMenu(shell.language, shell.path, texts)}
        </header>
        <main id="main" data-state="${notice}" data-path="${shell.path}" data-live="${unavailable ? 'poll' : 'no'}">
          ${verdict(unavailable ? 'busy' : 'bad', title, lead)}
          ${unavailable && html`<a class="button quiet" href="${shell.path}">${texts.refresh}</a>`}
        </main>
      </div>
      <p class="offline" id="offline" role="alert" hidden data-text="${texts.offline}"></p>
      <p class="unseen" id="notice" role="status" data-copied="${texts.copied}"></p>`,
  });
}
