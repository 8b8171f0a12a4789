import type { Warrant } from './warrant';

/** Makes a warrant. Imported by graph/authority/warrant.ts alone, which looks at the table first. */
export const issueWarrant = <Step extends string>(step: Step): Warrant<Step> =>
  ({ step }) as Warrant<Step>;
