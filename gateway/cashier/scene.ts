import type { CashierView } from './view';

/** What the payer sees. */
export type Scene =
  | 'choose'
  | 'card'
  | 'pay'
  | 'redirect'
  | 'preparing'
  | 'confirming'
  | 'completed'
  | 'expired'
  | 'cancelled'
  | 'failed'
  | 'session-expired';

/** The scene of a view. */
export function sceneOf({ order, status, cards, chosenCard }: CashierView): Scene {
  if (!order) {
    if (status === 'EXPIRED') return 'session-expired';
    return status === 'PENDING' ? 'choose' : 'preparing';
  }
  switch (order.status) {
    case 'PENDING':
      // The merchant set the amount; the payer still chooses the card.
      if (cards.length > 0 && chosenCard === null) return 'card';
      if (order.accountNo !== null) return 'pay';
      if (order.paymentUrl !== null) return 'redirect';
      return order.qrData === null ? 'preparing' : 'pay';
    case 'MATCHED':
      return 'confirming';
    case 'COMPLETED':
      return 'completed';
    case 'EXPIRED':
      return 'expired';
    case 'CANCELLED':
      return 'cancelled';
    case 'FAILED':
      return 'failed';
  }
}

const WAITING: ReadonlySet<Scene> = new Set(['choose', 'card', 'pay', 'redirect', 'preparing', 'confirming']);

/** Whether the state may still change by itself. */
export const isWaiting = (scene: Scene): boolean => WAITING.has(scene);

/** Scenes after which money may still arrive: the payer may send a claim. */
const CLAIMABLE: ReadonlySet<Scene> = new Set(['pay', 'redirect', 'expired', 'cancelled', 'failed']);

/** Whether the payer may send a claim: once. */
export const mayClaim = (view: CashierView): boolean => view.claim === null && CLAIMABLE.has(sceneOf(view));

/** A text that differs whenever the page differs; contains no secret. */
export const stateOf = (view: CashierView): string =>
  [
    sceneOf(view),
    view.version,
    view.claim ? 'claimed' : 'unclaimed',
    // Another order, or another expiry of the session, is another page.
    view.order?.orderNo ?? view.expireAt,
  ].join('.');

/** The deadline, RFC 3339; null if there is none. */
export function deadlineOf(view: CashierView): string | null {
  switch (sceneOf(view)) {
    case 'choose':
      return view.expireAt;
    case 'card':
    case 'pay':
    case 'redirect':
    case 'preparing':
      return view.order?.expireAt ?? null;
    default:
      return null;
  }
}
