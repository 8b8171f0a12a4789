import { CatalogueError } from '../../domain/errors';

/** PostgreSQL gave up a lock or a statement, because others were slow. */
const GAVE_UP: readonly unknown[] = ['55P03', '57014'];

const isBusy = (error: unknown): boolean =>
  error instanceof CatalogueError
    ? error.kind === 'OPTIMISTIC_LOCK_ERROR'
    : error instanceof Error && 'code' in error && GAVE_UP.includes(error.code);

/**
 * Does a step again for as long as a row is busy: a slow machine holds one longer than the platform waits. It has left
 * nothing behind then, and who asked for it asks again, as Temporal and people do.
 */
export async function retryWhileBusy<Result>(step: () => Promise<Result>): Promise<Result> {
  for (;;)
    try {
      return await step();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
}
