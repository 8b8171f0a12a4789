import { cutAmount, plainAmount } from '../amounts';
import { type Html, html } from '../html';
import { ICONS } from '../icons';
import { amountOf, copyButton, detail, type Scenery, simulation } from '../parts';
import { mayClaim } from '../scene';
import type { CashierOrder } from '../view';
import { qrCode } from '../qr';
import { cardText } from './choose';
import { claimedNote } from './claim';

/** The amount, larger than anything else. */
function amountHero({ view, texts }: Scenery, order: CashierOrder): Html {
  const { decimals } = view;
  const cut = cutAmount(order.amount, order.requestedAmount, view, texts);
  return html` <div class="hero">
      <h1 tabindex="-1">${texts.pay.title}</h1>
      <p class="figure">${amountOf(cut)}</p>
      ${copyButton(plainAmount(order.amount, decimals), texts.pay.amount, texts)}
    </div>
    ${cut.identifying !== '' && html`<p class="note warn">${ICONS.warning}<span>${texts.pay.exact}</span></p>`}`;
}

/** The card that the payer pays with, read-only. */
const chosenCard = ({ view: { cards, chosenCard }, texts }: Scenery): Html | null => {
  const card = chosenCard === null ? undefined : cards[chosenCard];
  return card
    ? html`<div class="row">
        <dt>${texts.pay.from}</dt>
        <dd>${cardText(card)}</dd>
      </div>`
    : null;
};

const remarkRow = ({ texts }: Scenery, remark: string): Html =>
  html` <div class="row remark">
    <dt>${texts.pay.remark}</dt>
    <dd><bdi>${remark}</bdi></dd>
    <dd class="act">${copyButton(remark, texts.pay.remark, texts)}</dd>
    <dd class="why">${texts.pay.withRemark}</dd>
  </div>`;

/** Waiting for the payment, with a link to the claim form. */
const waiting = (scenery: Scenery): Html => {
  const { texts, view, path } = scenery;
  return html` <div class="waiting">
      <span class="pulse" aria-hidden="true"></span>
      <div>
        <p><strong>${texts.pay.waiting}</strong></p>
        <p class="hint">${texts.pay.waitingHint}</p>
      </div>
    </div>
    ${claimedNote(scenery)}
    <noscript><a class="button quiet" href="${path}">${texts.refresh}</a></noscript>
    ${mayClaim(view) && html`<p class="aside"><a href="${path}?paid">${texts.pay.paid}</a></p>`} ${simulation(scenery)}`;
};

/** Longer codes are too fine for a phone's camera. */
const LONGEST_CODE = 512;

/** The channel's code to scan: a payload for banks' apps, never a link of ours. */
const scanned = ({ texts }: Scenery, payload: string | null): Html | null =>
  payload !== null && payload !== '' && payload.length <= LONGEST_CODE
    ? html`<figure class="qr">
        <figcaption>${texts.pay.scan}</figcaption>
        ${qrCode(payload)}
      </figure>`
    : null;

/** A transfer to a bank account, or by a code. */
export const pay = (scenery: Scenery, order: CashierOrder): Html => {
  const { texts } = scenery;
  return html` ${amountHero(scenery, order)}
    <dl class="details">
      ${order.remark !== null && remarkRow(scenery, order.remark)}
      ${detail(texts.pay.bank, order.bankName ?? order.bankCode, texts, false)}
      ${detail(texts.pay.accountNo, order.accountNo, texts)}
      ${detail(texts.pay.accountHolder, order.accountHolder, texts)}
      ${detail(texts.pay.branch, order.bankBranch, texts)} ${chosenCard(scenery)}
    </dl>
    ${scanned(scenery, order.qrData)} ${waiting(scenery)}`;
};

/** A channel's own page takes the payment. */
export const redirect = (scenery: Scenery, order: CashierOrder): Html => {
  const { texts, view } = scenery;
  const url = order.paymentUrl ?? '';
  const cut = cutAmount(order.amount, order.requestedAmount, view, texts);
  return html` <div class="hero">
      <h1 tabindex="-1">${texts.redirect.title}</h1>
      <p class="figure">${amountOf(cut)}</p>
      <p class="hint">${texts.redirect.lead}</p>
    </div>
    ${
      /^https:\/\//i.test(url) &&
      html`<a class="button main" href="${url}" rel="noreferrer">${texts.redirect.open}${ICONS.arrow}</a>
        <figure class="qr">
          <figcaption>${texts.redirect.scan}</figcaption>
          ${qrCode(url)}
        </figure>`
    }
    ${waiting(scenery)}`;
};
