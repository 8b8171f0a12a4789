import { CatalogueError } from '../../domain/errors';

/** PostgreSQL timed out on a lock or a statement, because others were slow. */
const GAVE_UP: readonly unknown[] = ['55P03', '57014'];

const isBusy = (error: unknown): boolean =>
  error instanceof CatalogueError
    ? error.kind === 'OPTIMISTIC_LOCK_ERROR'
    : error instanceof Error && 'code' in error && GAVE_UP.includes(error.code);

/**
 * Retries a step while a row is locked: a slow machine holds locks longer than the platform waits. A failed step was rolled
 * back, and Temporal or a person would retry it.
 */
export async function retryWhileBusy<Result>(step: () => Promise<Result>): Promise<Result> {
  for (;;)
    try {
      return await step();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
}
