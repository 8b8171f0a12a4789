import { type CutAmount } from './amounts';
import { type Html, html } from './html';
import { ICONS } from './icons';
import type { Outcome, Problem, Texts } from './texts/texts';
import type { CashierView } from './view';

/** What every template is made from. */
export interface Scenery {
  readonly view: CashierView;
  readonly texts: Texts;
  /** The page's own path, which carries the token. */
  readonly path: string;
  /** Why the last form was not taken. */
  readonly problem: Problem | null;
}

/** Puts exactly the value on the clipboard. Where no script runs, it is not there (cashier/page.css). */
export const copyButton = (value: string, label: string, { copy, copyOf }: Texts): Html =>
  html` <button type="button" class="copy" data-copy="${value}" aria-label="${copyOf(label)}">
    ${ICONS.copy}<span>${copy}</span>
  </button>`;

/** One detail of a transfer, with its copy button. */
export const detail = (
  label: string,
  value: string | null,
  texts: Texts,
  copies = true,
): Html | null =>
  value === null || value === ''
    ? null
    : html` <div class="row">
        <dt>${label}</dt>
        <dd><bdi>${value}</bdi></dd>
        ${copies && html`<dd class="act">${copyButton(value, label, texts)}</dd>`}
      </div>`;

/** An amount whose telling digits stand out. */
export const amountOf = ({ before, telling, after }: CutAmount): Html =>
  html`<bdi class="amount"
    >${before}${telling === '' ? null : html`<mark>${telling}</mark>`}${after}</bdi
  >`;

/** How a scene feels: the colour of its sign. */
type Mood = 'good' | 'busy' | 'bad' | 'still';

const SIGNS: Readonly<Record<Mood, Html | null>> = {
  good: ICONS.check,
  busy: null,
  bad: ICONS.cross,
  still: ICONS.clock,
};

/** The head of a scene that tells how things stand. The title is what a change is announced by. */
export const verdict = (mood: Mood, title: string, lead: string): Html =>
  html` <div class="verdict ${mood}">
    <span class="sign">${SIGNS[mood]}</span>
    <h1 tabindex="-1">${title}</h1>
    <p>${lead}</p>
  </div>`;

/** A time for people; a script puts it into the payer's own time zone, until then it is UTC. */
export const timeOf = (at: string, { locale }: Texts): Html => {
  const written = new Intl.DateTimeFormat(`${locale}-u-nu-latn-ca-gregory`, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(at));
  return html`<time datetime="${at}" data-local>${written} UTC</time>`;
};

/** Back to the merchant: to the address that his settings name, and nowhere else. */
export const returnLink = (
  { view: { returnUrl, merchant }, texts }: Scenery,
  main = true,
): Html | null =>
  returnUrl === null || !/^https?:\/\//i.test(returnUrl)
    ? null
    : html`<a class="button ${main ? 'main' : 'quiet'}" href="${returnUrl}" rel="noreferrer"
        >${texts.backTo(merchant.name)}</a
      >`;

/** Why the last form was not taken; announced when the page is loaded. */
export const problemNote = ({ problem, texts }: Scenery): Html | null =>
  problem &&
  html`<p class="note bad" role="alert" id="problem">
    ${ICONS.warning}<span>${texts.problems[problem]}</span>
  </p>`;

/** Stand-ins for what a bank reports: in a sandbox alone. */
export const simulation = ({ view, texts: { sandbox }, path }: Scenery): Html | null => {
  if (!view.sandbox || !view.mayAct || view.order?.status !== 'PENDING') return null;
  const outcomes = Object.entries(sandbox.outcomes) as [Outcome, string][];
  return html` <form
    class="simulation"
    method="post"
    action="${path}/simulate"
    aria-labelledby="simulate"
  >
    <h2 id="simulate">${sandbox.simulate}</h2>
    <div class="outcomes">
      ${outcomes.map(
        ([outcome, label]) =>
          html`<button class="button quiet" name="outcome" value="${outcome}">${label}</button>`,
      )}
    </div>
  </form>`;
};
