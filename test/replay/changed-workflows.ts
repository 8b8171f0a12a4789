import { sleep } from '@temporalio/workflow';
import * as landed from '../../workflows';
import type { CallbackDeliveryStart } from '../../workflows/callback-delivery';
import type { DepositOrderStart } from '../../workflows/deposit-order';

/* What a careless change looks like: a timer before everything else. */

export async function depositOrder(start: DepositOrderStart): Promise<unknown> {
  await sleep('1s');
  return await landed.depositOrder(start);
}

export async function callbackDelivery(start: CallbackDeliveryStart): Promise<unknown> {
  await sleep('1s');
  return await landed.callbackDelivery(start);
}

export async function reconcile(): Promise<unknown> {
  await sleep('1s');
  return await landed.reconcile();
}

export async function callbackSweep(): Promise<unknown> {
  await sleep('1s');
  return await landed.callbackSweep();
}
