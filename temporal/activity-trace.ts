import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { inTrace } from '../runtime/tracing';
import { type OrderTrace, TRACE_HEADER } from '../workflows/trace';

/**
 * Adds the order to each log line of its activities (workflows/trace.ts passes it), and makes each attempt a span of the
 * order's trace.
 */
export const traceActivities: ActivityInterceptorsFactory = ({ info }) => {
  let trace: OrderTrace = {};
  const words = () =>
    ({
      name: `step ${info.activityType}`,
      kind: 'consumer',
      attributes: {
        'causeway.order': trace.orderNo,
        'temporal.workflow': info.workflowExecution?.workflowId,
        'temporal.attempt': info.attempt,
      },
    }) as const;
  return {
    inbound: {
      execute: async (input, next) => {
        const header = input.headers[TRACE_HEADER];
        if (header) trace = defaultPayloadConverter.fromPayload<OrderTrace>(header);
        return await inTrace(trace.traceId, words, async () => await next(input));
      },
    },
    outbound: { getLogAttributes: (input, next) => next({ ...input, ...trace }) },
  };
};
