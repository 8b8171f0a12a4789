import { writtenAmount } from '../amounts';
import { type Html, html } from '../html';
import { returnLink, type Scenery, timeOf, verdict } from '../parts';
import type { CashierOrder } from '../view';
import { claimPart } from './claim';

/** The money arrived; its credit is being posted. */
export const confirming = ({ texts: { confirming } }: Scenery): Html =>
  verdict('busy', confirming.title, confirming.lead);

/** No details yet. */
export const preparing = ({ texts: { preparing } }: Scenery): Html => verdict('busy', preparing.title, preparing.lead);

/** The merchant has the money. */
export const completed = (scenery: Scenery, order: CashierOrder): Html => {
  const { texts, view } = scenery;
  return html` ${verdict('good', texts.completed.title, texts.completed.lead(view.merchant.name))}
    <dl class="details">
      <div class="row">
        <dt>${texts.completed.amount}</dt>
        <dd><bdi>${writtenAmount(order.amount, view, texts)}</bdi></dd>
      </div>
      ${
        order.completedAt !== null &&
        html`<div class="row">
          <dt>${texts.completed.at}</dt>
          <dd>${timeOf(order.completedAt, texts)}</dd>
        </div>`
      }
      <div class="row">
        <dt>${texts.orderNo}</dt>
        <dd><bdi>${order.orderNo}</bdi></dd>
      </div>
    </dl>
    ${returnLink(scenery)}`;
};

/** An order that failed: do not pay, and what to do after paying. */
export const lost = (scenery: Scenery, scene: 'expired' | 'cancelled' | 'failed'): Html => {
  const { title, lead } = scenery.texts[scene];
  const claim = claimPart(scenery);
  return html` ${verdict(scene === 'expired' ? 'still' : 'bad', title, lead)}
  ${returnLink(scenery, scenery.view.claim !== null || claim === null)} ${claim}`;
};

/** A session that ended without an order. */
export const over = (scenery: Scenery): Html => {
  const { title, lead } = scenery.texts.sessionExpired;
  return html` ${verdict('still', title, lead(scenery.view.merchant.name))} ${returnLink(scenery)}`;
};
