import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';

/** What each log line about an order says of it; nothing in a workflow that is about no order. */
export interface OrderTrace {
  /** Of the request that created the order; orders of before trace ids have none. */
  readonly traceId?: string | undefined;
  readonly orderNo?: string | undefined;
  readonly merchantCode?: string | undefined;
}

/** The header in which a workflow's trace goes to its activities. */
export const TRACE_HEADER = 'causeway-trace';

/** What a workflow's start arguments tell for its log. */
function traceOf(start: unknown): OrderTrace {
  if (typeof start !== 'object' || start === null) return {};
  const { traceId, orderNo, merchantCode } = start as OrderTrace;
  return { traceId, orderNo, merchantCode };
}

/**
 * Puts the order into each log line of its workflow and hands it to its activities, where temporal/activity-trace.ts
 * does the same. The bundle of workflows names this file; no workflow has to.
 */
export function interceptors(): WorkflowInterceptors {
  let trace: OrderTrace = {};
  const traced = <Input extends { readonly headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(trace) },
  });
  return {
    inbound: [
      {
        execute: async (input, next) => {
          trace = traceOf(input.args[0]);
          return await next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: async (input, next) => await next(traced(input)),
        scheduleLocalActivity: async (input, next) => await next(traced(input)),
        getLogAttributes: (input, next) => next({ ...input, ...trace }),
      },
    ],
  };
}
