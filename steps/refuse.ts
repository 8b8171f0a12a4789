import { CatalogueError } from '../domain/errors';
import { refusalOf } from '../db/refusals';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';

/** The catalogue's error for a failed step; unknown errors are logged, and only here. */
export function refuse(error: unknown, log: Logger, step: string): CatalogueError {
  if (error instanceof CatalogueError) return error;
  const refusal = refusalOf(error);
  if (!refusal) {
    log.error({ err: error, step }, 'a step failed');
    return new CatalogueError('INTERNAL_ERROR', 'internal error');
  }
  if (refusal.kind === 'SERVICE_UNAVAILABLE') {
    metrics.dependencyFailures.inc({ dependency: 'postgres' });
    log.error({ err: error, step }, 'PostgreSQL did not answer');
  } else {
    log.debug({ err: error, step }, 'the database refused');
  }
  return refusal;
}
