import type { AddressOf } from '../runtime/client-address';
import type { Graph } from '../graph';
import type { Logger } from '../runtime/log';

/** What the gateway asks of the graph. */
export type GraphCalls = Pick<
  Graph,
  | 'execute'
  | 'authenticate'
  | 'authenticateAgent'
  | 'authenticateCashier'
  | 'authenticateChannel'
  | 'subscribe'
  | 'ready'
>;

/** What the public listener stands on. */
export interface GatewayDeps {
  readonly graph: GraphCalls;
  /** The time that signed requests are compared with. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Whose address payers' limits go by. */
  readonly addressOf: AddressOf;
  /** Written into each log line: sandbox and production share code and addresses alike. */
  readonly environment: 'sandbox' | 'production';
  /** Where payers open the cashier, without a slash at its end; a token follows it. */
  readonly cashierUrl: string;
  /** A request has its answer within this, milliseconds; as clients are promised unless given. */
  readonly answerWithinMs?: number;
}
