import { type CutAmount } from './amounts';
import { type Html, html } from './html';
import { ICONS } from './icons';
import type { Outcome, Problem, Texts } from './texts/texts';
import type { CashierView } from './view';

/** The input of every template. */
export interface Scenery {
  readonly view: CashierView;
  readonly texts: Texts;
  /** The page's own path, which carries the token. */
  readonly path: string;
  /** Why the last form was refused. */
  readonly problem: Problem | null;
}

/** Copies exactly the value. Hidden without a script (cashier/page.css). */
export const copyButton = (value: string, label: string, { copy, copyOf }: Texts): Html =>
  html` <button type="button" class="copy" data-copy="${value}" aria-label="${copyOf(label)}">
    ${ICONS.copy}<span>${copy}</span>
  </button>`;

/** One detail of a transfer, with its copy button. */
export const detail = (label: string, value: string | null, texts: Texts, copies = true): Html | null =>
  value === null || value === ''
    ? null
    : html` <div class="row">
        <dt>${label}</dt>
        <dd><bdi>${value}</bdi></dd>
        ${copies && html`<dd class="act">${copyButton(value, label, texts)}</dd>`}
      </div>`;

/** An amount with its identifying digits marked. */
export const amountOf = ({ before, identifying, after }: CutAmount): Html =>
  html`<bdi class="amount">${before}${identifying === '' ? null : html`<mark>${identifying}</mark>`}${after}</bdi>`;

/** The tone of a scene: the colour of its sign. */
type Mood = 'good' | 'busy' | 'bad' | 'still';

const SIGNS: Readonly<Record<Mood, Html | null>> = {
  good: ICONS.check,
  busy: null,
  bad: ICONS.cross,
  still: ICONS.clock,
};

/** The head of a scene that reports a state. Changes are announced by the title. */
export const verdict = (mood: Mood, title: string, lead: string): Html =>
  html` <div class="verdict ${mood}">
    <span class="sign">${SIGNS[mood]}</span>
    <h1 tabindex="-1">${title}</h1>
    <p>${lead}</p>
  </div>`;

/** A time in UTC; the script converts it to the payer's time zone. */
export const timeOf = (at: string, { locale }: Texts): Html => {
  const written = new Intl.DateTimeFormat(`${locale}-u-nu-latn-ca-gregory`, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(at));
  return html`<time datetime="${at}" data-local>${written} UTC</time>`;
};

/** The link back to the merchant's return URL. */
export const returnLink = ({ view: { returnUrl, merchant }, texts }: Scenery, main = true): Html | null =>
  returnUrl === null || !/^https?:\/\//i.test(returnUrl)
    ? null
    : html`<a class="button ${main ? 'main' : 'quiet'}" href="${returnUrl}" rel="noreferrer"
        >${texts.backTo(merchant.name)}</a
      >`;

/** Why the last form was refused; announced on load. */
export const problemNote = ({ problem, texts }: Scenery): Html | null =>
  problem &&
  html`<p class="note bad" role="alert" id="problem">${ICONS.warning}<span>${texts.problems[problem]}</span></p>`;

/** Simulated bank reports, in a sandbox only. */
export const simulation = ({ view, texts: { sandbox }, path }: Scenery): Html | null => {
  if (!view.sandbox || view.order?.status !== 'PENDING') return null;
  const outcomes = Object.entries(sandbox.outcomes) as [Outcome, string][];
  return html` <form class="simulation" method="post" action="${path}/simulate" aria-labelledby="simulate">
    <h2 id="simulate">${sandbox.simulate}</h2>
    <div class="outcomes">
      ${outcomes.map(
        ([outcome, label]) => html`<button class="button quiet" name="outcome" value="${outcome}">${label}</button>`,
      )}
    </div>
  </form>`;
};
