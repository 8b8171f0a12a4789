import { type Html, html } from '../html';
import { ICONS } from '../icons';
import { problemNote, type Scenery } from '../parts';
import { mayClaim } from '../scene';

/** The outcome of the payer's claim. */
export const claimedNote = ({ view: { claim }, texts }: Scenery): Html | null =>
  claim &&
  html` <div class="note good">
    ${ICONS.check}
    <span><strong>${texts.claimed.title}</strong><br />${texts.claimed.lead(claim.reference)}</span>
  </div>`;

/**
 * The claim form: a reference and an optional picture. A claim credits nothing; it helps an operator find the money.
 */
export function claimForm(scenery: Scenery, heading: Html): Html {
  const { texts, path, problem } = scenery;
  const { claim } = texts;
  return html` <form class="claim" method="post" action="${path}/claim" enctype="multipart/form-data">
    ${heading}
    <p class="hint">${claim.lead}</p>
    ${problemNote(scenery)}
    <div>
      <label for="reference">${claim.reference}</label>
      <div class="field">
        <input
          id="reference"
          name="reference"
          type="text"
          required
          maxlength="64"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          aria-describedby="${problem === 'reference' ? 'reference-hint problem' : 'reference-hint'}"
        />
      </div>
      <p class="hint" id="reference-hint">${claim.referenceHint}</p>
    </div>
    <div>
      <label for="receipt">${claim.receipt}</label>
      <input
        id="receipt"
        name="receipt"
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby="receipt-hint"
      />
      <p class="hint" id="receipt-hint">${claim.receiptHint}</p>
    </div>
    <button class="button main">${claim.submit}</button>
  </form>`;
}

/** The form on its own page, which never reloads while the payer types. */
export const claimPage = (scenery: Scenery): Html =>
  html` ${claimForm(scenery, html`<h1 tabindex="-1">${scenery.texts.claim.title}</h1>`)}
    <p class="aside"><a href="${scenery.path}">${scenery.texts.claim.back}</a></p>`;

/** The form below a failed end: money may still arrive. */
export const claimPart = (scenery: Scenery): Html | null => {
  if (scenery.view.claim) return claimedNote(scenery);
  return mayClaim(scenery.view) ? claimForm(scenery, html`<h2>${scenery.texts.claim.question}</h2>`) : null;
};
