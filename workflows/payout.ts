import {
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { PayoutActivities } from '../temporal/activities/payouts';
import { type Changes, PAYOUTS_TASK_QUEUE } from './shared';

const { routePayout } = proxyLocalActivities<PayoutActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** A channel's timeout is 60 s at most; the rest of a minute and a quarter is ours. */
const REQUEST = {
  taskQueue: PAYOUTS_TASK_QUEUE,
  startToCloseTimeout: '75s',
  // A worker that died is missed after this.
  heartbeatTimeout: '15s',
} as const;

/** Run again, it sends nothing again: what was marked as sent is only asked for. */
const { sendPayout } = proxyActivities<PayoutActivities>({
  ...REQUEST,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** Asks every 30 s until there is something to tell, or when a failure becomes final. */
const { askPayout, reviewPayout } = proxyActivities<PayoutActivities>({
  ...REQUEST,
  retry: { initialInterval: '30s', backoffCoefficient: 1 },
});

export { reviewPayout };

/**
 * One step towards the payout of an approved withdrawal: gives it to a channel, or to people where none takes it; or
 * finds out what became of it. Returns when the order may stand elsewhere: the caller reads it again.
 */
export async function payOut(withdrawalId: string, changes: Changes): Promise<void> {
  const step = await routePayout(withdrawalId);
  switch (step.kind) {
    case 'SEND':
      await sendPayout(step.attemptId);
      return;
    case 'ASK':
      await untilClear(step.attemptId, changes);
      return;
    case 'WAIT':
      // It was not anybody's when the row was read.
      setCurrentDetails('APPROVED: a person to transfer it');
      await condition(changes.arrived);
  }
}

/** Asks until the try has ended, or somebody tells that something changed. */
async function untilClear(attemptId: string, changes: Changes): Promise<void> {
  if (changes.arrived()) return;
  await CancellationScope.cancellable(async () => {
    const told = condition(changes.arrived);
    const asked = askPayout(attemptId).then(async (outcome) => {
      if (outcome !== 'WAITS') return;
      // A person finds out; the channel's own news still count.
      setCurrentDetails('APPROVED: a person to find out what became of it');
      await condition(changes.arrived);
    });
    await Promise.race([told, asked]);
    CancellationScope.current().cancel();
  });
}
