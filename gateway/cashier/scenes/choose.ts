import { cutAmount, plainAmount, writtenAmount } from '../amounts';
import { type Html, html } from '../html';
import { ICONS } from '../icons';
import { amountOf, problemNote, type Scenery } from '../parts';
import type { CardDetail, CashierOrder } from '../view';

/** An account in the merchant's words: the first detail names it, the others distinguish it. */
export const cardText = (card: readonly CardDetail[]): Html => {
  const [first, ...others] = card.map(({ value }) => value);
  return html`<bdi>${first ?? ''}</bdi>${others.map((value) => html` <small><bdi>${value}</bdi></small>`)}`;
};

function denominationTiles({ view, texts }: Scenery): Html[] {
  return view.denominations.map((amount) => {
    const plain = plainAmount(amount, view.decimals);
    return html` <label class="tile">
      <input type="radio" name="amount" value="${plain}" required />
      <span>${writtenAmount(plain, view, texts).replace(/[.,]00(?=\D*$)/, '')}</span>
    </label>`;
  });
}

/** The payer's own amount, as one more choice beside the denominations. */
function ownAmount({ view, texts, problem }: Scenery): Html | null {
  const { customMin, customMax, decimals, denominations } = view;
  if (customMin === null || customMax === null) return null;
  const range = texts.choose.range(writtenAmount(customMin, view, texts), writtenAmount(customMax, view, texts));
  const described = problem === 'amount' ? 'range problem' : 'range';
  const alone = denominations.length === 0;
  return html` ${
      !alone &&
      html`<label class="tile other">
        <input type="radio" name="amount" value="other" required />
        <span>${texts.choose.other}</span>
      </label>`
    }
    <div class="own">
      <label for="own">${texts.choose.own}</label>
      <div class="field">
        <span aria-hidden="true">${view.currencyCode}</span>
        <input
          id="own"
          name="own"
          type="text"
          inputmode="${decimals === 0 ? 'numeric' : 'decimal'}"
          autocomplete="off"
          maxlength="24"
          aria-describedby="${described}"
          ${alone && html`required`}
        />
      </div>
      <p class="hint" id="range">${range}</p>
    </div>`;
}

const cardChoice = ({ view: { cards }, texts }: Scenery): Html | null =>
  cards.length === 0
    ? null
    : html` <fieldset class="cards">
        <legend>${texts.choose.card}</legend>
        ${cards.map(
          (card, n) =>
            html` <label class="tile wide">
              <input type="radio" name="card" value="${n}" required />
              <span>${cardText(card)}</span>
            </label>`,
        )}
      </fieldset>`;

/** The version of the session that the payer saw: a choice made before its merchant opened it again is refused. */
const shownVersion = ({ view }: Scenery): Html => html`<input type="hidden" name="version" value="${view.version}" />`;

/** The choice of amount and card. */
export const choose = (scenery: Scenery): Html => {
  const { texts, path } = scenery;
  return html` <form method="post" action="${path}/submit">
    ${shownVersion(scenery)} ${problemNote(scenery)}
    <fieldset>
      <legend><h1 tabindex="-1">${texts.choose.title}</h1></legend>
      <div class="tiles">${denominationTiles(scenery)}${ownAmount(scenery)}</div>
    </fieldset>
    ${cardChoice(scenery)}
    <button class="button main">${texts.choose.submit}${ICONS.arrow}</button>
  </form>`;
};

/** The choice of card; the merchant set the amount. */
export const chooseCard = (scenery: Scenery, order: CashierOrder): Html => {
  const { view, texts, path } = scenery;
  const amount = cutAmount(order.amount, order.amount, view, texts);
  return html` <form method="post" action="${path}/submit">
    <div class="hero">
      <h1 tabindex="-1">${texts.pay.amount}</h1>
      <p class="figure">${amountOf(amount)}</p>
    </div>
    ${shownVersion(scenery)} ${problemNote(scenery)} ${cardChoice(scenery)}
    <button class="button main">${texts.choose.submit}${ICONS.arrow}</button>
  </form>`;
};
