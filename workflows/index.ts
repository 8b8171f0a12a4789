/** Every workflow, as the worker's bundle holds it. */
export { depositOrder } from './deposit-order';
export { callbackDelivery } from './callback-delivery';
export { mailDelivery } from './mail-delivery';
export { reconcile } from './reconcile';
export { callbackSweep } from './callback-sweep';
