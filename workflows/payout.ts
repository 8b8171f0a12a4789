import {
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { PayoutActivities } from '../temporal/activities/payouts';
import { showWaiting } from './attributes';
import { type Changes, DATABASE_STEP, PAYOUTS_TASK_QUEUE } from './shared';

const { routePayout } = proxyLocalActivities<PayoutActivities>(DATABASE_STEP);

/**
 * A channel's timeout is 60 s at most; the rest of the 75 s is for our own steps. A refusal that a query confirms takes
 * two requests: a send that is interrupted there is queried by its next try, and never sent again.
 */
const REQUEST = {
  taskQueue: PAYOUTS_TASK_QUEUE,
  startToCloseTimeout: '75s',
  // Detects a dead worker.
  heartbeatTimeout: '15s',
} as const;

/** A second run sends nothing again: an attempt that is marked as sent is only queried. */
const { sendPayout } = proxyActivities<PayoutActivities>({
  ...REQUEST,
  summary: 'Sends the payout to its channel, once',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** Queries every 30 s until there is an answer, or when a failure becomes final. */
const { askPayout, reviewPayout } = proxyActivities<PayoutActivities>({
  ...REQUEST,
  summary: 'Asks the channel what became of the payout, every 30 s',
  retry: { initialInterval: '30s', backoffCoefficient: 1 },
});

export { reviewPayout };

/**
 * One step towards the payout of an approved withdrawal: sends it to a channel, offers it to people if no channel takes
 * it, or queries the outcome. Returns when the order may have changed: the caller reads it again.
 */
export async function payOut(withdrawalId: string, changes: Changes): Promise<void> {
  const step = await routePayout(withdrawalId);
  switch (step.kind) {
    case 'SEND': {
      showWaiting('APPROVED', 'CHANNEL');
      // Nothing is under way: the caller reads the order, and asks in the next step.
      const underWay = await sendPayout(step.attemptId);
      if (!underWay) return;
      setCurrentDetails("APPROVED: the channel's result");
      await untilClear(async () => await askPayout(step.attemptId, underWay), changes);
      return;
    }
    case 'ASK':
      await untilClear(async () => await askPayout(step.attemptId), changes);
      return;
    case 'WAIT':
      // No operator had claimed it when the row was read.
      setCurrentDetails('APPROVED: a person to transfer it');
      showWaiting('APPROVED', 'TRANSFER');
      await condition(changes.arrived);
  }
}

/** Queries until the attempt has ended, or a signal reports a change. */
async function untilClear(ask: () => Promise<'ENDED' | 'WAITS'>, changes: Changes): Promise<void> {
  if (changes.arrived()) return;
  await CancellationScope.cancellable(async () => {
    const signalled = condition(changes.arrived);
    const asked = ask().then(async (outcome) => {
      if (outcome !== 'WAITS') return;
      // A person must resolve it; later reports of the channel still count.
      setCurrentDetails('APPROVED: a person to find out what became of it');
      showWaiting('APPROVED', 'OUTCOME');
      await condition(changes.arrived);
    });
    await Promise.race([signalled, asked]);
    CancellationScope.current().cancel();
  });
}
