import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { BillingActivities } from '../temporal/activities/billing';
import { SWEEP_OPTIONS } from './shared';

/** Catching up takes a while: a platform that never issued any has months of all its merchants to issue. */
const { issueBillingStatements } = proxyActivities<BillingActivities>({
  ...SWEEP_OPTIONS,
  startToCloseTimeout: '1h',
  heartbeatTimeout: '5m',
});

/**
 * Runs each quarter of an hour: months end at different times. Issues the billing statements of those that have ended.
 * @returns how many
 */
export async function billingIssue(): Promise<number> {
  setCurrentDetails('Issues the billing statements of months that have ended');
  return await issueBillingStatements();
}
