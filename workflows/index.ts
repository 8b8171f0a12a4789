/** Every workflow of the worker's bundle. */
export { depositOrder } from './deposit-order';
export { channelDepositOrder } from './channel-deposit-order';
export { callbackDelivery2 } from './callback-delivery';
export { cashierSession } from './cashier-session';
export { withdrawalOrder } from './withdrawal-order';
export { mailDelivery } from './mail-delivery';
export { platformEventDelivery } from './platform-event-delivery';
export { reconcile } from './reconcile';
export { payoutSweep } from './payout-sweep';
export { callbackSweep } from './callback-sweep';
export { channelWatch } from './channel-watch';
export { dayClose } from './day-close';
export { billingIssue } from './billing-issue';
export { settlementRun } from './settlement-run';
export { holdRelease } from './hold-release';
export { booksProof, booksProofWhole } from './books-proof';
export { sandboxPurge } from './sandbox-purge';
