import { HARMLESS_WITH_FACTOR } from './harmless';
import type { AuthorityTable } from './table';

/** For how long a second factor proves the person, milliseconds. */
export const FACTOR_FRESH_MS = 5 * 60_000;

/**
 * What a mutation requires of operators with a second factor. DECIDING: a fresh one, which must be a passkey for
 * operators who must have one. OWN: any fresh one. Null: nothing.
 */
export function factorAskedFor(table: AuthorityTable, mutation: string): 'DECIDING' | 'OWN' | null {
  if (table[mutation]?.factor === 'FRESH') return 'DECIDING';
  return HARMLESS_WITH_FACTOR.has(mutation) ? 'OWN' : null;
}

/** Whether a factor was used within the last five minutes. */
export const isFresh = (at: Date | null | undefined, now: Date): boolean =>
  at !== null && at !== undefined && now.getTime() - at.getTime() <= FACTOR_FRESH_MS;
