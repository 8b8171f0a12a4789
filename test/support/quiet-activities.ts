import type { Logger } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';

const nothing = (): void => undefined;
const quiet: Logger = {
  log: nothing,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

/** Runs activities without a worker, and without their log lines. */
export const quietActivities = (): MockActivityEnvironment => new MockActivityEnvironment({}, { logger: quiet });
