import { CatalogueError } from '../domain/errors';
import { metrics } from '../metrics';

/**
 * A request has its answer within this once it has arrived, whatever hangs; milliseconds. A frozen server refuses
 * nothing, it hangs. Clients are promised an answer in 5 seconds.
 */
export const ANSWER_WITHIN_MS = 4_500;

/** One deadline for all that a request waits for. */
export class Deadline {
  private readonly at: number;

  constructor(milliseconds: number) {
    this.at = performance.now() + milliseconds;
  }

  /**
   * What the work results in. Work that comes too late runs on, unheard: a create may have had effect, as the
   * contract says of every 5xx.
   * @throws SERVICE_UNAVAILABLE when time is up
   */
  async within<Result>(work: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => {
          metrics.dependencyFailures.inc({ dependency: 'graph' });
          reject(new CatalogueError('SERVICE_UNAVAILABLE', 'no answer in time'));
        },
        Math.max(0, this.at - performance.now()),
      );
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
