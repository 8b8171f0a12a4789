import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';

/** The fields of each log line about an order; absent in workflows without an order. */
export interface OrderTrace {
  /** The trace id of the request that created the order. */
  readonly traceId?: string | undefined;
  readonly orderNo?: string | undefined;
  readonly merchantCode?: string | undefined;
}

/** The header that carries a workflow's trace to its activities. */
export const TRACE_HEADER = 'causeway-trace';

/** The trace in a workflow's start arguments. */
function traceOf(start: unknown): OrderTrace {
  if (typeof start !== 'object' || start === null) return {};
  const { traceId, orderNo, merchantCode } = start as OrderTrace;
  return { traceId, orderNo, merchantCode };
}

/**
 * Adds the order to each log line of its workflow and passes it to its activities, where temporal/activity-trace.ts
 * does the same. The workflow bundle names this file; workflows need not import it.
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
