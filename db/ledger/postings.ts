import type { Posting } from '../../domain/ledger';

/** The accounts of a transfer's lines, in their order, as the functions in SQL take them. */
export const accountsOf = (postings: readonly Posting[]): string[] =>
  postings.map(({ account }) => account);

/** Their amounts: plain decimals, credit positive. */
export const amountsOf = (postings: readonly Posting[]): string[] =>
  postings.map(({ amount }) => amount.toFixed());
