import { type Money, ZERO } from './money';

/** PROPOSED: its figures still follow what is posted. CLOSED: it takes no more postings. */
export const CLOSE_STATUSES = ['PROPOSED', 'CLOSED'] as const;
/** One of CLOSE_STATUSES. */
export type CloseStatus = (typeof CLOSE_STATUSES)[number];

/** Who reported the figure that a day is compared with: the best one first. */
export const OUTSIDE_SOURCES = ['STATEMENT', 'AGENT', 'CHANNEL'] as const;
/** One of OUTSIDE_SOURCES. */
export type OutsideSource = (typeof OUTSIDE_SOURCES)[number];

/** The outside figure less ours; zero where there is none to compare with. */
export const differenceOf = (book: { readonly closing: Money }, outside: Money | null): Money =>
  outside === null ? ZERO : outside.minus(book.closing);
