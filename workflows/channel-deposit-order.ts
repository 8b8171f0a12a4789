import {
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { DepositStatus } from '../domain/deposit';
import type { ChannelDepositActivities, DepositStep } from '../temporal/activities/channel-deposits';
import type { DepositActivities } from '../temporal/activities/deposits';
import type { DepositOrderStart } from './deposit-order';
import { type Changes, CHANNEL_DEPOSITS_TASK_QUEUE, DATABASE_STEP, listenForChanges } from './shared';

const { routeDeposit } = proxyLocalActivities<ChannelDepositActivities>(DATABASE_STEP);
const { expireDeposit } = proxyLocalActivities<DepositActivities>(DATABASE_STEP);

/** A channel's timeout is 60 s at most; the rest of the 75 s is for our own steps. */
const REQUEST = {
  taskQueue: CHANNEL_DEPOSITS_TASK_QUEUE,
  startToCloseTimeout: '75s',
  // Detects a dead worker.
  heartbeatTimeout: '15s',
} as const;

/** A second run opens nothing again: an attempt that is marked as sent is only queried. */
const { openDeposit } = proxyActivities<ChannelDepositActivities>({
  ...REQUEST,
  summary: 'Opens the deposit at its channel, once',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** Queries every 30 s until something has changed. */
const { askDeposit, reviewDeposit } = proxyActivities<ChannelDepositActivities>({
  ...REQUEST,
  summary: 'Asks the channel whether it was paid, every 30 s',
  retry: { initialInterval: '30s', backoffCoefficient: 1 },
});

/**
 * Queries once more before an order expires, in case it was paid just before. A channel that does not answer is queried
 * a few more times.
 */
const lastly = proxyActivities<ChannelDepositActivities>({
  ...REQUEST,
  summary: 'Asks the channel once more before the order expires',
  retry: {
    initialInterval: '3s',
    backoffCoefficient: 1,
    maximumAttempts: 8,
    nonRetryableErrorTypes: ['DepositStillOpen'],
  },
});

/**
 * One deposit that a channel takes, or that is paid to an account on which a channel reports. A channel opens it, or
 * the next one if that refuses; then the channel is queried until the deposit is paid, failed or expired. Every change
 * of the row and every message of the channel wakes this workflow, which then reads the row.
 */
export async function channelDepositOrder(start: DepositOrderStart): Promise<DepositStatus> {
  const changes = listenForChanges();

  while (true) {
    changes.readingNow();
    const step = await routeDeposit(start.depositId, new Date().toISOString());
    switch (step.kind) {
      case 'END':
        setCurrentDetails(`${step.status}: nothing more to do`);
        return step.status;
      case 'REVIEW':
        setCurrentDetails(`${step.status}: the channel contradicts it`);
        await reviewDeposit(step.attemptId);
        break;
      case 'OPEN':
        setCurrentDetails(`PENDING: a channel to open ${start.amount} ${start.currencyCode}`);
        await openDeposit(step.attemptId);
        break;
      case 'ASK':
      case 'WAIT':
        await untilChanged(start, step, changes);
    }
  }
}

type Waiting = Extract<DepositStep, { readonly kind: 'ASK' } | { readonly kind: 'WAIT' }>;

/** Queries the channel until something has changed, a signal reports it, or the order expires. */
async function untilChanged(
  { depositId, amount, currencyCode }: DepositOrderStart,
  step: Waiting,
  changes: Changes,
): Promise<void> {
  const expires = step.status === 'PENDING';
  const remaining = Date.parse(step.expireAt) - Date.now();
  if (expires && remaining <= 0) {
    if (step.kind === 'ASK') await lastly.askDeposit(step.attemptId).catch(() => undefined);
    await expireDeposit(depositId, new Date().toISOString());
    return;
  }
  setCurrentDetails(
    expires
      ? `PENDING: waits for a payment of ${amount} ${currencyCode} until ${step.expireAt}`
      : `${step.status}: waits for the channel to receive it`,
  );
  if (changes.arrived()) return;
  await CancellationScope.cancellable(async () => {
    const signalled = expires ? condition(changes.arrived, remaining) : condition(changes.arrived);
    const moved: Promise<unknown>[] = [signalled];
    if (step.kind === 'ASK') moved.push(askDeposit(step.attemptId));
    await Promise.race(moved);
    CancellationScope.current().cancel();
  });
}
