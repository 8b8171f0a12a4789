import type { CashierView } from './view';

/** What the payer has before him. */
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
  | 'session-expired'
  | 'replaced';

/** The one scene that a view is. */
export function sceneOf({ order, status, mayAct, cards, chosenCard }: CashierView): Scene {
  if (!order) {
    if (status === 'EXPIRED') return 'session-expired';
    if (!mayAct) return 'replaced';
    return status === 'PENDING' ? 'choose' : 'preparing';
  }
  switch (order.status) {
    case 'PENDING':
      // The merchant has set the amount: from where it is paid is still to be said.
      if (cards.length > 0 && chosenCard === null && mayAct) return 'card';
      if (order.accountNo !== null) return 'pay';
      return order.paymentUrl === null ? 'preparing' : 'redirect';
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

const WAITING: ReadonlySet<Scene> = new Set([
  'choose',
  'card',
  'pay',
  'redirect',
  'preparing',
  'confirming',
]);

/** Something may still happen by itself: the page stays in touch. */
export const isWaiting = (scene: Scene): boolean => WAITING.has(scene);

/** Scenes after which money may still be on its way: the payer may tell of it. */
const CLAIMABLE: ReadonlySet<Scene> = new Set([
  'pay',
  'redirect',
  'expired',
  'cancelled',
  'failed',
]);

/** The payer may say that he has paid: once, and not by a link that was replaced. */
export const mayClaim = (view: CashierView): boolean =>
  view.mayAct && view.claim === null && CLAIMABLE.has(sceneOf(view));

/** Differs where the page differs, and holds nothing that is not to be seen by whoever has the link. */
export const stateOf = (view: CashierView): string =>
  [
    sceneOf(view),
    view.mayAct ? 'live' : 'old',
    view.claim ? 'claimed' : 'unclaimed',
    // Another number's session is another amount, another range.
    view.order?.orderNo ?? view.expireAt,
  ].join('.');

/** When what is waited for is over, RFC 3339; null where nothing runs out. */
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
