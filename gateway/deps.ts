import type { AddressOf } from '../runtime/client-address';
import type { Graph } from '../graph';
import type { Logger } from '../runtime/log';
import type { Allowance } from './limits/buckets';
import type { BatchWindow } from './batch-window';
import type { Limits } from './limits/limits';
import type { MerchantRate } from './merchant-rate';

/** What the gateway needs of the graph. */
export type GraphCalls = Pick<
  Graph,
  | 'execute'
  | 'authenticate'
  | 'authenticateAgent'
  | 'authenticateCashier'
  | 'authenticateOwner'
  | 'authenticateEnroller'
  | 'authenticateChannel'
  | 'subscribe'
  | 'areCreditsLate'
  | 'ready'
>;

/** The dependencies of the public listener. */
export interface GatewayDeps {
  readonly graph: GraphCalls;
  /** The clock that signed requests are compared with. */
  readonly clock: () => Date;
  /** Whether this machine's clock is so wrong that nothing is served; by default never. */
  readonly isClockOff?: () => boolean;
  /** Whether this process lacks a key that rows may need, so that nothing is served; by default never. */
  readonly isKeyMissing?: () => boolean;
  readonly log: Logger;
  /** The client address of a request, for the limits of payers. */
  readonly addressOf: AddressOf;
  /** Written into each log line, because sandbox and production share code and addresses. */
  readonly environment: 'sandbox' | 'production';
  /** Where payers open the cashier, without a trailing slash; a token follows it. */
  readonly cashierUrl: string;
  /** Where merchants reach the REST API, without a trailing slash: shown beside a new api key. */
  readonly merchantApiUrl: string;
  /** Where vulnerabilities are reported; none by default, and no security.txt is served. */
  readonly securityContacts?: readonly string[];
  /** Where callers are counted; by default in this process, which is then the whole gateway. */
  readonly limits?: Limits;
  /** The signed requests of one merchant; generous by default. */
  readonly merchantAllowance?: Allowance;
  /** How soon a request is answered, milliseconds; by default as clients are promised. */
  readonly answerWithinMs?: number;
  /** Factor by which slow and silent clients get more time: for tests on a busy machine. */
  readonly clientPatience?: number;
}

/** What routes get in addition. */
export interface RouteDeps extends GatewayDeps {
  readonly limits: Limits;
  readonly merchantRate: MerchantRate;
  readonly batchWindow: BatchWindow;
}
