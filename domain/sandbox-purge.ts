/** What a sandbox's purge takes away, in this order: a session that became an order goes with it. */
export const PURGED = ['deposits', 'withdrawals', 'sessions'] as const;
/** One of them. */
export type Purged = (typeof PURGED)[number];

/** What one batch of a purge has looked at. */
export interface PurgeBatch {
  /** The last order that it looked at; null: there are no more. */
  readonly last: string | null;
  /** Orders that it took away. */
  readonly gone: number;
}

/** How many orders of each kind a purge has taken away. */
export type PurgeCounts = Readonly<Record<Purged, number>>;
