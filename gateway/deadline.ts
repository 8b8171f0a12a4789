import { within } from '../graph';

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
    return await within(Math.max(0, this.at - performance.now()), work, 'graph');
  }
}
