import type { Posting } from '../../domain/ledger';

/** The accounts of a ledger transfer's lines, in order, in the form of the SQL functions' parameter. */
export const accountsOf = (postings: readonly Posting[]): string[] => postings.map(({ account }) => account);

/** Their amounts: plain decimals, credit positive. */
export const amountsOf = (postings: readonly Posting[]): string[] => postings.map(({ amount }) => amount.toFixed());
