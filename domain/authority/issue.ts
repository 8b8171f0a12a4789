import type { Warrant } from './warrant';

/** Makes a warrant. Only two files import it (warrant.ts), which check the table first. */
export const issueWarrant = <Step extends string>(step: Step): Warrant<Step> => ({ step }) as Warrant<Step>;
