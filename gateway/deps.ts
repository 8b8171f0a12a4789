import type { Graph } from '../graph';
import type { Logger } from '../log';

/** What the gateway asks of the graph. */
export type GraphCalls = Pick<Graph, 'execute' | 'authenticate' | 'authenticateAgent' | 'ready'>;

/** What the public listener stands on. */
export interface GatewayDeps {
  readonly graph: GraphCalls;
  /** The time that signed requests are compared with. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Written into each log line: sandbox and production share code and addresses alike. */
  readonly environment: 'sandbox' | 'production';
}
