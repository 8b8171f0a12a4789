import { ApplicationFailure } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { refusalOf } from '../db/refusals';
import { metrics } from '../runtime/metrics';

/** The outcome of an attempt that threw, in our own words: a failure's own type, a kind of refusal, or FAULT. */
function outcomeOf(error: unknown): string {
  if (error instanceof ApplicationFailure) return error.type ?? 'FAULT';
  return refusalOf(error)?.kind ?? 'FAULT';
}

/** Times every attempt at an activity and counts its outcome. */
export const measureActivities: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute: async (input, next) => {
      const began = performance.now();
      let outcome = 'OK';
      try {
        return await next(input);
      } catch (error) {
        outcome = outcomeOf(error);
        if (outcome === 'SERVICE_UNAVAILABLE') metrics.dependencyFailures.inc({ dependency: 'postgres' });
        throw error;
      } finally {
        const seconds = (performance.now() - began) / 1000;
        metrics.activitySeconds.observe({ activity: info.activityType, outcome }, seconds);
      }
    },
  },
});

/** Calls back when an activity has ended: also a failed one may have committed something. */
export const tellAfter =
  (tell: () => void): ActivityInterceptorsFactory =>
  () => ({
    inbound: {
      execute: async (input, next) => {
        try {
          return await next(input);
        } finally {
          tell();
        }
      },
    },
  });
