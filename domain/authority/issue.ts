import type { Warrant } from './warrant';

/** Makes a warrant. Only graph/authority/warrant.ts imports it, which checks the table first. */
export const issueWarrant = <Step extends string>(step: Step): Warrant<Step> =>
  ({ step }) as Warrant<Step>;
