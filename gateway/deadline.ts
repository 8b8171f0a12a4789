import { within } from '../graph';
import type { GatewayDeps } from './deps';

/**
 * How soon after its arrival a request is answered, whatever hangs; milliseconds. A frozen server does not refuse, it
 * hangs; and clients are promised an answer in 5 seconds.
 */
export const ANSWER_WITHIN_MS = 4_500;

/** The deadline of a request that begins now. */
export const deadlineOf = ({ answerWithinMs = ANSWER_WITHIN_MS }: GatewayDeps): Deadline =>
  new Deadline(answerWithinMs);

/** One deadline for all steps of a request. */
export class Deadline {
  private readonly at: number;

  constructor(milliseconds: number) {
    this.at = performance.now() + milliseconds;
  }

  /**
   * The result of the work. Late work continues without a listener: a create may have taken effect, as the contract
   * says of every 5xx.
   * @throws SERVICE_UNAVAILABLE when time is up
   */
  async within<Result>(work: Promise<Result>): Promise<Result> {
    return await within(Math.max(0, this.at - performance.now()), work, 'graph');
  }
}
