import { CatalogueError } from '../domain/errors';
import { metrics } from '../runtime/metrics';

/** Deadline of authentication, milliseconds: a frozen database does not fail, it hangs. */
export const IDENTIFIED_WITHIN_MS = 4_500;

/**
 * The result of the work. Late work continues, its result ignored: it may have had an effect.
 * @param dependency counted as failed when the deadline passes
 * @throws SERVICE_UNAVAILABLE when time is up
 */
export async function within<Result>(
  milliseconds: number,
  work: Promise<Result>,
  dependency = 'postgres',
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      metrics.dependencyFailures.inc({ dependency });
      reject(new CatalogueError('SERVICE_UNAVAILABLE', 'the request was not answered in time'));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
