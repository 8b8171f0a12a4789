import { CatalogueError } from '../domain/errors';
import { metrics } from '../runtime/metrics';

/** The types whose fields are operations. */
export const ROOT_TYPES: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

/** Times an operation and counts its outcome. @param operation one of our names, never a caller's */
export async function timed<Result>(operation: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  let outcome = 'OK';
  try {
    return await work();
  } catch (error) {
    outcome = error instanceof CatalogueError ? error.kind : 'INTERNAL_ERROR';
    throw error;
  } finally {
    const seconds = (performance.now() - began) / 1000;
    metrics.operationSeconds.observe({ operation, outcome }, seconds);
  }
}
