import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { type OrderTrace, TRACE_HEADER } from '../workflows/trace';

/** Adds the order to each log line of its activities (workflows/trace.ts passes it). */
export const traceActivities: ActivityInterceptorsFactory = () => {
  let trace: OrderTrace = {};
  return {
    inbound: {
      execute: async (input, next) => {
        const header = input.headers[TRACE_HEADER];
        if (header) trace = defaultPayloadConverter.fromPayload<OrderTrace>(header);
        return await next(input);
      },
    },
    outbound: { getLogAttributes: (input, next) => next({ ...input, ...trace }) },
  };
};
