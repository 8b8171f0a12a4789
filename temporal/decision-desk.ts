import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import { workflowId } from '../domain/ids';
import { OUTBOX_RANK } from '../domain/outbox';
import type { WithdrawalStatus } from '../domain/withdrawal';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';
import { applyDecisions } from '../workflows/shared';
import type { WithdrawalOrderStart } from '../workflows/withdrawal-order';
import { startOptions } from './starts';

/** How long to wait for the workflow's answer, milliseconds. A workflow that is later applies the decision later. */
const ANSWER_WITHIN_MS = 5_000;

/** Asks withdrawals' workflows to apply people's decisions. */
export class DecisionDesk {
  /** @param answerWithinMs how long the operator waits at most */
  constructor(
    private readonly client: Client,
    private readonly log: Logger,
    private readonly answerWithinMs = ANSWER_WITHIN_MS,
  ) {}

  /**
   * Starts the workflow if it is missing, and asks it to apply the recorded decisions.
   * @returns the order's status; null if the workflow did not answer in time. The decision is still valid: the outbox
   * wakes the workflow
   */
  async apply(start: WithdrawalOrderStart): Promise<WithdrawalStatus | null> {
    const { type, args, ...options } = startOptions(...(['withdrawal', start, OUTBOX_RANK.money] as const), new Date());
    const startWorkflowOperation = new WithStartWorkflowOperation(type, {
      ...options,
      args,
      workflowId: workflowId('withdrawal', start.orderNo),
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
    try {
      return await this.client.connection.withDeadline(
        Date.now() + this.answerWithinMs,
        async () =>
          await this.client.workflow.executeUpdateWithStart(applyDecisions, {
            startWorkflowOperation,
          }),
      );
    } catch (error) {
      metrics.dependencyFailures.inc({ dependency: 'temporal' });
      const { orderNo, traceId } = start;
      this.log.warn({ err: error, orderNo, traceId }, 'decision recorded, to be applied later');
      return null;
    }
  }
}
