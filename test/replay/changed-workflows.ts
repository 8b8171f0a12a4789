import { sleep } from '@temporalio/workflow';
import * as landed from '../../workflows';
import type { CallbackDeliveryStart } from '../../workflows/callback-delivery';
import type { CashierSessionStart } from '../../workflows/cashier-session';
import type { DepositOrderStart } from '../../workflows/deposit-order';
import type { MailDeliveryStart } from '../../workflows/mail-delivery';
import type { PlatformEventDeliveryStart } from '../../workflows/platform-event-delivery';
import type { WithdrawalOrderStart } from '../../workflows/withdrawal-order';

/* A careless change: a timer before all other steps. */

export async function depositOrder(start: DepositOrderStart): Promise<unknown> {
  await sleep('1s');
  return await landed.depositOrder(start);
}

export async function channelDepositOrder(start: DepositOrderStart): Promise<unknown> {
  await sleep('1s');
  return await landed.channelDepositOrder(start);
}

export async function callbackDelivery2(start: CallbackDeliveryStart): Promise<unknown> {
  await sleep('1s');
  return await landed.callbackDelivery2(start);
}

export async function cashierSession(start: CashierSessionStart): Promise<unknown> {
  await sleep('1s');
  return await landed.cashierSession(start);
}

export async function withdrawalOrder(start: WithdrawalOrderStart): Promise<unknown> {
  await sleep('1s');
  return await landed.withdrawalOrder(start);
}

export async function mailDelivery(start: MailDeliveryStart): Promise<unknown> {
  await sleep('1s');
  return await landed.mailDelivery(start);
}

export async function platformEventDelivery(start: PlatformEventDeliveryStart): Promise<void> {
  await sleep('1s');
  await landed.platformEventDelivery(start);
}

export async function booksProof(): Promise<unknown> {
  await sleep('1s');
  return await landed.booksProof();
}

export async function booksProofWhole(): Promise<unknown> {
  await sleep('1s');
  return await landed.booksProofWhole();
}

export async function reconcile(): Promise<unknown> {
  await sleep('1s');
  return await landed.reconcile();
}

export async function payoutSweep(): Promise<unknown> {
  await sleep('1s');
  return await landed.payoutSweep();
}

export async function callbackSweep(): Promise<unknown> {
  await sleep('1s');
  return await landed.callbackSweep();
}

export async function channelWatch(): Promise<unknown> {
  await sleep('1s');
  return await landed.channelWatch();
}

export async function billingIssue(): Promise<unknown> {
  await sleep('1s');
  return await landed.billingIssue();
}

export async function holdRelease(): Promise<unknown> {
  await sleep('1s');
  return await landed.holdRelease();
}

export async function sandboxPurge(): Promise<unknown> {
  await sleep('1s');
  return await landed.sandboxPurge();
}

export async function settlementRun(): Promise<unknown> {
  await sleep('1s');
  return await landed.settlementRun();
}

export async function dayClose(): Promise<unknown> {
  await sleep('1s');
  return await landed.dayClose();
}
